import Foundation
import Kernel
import Logging
import Notifications
import NotificationsHost
import Push
import Synchronization

/// Wakes phones by Web Push. Each phone gives the key that its push service knows its computers by, so there is a sender for each key.
final class WebPhonePusher: PhonePusher {
    /// Phones beyond that take the place of others.
    private static let senderLimit = 64
    /// A phone that was away for longer catches up when it returns.
    private static let lifetime = Duration.seconds(24 * 3600)
    /// A service that is busy is asked once more, unless it wants to be left alone for longer.
    private static let patience = Duration.seconds(20)

    private let contact: VAPIDContact?
    private let time: any TimeSource
    private let logger: Logger
    private let senders = Mutex<[String: WebPushSender]>([:])

    /// - Parameter contact: Where push services reach the owner: `mailto:` or `https:`; nil for none, which Apple's does not take.
    /// - Throws: `PushError` for another address.
    init(contact: String?, time: any TimeSource, logger: Logger) throws {
        self.contact = try contact.map { try VAPIDContact($0) }
        self.time = time
        self.logger = logger
    }

    func check(_ registration: PushRegistration) throws {
        _ = try Self.subscription(registration)
        _ = try Self.key(registration)
    }

    func wake(
        _ registration: PushRegistration,
        with payload: [UInt8],
        topic: String,
        isUrgent: Bool
    ) async -> WakeOutcome {
        let (subscription, sender, concealed): (WebPushSubscription, WebPushSender, PushTopic)
        do {
            subscription = try Self.subscription(registration)
            sender = try self.sender(for: registration)
            concealed = try Self.topic(topic, for: registration)
        } catch {
            logger.info("a phone cannot be woken", metadata: ["reason": "\(error)"])
            return .failed
        }
        do {
            for isLast in [false, true] {
                let outcome = try await sender.send(
                    payload,
                    to: subscription,
                    urgency: isUrgent ? .high : .normal,
                    topic: concealed,
                    ttl: Self.lifetime
                )
                switch outcome {
                case .accepted: return .sent
                case .gone: return .gone
                case .tooLarge, .refused: return .failed
                case .later(let after):
                    guard !isLast, let pause = Self.pause(after), await time.pause(for: pause) else {
                        return .later(after)
                    }
                }
            }
            return .later(nil)
        } catch {
            logger.info("a phone was not woken", metadata: ["reason": "\(error)"])
            return Self.mayPass(error) ? .later(nil) : .failed
        }
    }

    /// How long to wait before a busy service is asked again; nil where it wants more than this sender's patience, since asking sooner would only
    /// make it wait longer.
    ///
    /// - Parameter after: What its `Retry-After` says.
    static func pause(_ after: Duration?) -> Duration? {
        let pause = after ?? .seconds(5)
        return pause <= patience ? pause : nil
    }

    /// Whether the same message may be taken later: this computer may be without a network now, or behind a page that asks it to sign in.
    static func mayPass(_ error: any Error) -> Bool {
        switch error as? PushError {
        case .unknownHost, .unreachable, .untrusted, .timedOut, .brokenAnswer, .tooManyWaiting, .addressNotAllowed: true
        case .malformed, .payloadTooLarge, .originNotAllowed, .cancelled, nil: false
        }
    }

    /// Concealed with the subscription's secret, another for each phone: a notification's id in the clear would tell a push service which
    /// phones belong together.
    static func topic(_ topic: String, for registration: PushRegistration) throws(PushError) -> PushTopic {
        try PushTopic(concealing: topic.utf8, secret: subscription(registration).auth)
    }

    private func sender(for registration: PushRegistration) throws -> WebPushSender {
        if let known = senders.withLock({ $0[registration.applicationKey] }) { return known }
        let made = try WebPushSender(
            WebPushConfiguration(key: Self.key(registration), contact: contact),
            time: time,
            logger: logger
        )
        return senders.withLock { senders in
            if let known = senders[registration.applicationKey] { return known }
            if senders.count >= Self.senderLimit, let other = senders.keys.first { senders[other] = nil }
            senders[registration.applicationKey] = made
            return made
        }
    }

    private static func subscription(_ registration: PushRegistration) throws(PushError) -> WebPushSubscription {
        try WebPushSubscription(
            endpoint: registration.endpoint,
            p256dh: registration.publicKey,
            auth: registration.secret
        )
    }

    private static func key(_ registration: PushRegistration) throws(PushError) -> VAPIDKey {
        try VAPIDKey(rawRepresentation: Base64URL.decode(registration.applicationKey) ?? [])
    }
}
