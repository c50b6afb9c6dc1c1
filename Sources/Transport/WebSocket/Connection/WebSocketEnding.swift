import Synchronization

/// How a connection ended, set once: the first reason is the real one.
final class WebSocketEnding: Sendable {
    private let state = Mutex<WebSocketClosure?>(nil)

    var closure: WebSocketClosure? { state.withLock { $0 } }

    func record(_ closure: WebSocketClosure) {
        state.withLock { if $0 == nil { $0 = closure } }
    }
}
