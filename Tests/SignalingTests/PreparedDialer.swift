import Foundation
import Signaling
import SignalingTesting
import Synchronization
import Transport

/// Hands out the sockets a test prepared, and fails when there is none.
final class PreparedDialer: Sendable {
    private let state = Mutex<(sockets: [InMemoryWebSocket], dialled: [URL])>(([], []))
    private let failing = Mutex<(@Sendable () -> Void)?>(nil)

    func prepare(_ socket: InMemoryWebSocket) { state.withLock { $0.sockets.append(socket) } }

    var dialled: [URL] { state.withLock(\.dialled) }

    /// Before the next dial that fails.
    func onFailure(_ body: @escaping @Sendable () -> Void) { failing.withLock { $0 = body } }

    func dial(_ url: URL) throws -> any WebSocketChannel {
        let socket = state.withLock { state -> InMemoryWebSocket? in
            state.dialled.append(url)
            return state.sockets.isEmpty ? nil : state.sockets.removeFirst()
        }
        if socket == nil { failing.withLock { $0.take() }?() }
        guard let socket else { throw WebSocketError.unreachable(host: "relay", reason: "down") }
        return socket
    }
}
