public import Kernel

/// For apps that are told by calls instead of events. Called one after the other, off the main thread.
public protocol MobileWebSocketClientDelegate: AnyObject, Sendable {
    func webSocketClient(_ client: MobileWebSocketClient, connected ack: BridgeHelloAck) async
    func webSocketClient(_ client: MobileWebSocketClient, renewed token: String) async
    func webSocketClient(_ client: MobileWebSocketClient, received type: String, data: JSONValue) async
    func webSocketClient(
        _ client: MobileWebSocketClient,
        disconnected error: BridgeClientError,
        retryAfter: Duration?
    ) async
}

extension MobileWebSocketClient {
    /// Tells a delegate of every event from now on, for as long as both live.
    ///
    /// - Returns: Ends it when it is cancelled.
    @discardableResult
    public nonisolated func tell(_ delegate: any MobileWebSocketClientDelegate) -> Task<Void, Never> {
        let events = events()
        return Task { [weak self, weak delegate] in
            for await event in events {
                guard let self, let delegate else { return }
                switch event {
                case .connecting, .pong: break
                case .connected(let ack): await delegate.webSocketClient(self, connected: ack)
                case .renewed(let token): await delegate.webSocketClient(self, renewed: token)
                case .message(let type, let data): await delegate.webSocketClient(self, received: type, data: data)
                case .disconnected(let error, let wait):
                    await delegate.webSocketClient(self, disconnected: error, retryAfter: wait)
                }
            }
        }
    }
}
