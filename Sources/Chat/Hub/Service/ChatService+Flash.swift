package import Accounts
package import Chat
import Synchronization

extension ChatService {
    /// The beginning of the keys of view-once pictures.
    package static let flashPrefix = "chat/flash/"

    /// Opens a view-once picture on this device: for its receiver, and once.
    ///
    /// - Throws: ``ChatHubError/alreadyViewed`` for every call but the first that comes, of whatever device;
    ///   ``ChatHubError/viewOnce`` for its sender.
    package func openFlash(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by asker: ChatAsker
    ) async throws -> FlashLease {
        try await log.openFlash(
            target,
            in: conversation,
            by: asker.person,
            device: asker.device,
            leaseMilliseconds: settings.flashLease.milliseconds,
            at: now
        )
    }

    /// Begins a transfer of the picture of a lease, on the device that has the lease. It takes over from one that runs: a phone that changed its
    /// network asks again before this side can know that its connection is gone.
    ///
    /// - Throws: ``ChatHubError/alreadyViewed`` where the picture was sent whole, or the lease ended.
    package func fetchFlash(_ lease: String, by asker: ChatAsker) async throws -> FlashFetch {
        let flash = try await log.flash(of: lease, person: asker.person, device: asker.device, at: now)
        let number = fetches.withLock { $0.begin(flash) }
        return FlashFetch(flash) { [self] in
            guard fetches.withLock({ $0.isNewest(number, of: flash) }) else { throw ChatHubError.alreadyViewed }
            try await log.destroyFlash(flash, at: now)
        } released: { [self] in
            fetches.withLock { $0.end(number, of: flash) }
        }
    }

    /// Whether a batch may have a signed address of an object. View-once pictures have none, for their senders neither.
    ///
    /// - Parameter isUploader: Whether the person uploaded it, as the objects' store says.
    package func maySign(_ objectKey: String, for person: UserID, isUploader: Bool) async throws -> Bool {
        guard objectKey.utf8.count <= ChatHubLimits.objectKeyBytes, !objectKey.hasPrefix(Self.flashPrefix) else {
            return false
        }
        return switch try await log.access(to: objectKey, of: person) {
        case .allowed: true
        case .viewOnce: false
        case .unreferenced: isUploader
        }
    }
}

/// The transfers of view-once pictures that run, by their pictures: the newest of each.
struct FlashFetches: Sendable {
    private var newest: [LeasedFlash: UInt64] = [:]
    private var last: UInt64 = 0

    mutating func begin(_ flash: LeasedFlash) -> UInt64 {
        last += 1
        newest[flash] = last
        return last
    }

    func isNewest(_ number: UInt64, of flash: LeasedFlash) -> Bool { newest[flash] == number }

    mutating func end(_ number: UInt64, of flash: LeasedFlash) {
        if isNewest(number, of: flash) { newest[flash] = nil }
    }
}

/// One transfer of a view-once picture.
package final class FlashFetch: Sendable {
    package let flash: LeasedFlash
    private let destroy: @Sendable () async throws -> Void
    private let released: @Sendable () -> Void

    fileprivate init(
        _ flash: LeasedFlash,
        destroy: @escaping @Sendable () async throws -> Void,
        released: @escaping @Sendable () -> Void
    ) {
        self.flash = flash
        self.destroy = destroy
        self.released = released
    }

    deinit { released() }

    /// To be called before the last bytes are handed over: when it returns, the picture is destroyed on disk. So no crash leaves a picture that
    /// was sent whole and can be fetched again. The object's file goes with it, so it has to be open by then.
    ///
    /// - Throws: ``ChatHubError/alreadyViewed`` where a newer transfer took over, or the picture is destroyed: the last bytes must not be sent then.
    package func consume() async throws { try await destroy() }
}
