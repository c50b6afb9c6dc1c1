import Signaling
import Synchronization

/// The presence of a computer, as one server told it last.
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
