package import Chat
package import Foundation
package import Kernel
package import Logging
package import Push
import Synchronization

/// Wakes devices by Web Push (RFC 8030). A subscription is bound to a key: the hub's own, or one that a device has for all who wake it.
package final class WebPushes: DevicePusher {
    /// Keys of devices that are kept at a time.
    private static let senderLimit = 256
    /// A device that was away for longer catches up when it returns.
    private static let lifetime: Duration = .seconds(24 * 3600)
    /// A service that is busy is asked once more, unless it wants to be left alone for longer.
    private static let patience: Duration = .seconds(20)
    private static let keyName = "push"

    private let own: VAPIDKey
    private let configure: @Sendable (VAPIDKey) -> WebPushConfiguration
    private let resolver: any AddressResolver
    private let time: any TimeSource
    private let logger: Logger
    private let senders = Mutex<[String: WebPushSender]>([:])

    /// - Parameters:
    ///   - folder: Keeps the hub's key, which is made when it is first asked for.
    ///   - configure: How messages of a key are sent.
    /// - Throws: `StateFolderError`; `PushError` for a key that is damaged.
    package init(
        _ folder: URL,
        resolver: any AddressResolver = SystemResolver(),
        time: any TimeSource,
        logger: Logger,
        configure: @escaping @Sendable (VAPIDKey) -> WebPushConfiguration
    ) throws {
        let state = try StateFolder(folder)
        if let bytes = try state.readKey(Self.keyName) {
            own = try VAPIDKey(rawRepresentation: bytes)
        } else {
            own = VAPIDKey()
            try state.writeKey(Self.keyName, own.rawRepresentation)
        }
        self.resolver = resolver
        self.time = time
        self.logger = logger
        self.configure = configure
    }

    package var publicKey: String { Base64URL.encode(own.publicKey) }

    package func check(_ subscription: RegisterPush.Subscription) throws {
        _ = try Self.place(subscription)
        _ = try key(subscription)
    }

    package func wake(
        _ subscription: RegisterPush.Subscription,
        with payload: [UInt8],
        topic: String
    ) async -> PushEnd {
        do {
            let place = try Self.place(subscription)
            // Another for each device: a conversation's id in the clear would tell push services which devices belong together.
            let concealed = try PushTopic(concealing: topic.utf8, secret: place.auth)
            let sender = try sender(for: subscription)
            for isLast in [false, true] {
                switch try await sender.send(payload, to: place, urgency: .high, topic: concealed, ttl: Self.lifetime) {
                case .accepted: return .sent
                case .gone: return .gone
                case .tooLarge, .refused: return .failed
                case .later(let after):
                    let pause = after ?? .seconds(5)
                    guard !isLast, pause <= Self.patience, await time.pause(for: pause) else { return .failed }
                }
            }
        } catch {
            logger.info("a device was not woken", metadata: ["reason": "\(error)"])
        }
        return .failed
    }

    private func sender(for subscription: RegisterPush.Subscription) throws -> WebPushSender {
        let name = subscription.applicationKey ?? ""
        if let known = senders.withLock({ $0[name] }) { return known }
        let made = try WebPushSender(
            configure(key(subscription)),
            resolver: resolver,
            time: time,
            logger: logger
        )
        return senders.withLock { senders in
            if let known = senders[name] { return known }
            if senders.count >= Self.senderLimit, let other = senders.keys.first(where: { !$0.isEmpty }) {
                senders[other] = nil
            }
            senders[name] = made
            return made
        }
    }

    private func key(_ subscription: RegisterPush.Subscription) throws -> VAPIDKey {
        guard let text = subscription.applicationKey else { return own }
        return try VAPIDKey(rawRepresentation: Base64URL.decode(text) ?? [])
    }

    private static func place(_ subscription: RegisterPush.Subscription) throws(PushError) -> WebPushSubscription {
        try WebPushSubscription(
            endpoint: subscription.endpoint,
            p256dh: subscription.publicKey,
            auth: subscription.secret
        )
    }
}
