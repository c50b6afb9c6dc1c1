package import Notifications

/// Wakes phones that are closed. Served by a sender of Web Push, or of another service.
package protocol PhonePusher: Sendable {
    /// Whether a phone can be woken so: its address is a push service's and its keys are keys.
    ///
    /// - Throws: An error whose description is shown to the phone's person.
    func check(_ registration: PushRegistration) throws

    /// Sends one payload, sealed for the phone alone. Returns within a minute, whatever the push service does.
    ///
    /// - Parameters:
    ///   - payload: JSON of at most 2,000 bytes.
    ///   - topic: One under the same topic that has not reached the phone is replaced. The push service does not learn it.
    func wake(_ registration: PushRegistration, with payload: [UInt8], topic: String, isUrgent: Bool) async
        -> WakeOutcome
}

/// A push service's answer.
package enum WakeOutcome: Hashable, Sendable {
    case sent
    /// The registration is over: the phone has to give another one.
    case gone
    /// It was not reached, or is too busy: the same may be sent later, where it said so after that long.
    case later(Duration?)
    /// It does not take this one, now or later.
    case failed
}
