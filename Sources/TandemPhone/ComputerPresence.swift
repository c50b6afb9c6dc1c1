import Signaling
import Synchronization

/// What one server said last about whether a computer is there.
final class ComputerPresence: Sendable {
    private let desktopID: String
    private let isAwayNow = Atomic(false)

    init(desktopID: String) {
        self.desktopID = desktopID
    }

    var isAway: Bool { isAwayNow.load(ordering: .relaxed) }

    func take(_ event: SignalEvent) {
        switch event {
        case .peerOffline(let notice) where notice.peerID == desktopID: isAwayNow.store(true, ordering: .relaxed)
        case .peerStatus(let status) where status.peerID == desktopID:
            isAwayNow.store(!status.isOnline, ordering: .relaxed)
        default: break
        }
    }
}
