/// A push service's answer to a message.
package enum PushOutcome: Hashable, Sendable {
    /// It keeps the message for the device. Whether it arrives is not known.
    case accepted
    /// The subscription is over: to be deleted, and never to be used again (RFC 8030 section 7.3).
    case gone
    /// The service takes only shorter messages.
    case tooLarge
    /// The service has too much to do, or fails.
    ///
    /// - Parameter after: When to try again, at most ``RetryAfter/longest``; nil where the service did not say.
    case later(after: Duration?)
    /// The service will not take it, whenever it is sent. A redirect is refused too: it is never followed.
    ///
    /// - Parameter status: The HTTP status. 401 and 403 mean that the VAPID token is not liked.
    case refused(status: Int)
}
