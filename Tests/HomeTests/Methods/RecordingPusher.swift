import Notifications
import NotificationsHost

/// A push service that takes everything, each use of it noted.
final class RecordingPusher: PhonePusher {
    private struct NoAddress: Error, CustomStringConvertible {
        let description = "The parameter endpoint must be an https address of a push service."
    }

    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    func check(_ registration: PushRegistration) throws {
        log.note("look at where a phone is woken")
        guard registration.endpoint.hasPrefix("https://") else { throw NoAddress() }
    }

    func wake(_ registration: PushRegistration, with payload: [UInt8], topic: String, isUrgent: Bool) async
        -> WakeOutcome
    {
        log.note("wake a phone")
        return .sent
    }
}
