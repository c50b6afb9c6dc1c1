import Kernel
public import Signaling
import Synchronization
public import Transport

/// A WebSocket without a network: the client's end is a ``WebSocketChannel``, and the test plays the server.
public final class InMemoryWebSocket: WebSocketChannel {
    /// A frame that the client sent.
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
    /// SHA-256 of the certificate, DER, that the server is to have; nil without TLS.
    public let certificateHash: [UInt8]?
    /// The server's address in numbers that the client is to see.
    public let remoteAddress: String?
    private let state = Mutex(State())
    private let inbound: AsyncStream<WebSocketMessage>
    private let toClient: AsyncStream<WebSocketMessage>.Continuation
    private let outbound: AsyncStream<Sent>
    private let fromClient: AsyncStream<Sent>.Continuation

    public init(
        host: String = "relay.example",
        certificateHash: [UInt8]? = nil,
        remoteAddress: String? = nil
    ) {
        self.host = host
        self.certificateHash = certificateHash
        self.remoteAddress = remoteAddress
        (inbound, toClient) = AsyncStream.makeStream(of: WebSocketMessage.self, bufferingPolicy: .bufferingOldest(1024))
        (outbound, fromClient) = AsyncStream.makeStream(of: Sent.self, bufferingPolicy: .bufferingOldest(1024))
    }

    // MARK: The server's end

    /// The frames that the client sends, in order, for one reader. Ends with the connection.
    public var sent: AsyncStream<Sent> { outbound }

    /// Sends a text frame from the server; up to 1024 frames wait for the client.
    public func deliver(text: String) { toClient.yield(.text(Array(text.utf8))) }
    /// Sends a binary frame from the server; up to 1024 frames wait for the client.
    public func deliver(binary: [UInt8]) { toClient.yield(.binary(binary)) }

    /// Leaves pings unanswered, like a server that is gone and did not close its end of the connection.
    public func stopAnsweringPings() { state.withLock { $0.answersPings = false } }

    /// Sets how long ago the server's system last acknowledged data, which it does even when the server does not answer.
    public func acknowledge(after age: Duration?) { state.withLock { $0.acknowledgementAge = age } }

    /// Sets the number of retransmissions in a row of data that does not reach the server's system.
    public func retransmit(_ times: Int) { state.withLock { $0.retransmissions = times } }

    /// Closes the connection from the server, with this code or without one.
    public func closeFromServer(_ code: WebSocketCloseCode?) { end(.byPeer(code, reason: "")) }

    /// Breaks the connection without a close frame.
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
