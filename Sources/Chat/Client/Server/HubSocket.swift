import Accounts
import Chat
import Kernel
import Synchronization
import Transport

/// One open connection with a hub's `/chat/socket`: requests by their numbers, and what is pushed, in order. It does not reconnect.
/// Source: `docs/chat-server.md`, "The socket".
final class HubSocket: Sendable {
    /// How a connection ended.
    enum End: Hashable, Sendable {
        /// The network, or the hub closed it.
        case lost
        /// The hub says that the session is over.
        case kicked
        /// The hub did not take the connection: with its code, and what else it said.
        case refused(IMFailure)
        /// What came was no chat.
        case violated
    }

    /// Frames that cannot be read, or that answer nothing, before the connection is given up.
    static let strayLimit = 16
    /// Requests without an answer yet.
    private static let pendingLimit = 64

    private struct Pending {
        let id: FrameID
        let reader: AsyncStream<SyncFrame.Response>.Continuation
    }

    private struct State {
        var pending: [String: Pending] = [:]
        var increment: UInt64 = 0
        /// The hub answered the first frame.
        var isTaken = false
        /// Pushes wait for the repository, so that no answer behind them is read.
        var isHeldUp = false
        var isOver = false
    }

    private let peer: any WebSocketPeer
    private let lane: NewsLane
    private let time: any TimeSource
    private let state = Mutex(State())

    init(_ peer: any WebSocketPeer, lane: NewsLane = NewsLane(), time: any TimeSource) {
        self.peer = peer
        self.lane = lane
        self.time = time
    }

    /// Serves the connection to its end.
    ///
    /// - Parameters:
    ///   - limit: For the answer to the first frame, which shows that the hub takes the connection.
    ///   - receive: Is told ``ChatServerNews/connected`` first, then what is pushed, one after the other.
    func run(
        takenWithin limit: Duration,
        _ receive: @escaping @Sendable (ChatServerNews) async -> Void
    ) async -> End {
        await withTaskCancellationHandler {
            await withTaskGroup(of: End?.self) { group in
                group.addTask {
                    let end = await self.read()
                    self.close(dropping: false)
                    return end
                }
                group.addTask {
                    guard await self.begin(within: limit) else {
                        self.close(dropping: true)
                        return nil
                    }
                    await receive(.connected)
                    while let news = await self.lane.next() { await receive(news) }
                    return nil
                }
                var end = End.lost
                for await result in group { if let result { end = result } }
                return end
            }
        } onCancel: {
            close(dropping: true)
        }
    }

    /// Ends the connection at once, with everything that waits for it.
    func close(dropping: Bool) {
        let pending = state.withLock { state in
            state.isOver = true
            defer { state.pending = [:] }
            return state.pending.values.map { $0 }
        }
        for request in pending { request.reader.finish() }
        lane.finish(dropping: dropping)
        peer.abort()
    }

    /// Looks whether the other end is still there, and ends the connection if not.
    ///
    /// - Returns: False where it ended the connection.
    func check(within limit: Duration) async -> Bool {
        let isThere: Void? = try? await withTimeout(limit, on: time, throwing: WebSocketError.timedOut(after: limit)) {
            [peer] in try await peer.ping()
        }
        // A caller that was cancelled has learned nothing.
        guard isThere == nil, !Task.isCancelled else { return true }
        close(dropping: false)
        return false
    }

    // MARK: Requests

