import Kernel
public import Signaling
import Synchronization
public import Transport

/// A WebSocket without a network: the client's end is a ``WebSocketChannel``, and the test plays the server.
public final class InMemoryWebSocket: WebSocketChannel {
    /// What the client sent, in order.
    public enum Sent: Hashable, Sendable {
        case text(String)
        case binary([UInt8])
        case ping
    }

    private struct State {
        var closure: WebSocketClosure?
        var answersPings = true
        var pings: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<UInt64> = []
        var nextPing: UInt64 = 0
        var acknowledgementAge: Duration?
        var retransmissions = 0
    }

    /// The authority that was dialled.
    public let host: String
    /// SHA-256 of the certificate that the server is said to have, DER; nil without TLS.
    public let certificateHash: [UInt8]?
    private let state = Mutex(State())
    private let inbound: AsyncStream<WebSocketMessage>
    private let toClient: AsyncStream<WebSocketMessage>.Continuation
    private let outbound: AsyncStream<Sent>
    private let fromClient: AsyncStream<Sent>.Continuation

    public init(host: String = "relay.example", certificateHash: [UInt8]? = nil) {
        self.host = host
        self.certificateHash = certificateHash
        (inbound, toClient) = AsyncStream.makeStream(of: WebSocketMessage.self, bufferingPolicy: .bufferingOldest(1024))
        (outbound, fromClient) = AsyncStream.makeStream(of: Sent.self, bufferingPolicy: .bufferingOldest(1024))
    }

    // MARK: The server's end

    /// What the client sends, for one reader. Ends with the connection.
    public var sent: AsyncStream<Sent> { outbound }

    /// The server sends a text frame; up to 1024 wait for the client.
    public func deliver(text: String) { toClient.yield(.text(Array(text.utf8))) }
    /// The server sends a binary frame; up to 1024 wait for the client.
    public func deliver(binary: [UInt8]) { toClient.yield(.binary(binary)) }

    /// A server that is gone and did not close its end of the connection.
    public func stopAnsweringPings() { state.withLock { $0.answersPings = false } }

    /// The server's system takes what is sent, though nothing answers.
    public func acknowledge(after age: Duration?) { state.withLock { $0.acknowledgementAge = age } }

    /// What is sent does not reach the server's system, however often this one sends it again.
    public func retransmit(_ times: Int) { state.withLock { $0.retransmissions = times } }

    /// The server closes the connection, with this code or without one.
    public func closeFromServer(_ code: WebSocketCloseCode?) { end(.byPeer(code, reason: "")) }

    /// The connection breaks without a close frame.
    public func lose() { end(.lost) }

    // MARK: The client's end

    public var closure: WebSocketClosure? { state.withLock(\.closure) }

    public func send(text: String) async throws { try put(.text(text)) }

    public func send(binary head: [UInt8], _ body: ArraySlice<UInt8>) async throws { try put(.binary(head + body)) }

    public func ping() async throws {
        try put(.ping)
        let id: UInt64? = state.withLock { state in
            if state.answersPings { return nil }
            state.nextPing += 1
            return state.nextPing
        }
        guard let id else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    if state.closure != nil { return WebSocketError.closed }
                    if state.cancelled.remove(id) != nil { return CancellationError() }
                    state.pings[id] = continuation
                    return nil
                }
                if let failure { continuation.resume(throwing: failure) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                let waiting = state.pings.removeValue(forKey: id)
                if waiting == nil { state.cancelled.insert(id) }
                return waiting
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    public func acknowledgementAge() async -> Duration? { state.withLock(\.acknowledgementAge) }
    public func retransmissions() async -> Int { state.withLock(\.retransmissions) }

    public func readMessages(_ body: @Sendable (WebSocketMessage) async -> Void) async {
        for await message in inbound { await body(message) }
    }

    public func close() async { end(.byUs) }

    public func abort() { end(.byUs) }

    private func put(_ sent: Sent) throws {
        guard closure == nil else { throw WebSocketError.closed }
        fromClient.yield(sent)
    }

    private func end(_ closure: WebSocketClosure) {
        let pings = state.withLock { state in
            if state.closure == nil { state.closure = closure }
            defer { state.pings = [:] }
            return state.pings.values
        }
        for ping in pings { ping.resume(throwing: WebSocketError.closed) }
        toClient.finish()
        fromClient.finish()
    }
}
