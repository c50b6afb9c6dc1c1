import Chat
import Kernel
import Synchronization
import Transport

/// A hub's end of a socket in memory: a test says what comes, and answers what is sent.
final class ScriptedPeer: WebSocketPeer {
    /// Answers one request with frames; none leaves it without an answer.
    typealias Answer = @Sendable (SyncFrame.Request) -> [SyncFrame.Response]

    private struct State {
        var sent: [SyncFrame.Request] = []
        var closure: WebSocketClosure?
    }

    let messages: WebSocketMessages
    let subprotocol: String? = nil
    let remoteAddress: String? = nil
    private let incoming: AsyncStream<WebSocketMessage>.Continuation
    private let answer: Answer
    private let state = Mutex(State())
    private let isAlive: Bool

    /// - Parameter isAlive: Whether it answers pings.
    init(isAlive: Bool = true, answer: @escaping Answer = ScriptedPeer.taking) {
        let (stream, incoming) = AsyncStream.makeStream(of: WebSocketMessage.self, bufferingPolicy: .unbounded)
        let reader = ScriptedReader(stream)
        messages = WebSocketMessages { await reader.next() }
        self.incoming = incoming
        self.isAlive = isAlive
        self.answer = answer
    }

    /// Takes the connection, and answers everything with an empty object.
    static let taking: Answer = { [SyncFrame.Response($0.id, increment: $0.increment, operation: $0.operation)] }

    var sent: [SyncFrame.Request] { state.withLock(\.sent) }
    var closure: WebSocketClosure? { state.withLock(\.closure) }

    func push(_ data: JSONValue) { tell(SyncFrame.Response(.push, data: data)) }
    func tell(_ frame: SyncFrame.Response) { tell(frame.wire.canonicalText) }
    func tell(_ text: String) { incoming.yield(.text(Array(text.utf8))) }
    func tell(binary: [UInt8]) { incoming.yield(.binary(binary)) }

    func send(text: [UInt8]) async throws {
        guard closure == nil else { throw WebSocketError.closed }
        guard case .request(let request)? = try? SyncFrame(text: text) else { return }
        state.withLock { $0.sent.append(request) }
        for frame in answer(request) { tell(frame) }
    }

    func send(binary: [UInt8]) async throws {}

    func ping() async throws {
        if closure != nil { throw WebSocketError.closed }
        guard isAlive else { return try await Task.sleep(for: .seconds(3600)) }
    }

    func close(_ code: WebSocketCloseCode, reason: String) async { abort() }

    func abort() {
        state.withLock { $0.closure = $0.closure ?? .byUs }
        incoming.finish()
    }
}

/// The one reader of a peer's messages.
private actor ScriptedReader {
    private var iterator: AsyncStream<WebSocketMessage>.Iterator

    init(_ stream: AsyncStream<WebSocketMessage>) { iterator = stream.makeAsyncIterator() }

    func next() async -> WebSocketMessage? {
        var copy = iterator
        defer { iterator = copy }
        return await copy.next(isolation: self)
    }
}
