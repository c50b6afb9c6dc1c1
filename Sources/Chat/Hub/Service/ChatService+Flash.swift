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

    /// Sends the picture of a lease, to the device that has it. One transfer runs at a time; one that broke may be repeated until the lease ends.
    ///
    /// - Parameter deliver: Sends the picture, and calls `consume` before it hands over the last bytes: when that returns, the picture is
    ///   destroyed on disk. So no crash leaves a picture that was sent whole and can be fetched again. The object's file goes with it, so
    ///   it has to be open by then.
    /// - Throws: ``ChatHubError/alreadyViewed`` also while another transfer of it runs; what `deliver` throws.
    package func fetchFlash(
        _ lease: String,
        by asker: ChatAsker,
        deliver: (_ flash: LeasedFlash, _ consume: @Sendable () async throws -> Void) async throws -> Void
    ) async throws {
        let flash = try await log.flash(of: lease, person: asker.person, device: asker.device, at: now)
        guard fetches.withLock({ $0.insert(flash).inserted }) else { throw ChatHubError.alreadyViewed }
        defer { _ = fetches.withLock { $0.remove(flash) } }
        // The transfer before this one may have ended between the look and the claim.
        _ = try await log.flash(of: lease, person: asker.person, device: asker.device, at: now)
        try await deliver(flash) { [self] in try await log.destroyFlash(flash, at: now) }
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
