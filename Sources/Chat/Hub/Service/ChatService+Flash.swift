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

    /// Claims the picture of a lease for one transfer, on the device that has the lease. One runs at a time; one that broke may be repeated until
    /// the lease ends.
    ///
    /// - Throws: ``ChatHubError/alreadyViewed`` also while another transfer of it runs.
    package func fetchFlash(_ lease: String, by asker: ChatAsker) async throws -> FlashFetch {
        let flash = try await log.flash(of: lease, person: asker.person, device: asker.device, at: now)
        guard fetches.withLock({ $0.insert(flash).inserted }) else { throw ChatHubError.alreadyViewed }
        let fetch = FlashFetch(flash) { [self] in
            try await log.destroyFlash(flash, at: now)
        } released: { [self] in
            _ = fetches.withLock { $0.remove(flash) }
        }
        // The transfer before this one may have ended between the look and the claim.
        _ = try await log.flash(of: lease, person: asker.person, device: asker.device, at: now)
        return fetch
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

/// One transfer of a view-once picture. The claim ends with it.
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
    package func consume() async throws { try await destroy() }
}
