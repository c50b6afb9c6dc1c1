package import Kernel

/// Why a push message was not sent. The description is shown to the person: what happened, then what to do.
package enum PushError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value that was given from outside.
    package enum Field: String, Hashable, Sendable {
        case subscription
        case endpoint
        case p256dh = "keys.p256dh"
        case auth = "keys.auth"
        case topic
        case contact
        case origin
        case key = "VAPID key"
        case trust = "trusted certificates"
    }

    /// - Parameter rule: The form of a right value, to follow "must be".
    case malformed(Field, rule: String)
    /// - Parameter limit: Bytes.
    case payloadTooLarge(limit: Int)
    /// The endpoint's port or name is none that push services have, and the owner did not allow it.
    case originNotAllowed(PushOrigin)
    /// The endpoint's name leads to an address that is not on the Internet.
    case addressNotAllowed(PushOrigin)
    case unknownHost(PushOrigin)
    case unreachable(PushOrigin)
    /// TLS failed: no certificate that is trusted, or one for another name.
    case untrusted(PushOrigin)
    case timedOut(PushOrigin, after: Duration)
    /// The answer is not HTTP, or its head is too large.
    case brokenAnswer(PushOrigin)
    /// So many messages wait for their turn already.
    case tooManyWaiting
    case cancelled

    package var description: String {
        switch self {
        case .malformed(let field, let rule):
            "\(field.rawValue) must be \(rule). Correct it, or let the device subscribe again."
        case .payloadTooLarge(let limit): "A push message holds at most \(limit) bytes. Send a shorter one."
        case .originNotAllowed(let origin):
            """
            \(origin) is no address of a push service: it must be a name that the Internet knows, on port 443. Let the device subscribe again, or \
            allow it.
            """
        case .addressNotAllowed(let origin):
            "\(origin) leads into a private network. Let the device subscribe again, or allow this push service."
        case .unknownHost(let origin): "\(origin) is not known by name. Check this computer's network."
        case .unreachable(let origin): "\(origin) could not be reached. Check this computer's network."
        case .untrusted(let origin):
            "\(origin) did not prove who it is. Check this computer's clock and trusted certificates."
        case .timedOut(let origin, let limit):
            "\(origin) did not answer within \(limit.components.seconds) seconds. Try again later."
        case .brokenAnswer(let origin): "\(origin) answered with something else than HTTP. Try again later."
        case .tooManyWaiting: "Too many push messages wait to be sent. Try again in a minute."
        case .cancelled: "The push message was given up before it was sent. Send it again."
        }
    }
}

extension PushError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .malformed, .originNotAllowed, .addressNotAllowed: .kind(.badRequest)
        case .payloadTooLarge: .kind(.tooLarge)
        case .unknownHost, .unreachable: .kind(.offline)
        case .untrusted, .brokenAnswer, .tooManyWaiting: .kind(.refused)
        case .timedOut: .kind(.expired)
        case .cancelled: .kind(.cancelled)
        }
    }
}