    /// Asks by number.
    ///
    /// - Returns: Nil where this connection cannot carry the request, or ended before its answer: it is asked another way then.
    /// - Throws: ``ChatError/refused(_:)``, ``ChatError/timedOut(after:)``, ``ChatError/cancelled``.
    func ask(_ id: FrameID, _ data: JSONValue, within limit: Duration) async throws(ChatError) -> JSONValue? {
        let (answers, reader) = AsyncStream.makeStream(
            of: SyncFrame.Response.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        guard let increment = register(Pending(id: id, reader: reader)) else { return nil }
        defer { forget(increment) }
        let frame = SyncFrame.Request(id, increment: increment, operation: "\(id.rawValue)-\(increment)", data: data)
        let bytes = frame.wire.canonicalBytes
        guard bytes.count <= ChatLimits.ownFrame else { return nil }
        let response: SyncFrame.Response?
        do {
            response = try await withTimeout(limit, on: time, throwing: ChatError.timedOut(after: limit)) { [peer] in
                do { try await peer.send(text: bytes) } catch is WebSocketError { return nil }
                for await answer in answers { return answer }
                try Task.checkCancellation()
                return nil
            }
        } catch let error as ChatError {
            throw error
        } catch {
            throw .cancelled
        }
        guard let response else { return nil }
        guard response.code == .none else { throw ChatError(IMFailure(response.code, detail: response.message)) }
        return response.data
    }

    /// Nil while nothing can be asked here.
    private func register(_ request: Pending) -> String? {
        state.withLock { state in
            guard !state.isOver, !state.isHeldUp, state.pending.count < Self.pendingLimit else { return nil }
            state.increment += 1
            let increment = "\(state.increment)"
            state.pending[increment] = request
            return increment
        }
    }

    private func forget(_ increment: String) { state.withLock { _ = $0.pending.removeValue(forKey: increment) } }

    /// Makes sure that the hub takes the connection: it says so, or why not, with the first frame only.
    private func begin(within limit: Duration) async -> Bool {
        do throws(ChatError) {
            guard try await ask(.background, ["isBackground": false], within: limit) != nil else { return false }
        } catch {
            // A hub that refuses the frame itself has taken the connection.
            guard case .refused = error else { return false }
        }
        state.withLock { $0.isTaken = true }
        return true
    }

    // MARK: Reading

    private func read() async -> End {
        var strays = 0
        for await message in peer.messages {
            guard case .text(let bytes) = message, case .response(let response)? = try? SyncFrame(text: bytes) else {
                strays += 1
                guard strays < Self.strayLimit else { return .violated }
                continue
            }
            switch response.id {
            case .kicked: return .kicked
            case .push:
                let news = Self.news(response.data)
                if news == nil { strays += 1 }
                for one in news ?? [.resync] where !lane.put(one, bytes: bytes.count) { await waitForRoom() }
            case .error:
                // Before the first answer it says why the connection is not taken; afterwards that one of our frames was no frame.
                if !state.withLock(\.isTaken) {
                    return .refused(IMFailure(response.code, detail: response.message))
                }
                strays += 1
            default: if !answer(response) { strays += 1 }
            }
            guard strays < Self.strayLimit else { return .violated }
        }
        return .lost
    }

    /// Hands an answer to the one who asked. False for one that nobody waits for.
    private func answer(_ response: SyncFrame.Response) -> Bool {
        let reader = state.withLock { state -> AsyncStream<SyncFrame.Response>.Continuation? in
            guard let pending = state.pending[response.increment], pending.id == response.id else { return nil }
            state.pending[response.increment] = nil
            return pending.reader
        }
        guard let reader else { return false }
        reader.yield(response)
        reader.finish()
        return true
    }

    /// The repository has enough to do, and may itself wait for an answer that is behind these pushes: open requests go another way.
    private func waitForRoom() async {
        let pending = state.withLock { state in
            state.isHeldUp = true
            defer { state.pending = [:] }
            return state.pending.values.map { $0 }
        }
        for request in pending { request.reader.finish() }
        await lane.room()
        state.withLock { $0.isHeldUp = false }
    }

    /// What a push says, in its order; nil for one that cannot be read. Where one event of several cannot be read, the others are told, and
    /// it is asked for: the answer's order says which number it has.
    private static func news(_ data: JSONValue) -> [ChatServerNews]? {
        if data["resync"] == true { return [.resync] }
        do throws(ChatError) {
            var news: [ChatServerNews] = []
            let messages = try PulledMessages(wire: data).parts.values.flatMap(\.messages)
            if !messages.isEmpty { news.append(.messages(messages)) }
            let list = data["events"]?.arrayValue ?? []
            guard list.count <= ChatLimits.events else { return nil }
            var events: [ChatEvent] = []
            for wire in list { if let event = try? ChatEvent(wire: wire) { events.append(event) } }
            if !events.isEmpty { news.append(.events(events)) }
            if events.count < list.count { news.append(.resync) }
            return news
        } catch {
            return nil
        }
    }
}
