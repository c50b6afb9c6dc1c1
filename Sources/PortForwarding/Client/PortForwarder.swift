package import CommandClient
package import Commands
package import Kernel
package import Rights
import Sealing
import Synchronization

/// A phone's forwarded connections to one computer, and the ports of this machine that lead to them.
package final class PortForwarder: ComputerPart {
    /// A port of this machine that leads to the computer, for people.
    package struct Open: Hashable, Sendable {
        package var remote: Int
        package var local: Int
        /// The origin, of one for browsers; nil for one for programs.
        package var origin: String?
        package var connections: Int
        package var counts: PortStream.Counts
    }

    private struct State {
        var streams: [UInt32: PortStream] = [:]
        var next: UInt32 = 1
        var listeners: [Int: PortListener] = [:]
        var nextListener = 1
        /// What went through connections that are over, by the computer's port.
        var past: [Int: PortStream.Counts] = [:]
        var isAnswering = false
        /// Since when the computer is not reached; nil while it is.
        var awaySince: ContinuousClock.Instant?
        /// When each idle connection was told of last.
        var held: [UInt32: ContinuousClock.Instant] = [:]
        var isClosed = false
    }

    private static let look = Duration.seconds(60)

    private let computer: ComputerContext
    private let time: any TimeSource
    private let instance: UInt64
    private let state = Mutex(State())
    private let tasks = OwnedTasks()
    /// Tells that ports were opened, closed, or are others at the computer.
    private let changes: Broadcaster<Void>

    package init(_ computer: ComputerContext, time: any TimeSource = .system, changes: Broadcaster<Void>) {
        self.computer = computer
        self.time = time
        self.changes = changes
        instance = RandomBytes.make(8).reduce(0) { $0 << 8 | UInt64($1) }
        tasks.add { [weak self, time] in
            while await time.pause(for: Self.look), let self { look() }
        }
    }

    // MARK: Connections

    /// Connects to a port of the computer.
    ///
    /// - Throws: ``PortError``, `RemoteError`.
    package func connect(to port: Int) async throws -> PortStream {
        guard let send = computer.sendFrame else { throw PortError.notOffered }
        let stream = try state.withLock { state throws(PortError) in
            guard !state.isClosed else { throw .ended(.closed) }
            guard state.streams.count < PortLimits.streams else { throw .tooManyConnections(limit: PortLimits.streams) }
            let stream = PortStream(PortStreamID(instance: instance, number: state.next), port: port, time: time)
            state.streams[state.next] = stream
            state.next &+= 1
            return stream
        }
        do {
            let opening = try await withTimeout(PortLimits.opening, on: time, throwing: PortError.noAnswer) {
                try await send(PortFrame(stream.id, offset: Int64(PortLimits.window), .open(port: port)).bytes)
                return await stream.opened()
            }
            switch opening {
            case .opened: return stream
            case .refused(let code, let reason): throw Self.error(code, reason, port: port)
            case .waiting: throw PortError.noAnswer
            }
        } catch {
            forget(stream)
            stream.end(.closed)
            // The computer may open it yet.
            if error as? PortError == .noAnswer || error is CancellationError { tell(.closed, of: stream) }
            throw error
        }
    }

    /// Tells the computer that a connection was cut here. In a task of its own: the connection's is cancelled by then.
    private func tell(_ reason: PortReset, of stream: PortStream) {
        tasks.add { [computer] in
            // A session that is over tells nothing any more, and need not.
            try? await computer.sendFrame?(PortFrame(stream.id, offset: 0, .reset(reason)).bytes)
        }
    }

    private static func error(_ code: Int, _ reason: String, port: Int) -> any Error {
        switch code {
        case FailureCode.notFound: PortError.nothingListens(port: port)
        case FailureCode.notAllowed: PortError.notAllowed(port: port)
        default: RemoteFailure(code: code, message: reason)
        }
    }

    /// Moves bytes between a connection of this machine and the computer until it is over.
    package func run(_ stream: PortStream, _ local: any PortEnd) async {
        defer { forget(stream) }
        let cut = await stream.run(local) { [computer] frame in try await computer.sendFrame?(frame.bytes) }
        if let cut, cut.isOwn { tell(cut.reason, of: stream) }
    }

    private func forget(_ stream: PortStream) {
        state.withLock { state in
            guard state.streams.removeValue(forKey: stream.id.number) != nil else { return }
            state.held[stream.id.number] = nil
            let counts = stream.counts
            state.past[stream.port, default: PortStream.Counts()].arrived += counts.arrived
            state.past[stream.port, default: PortStream.Counts()].sent += counts.sent
        }
    }

    /// Holds what is idle, so that only connections of a phone that is gone end at the computer; and gives up a computer that is away too long.
    private func look() {
        let now = time.now
        let (holding, isGivenUp) = state.withLock { state -> ([PortStream], Bool) in
            if let since = state.awaySince { return ([], now - since >= PortLimits.away) }
            let idle = state.streams.filter { number, stream in
                now - max(stream.touchedAt, state.held[number] ?? stream.touchedAt) >= PortLimits.hold
            }
            for number in idle.keys { state.held[number] = now }
            return (Array(idle.values), false)
        }
        if isGivenUp { endAll(.away) }
        for stream in holding {
            tasks.add { [computer] in
                // A session that is over holds nothing any more.
                try? await computer.sendFrame?(stream.holding.bytes)
            }
        }
    }

    private func endAll(_ reason: PortReset) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.end(reason) }
    }

    // MARK: Ports of this machine

    /// The ports that lead to the computer now.
    package var open: [Open] {
        state.withLock { state in
            state.listeners.values.map { listener in
                var counts = state.past[listener.remote] ?? PortStream.Counts()
                let streams = state.streams.values.filter { $0.port == listener.remote }
                for stream in streams {
                    counts.arrived += stream.counts.arrived
                    counts.sent += stream.counts.sent
                }
                var origin: String?
                if case .browsers(let door) = listener.door { origin = door.text }
                return Open(
                    remote: listener.remote,
                    local: listener.local,
                    origin: origin,
                    connections: streams.count,
                    counts: counts
                )
            }.sorted { ($0.remote, $0.local) < ($1.remote, $1.local) }
        }
    }

    /// Listens for every program of this machine, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - port: Of this machine; 0 for any.
    ///   - listening: Told the port.
    /// - Returns: Why it ended.
    package func forward(
        _ remote: Int,
        from port: Int,
        _ listening: @Sendable (_ local: Int) async throws -> Void
    ) async throws -> PortError? {
        let listener = try await listen(remote, port: port) { _ in .programs }
        do {
            try await listening(listener.local)
            let reason = await listener.closed()
            await close(listener, reason ?? .ended(.closed))
            return reason
        } catch {
            await close(listener, .ended(.closed))
            throw error
        }
    }

    /// An address at which a browser of this machine sees a port of the computer, good for one browser and a minute.
    package func enter(_ remote: Int) async throws -> String {
        if let origin = state.withLock({ Self.origin(of: remote, in: $0) }) { return origin.makeEntry() }
        let listener = try await listen(remote, port: 0) { [computer, time] local in
            .browsers(PortOrigin(remote: remote, computer: computer.id, local: local, time: time))
        }
        guard case .browsers(let origin) = listener.door else { throw PortError.notOffered }
        return origin.makeEntry()
    }

    private static func origin(of remote: Int, in state: State) -> PortOrigin? {
        for listener in state.listeners.values where listener.remote == remote {
            if case .browsers(let origin) = listener.door { return origin }
        }
        return nil
    }

    private func listen(
        _ remote: Int,
        port: Int,
        door: @Sendable (Int) -> PortListener.Door
    ) async throws -> PortListener {
        guard PortLimits.ports.contains(remote) else { throw PortError.noPort(Int64(remote)) }
        guard port == 0 || PortLimits.ports.contains(port) else { throw PortError.noPort(Int64(port)) }
        guard computer.sendFrame != nil else { throw PortError.notOffered }
        let id = state.withLock { state in
            defer { state.nextListener += 1 }
            return state.nextListener
        }
        let listener = try await PortListener.open(id: id, remote: remote, port: port, door: door) {
            [weak self] connection, door in
            await self?.serve(connection, remote, door)
            connection.close(broken: false)
        }
        let isKept = state.withLock { state in
            guard !state.isClosed, state.listeners.count < PortLimits.grants else { return false }
            state.listeners[id] = listener
            return true
        }
        guard isKept else {
            await listener.close(.ended(.closed))
            throw PortError.tooManyPorts(limit: PortLimits.grants)
        }
        changes.send(())
        return listener
    }

    private func serve(_ connection: PortConnection, _ remote: Int, _ door: PortListener.Door) async {
        switch door {
        case .programs:
            guard let stream = try? await connect(to: remote) else { return connection.close(broken: true) }
            await run(stream, connection)
        case .browsers(let origin): await serve(connection, remote, origin)
        }
    }

    private func serve(_ browser: PortConnection, _ remote: Int, _ origin: PortOrigin) async {
        let read = try? await withTimeout(HTTPExchange.headTime, on: time, throwing: PortError.noAnswer) {
            await HTTPExchange.head(from: browser)
        }
        guard let (head, rest) = read ?? nil else { return }
        guard let head else { return await browser.answer(400, "Bad Request", "The request could not be read.") }
        switch origin.decide(head) {
        case .refuse(let status, let phrase, let sentence): await browser.answer(status, phrase, sentence)
        case .enter(let cookie):
            // Not a redirect: a browser that comes from another site shows a strict cookie only to what this page itself leads to.
            await browser.answer(
                200,
                "OK",
                """
                <!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">\
                <title>localhost:\(remote)</title><a href="/">localhost:\(remote)</a>
                """,
                fields: "Set-Cookie: \(cookie)\r\n",
                type: "text/html"
            )
        case .pass(let request, let body):
            do {
                let stream = try await connect(to: remote)
                let exchange = HTTPExchange(request, body, rest: rest, browser: browser, origin: origin)
                await run(stream, exchange)
                if !exchange.hasAnswered {
                    await browser.answer(502, "Bad Gateway", "The program on the computer gave no answer.")
                }
            } catch {
                await browser.answer(502, "Bad Gateway", "\(error)")
            }
        }
    }

    /// Closes the ports of this machine that lead to one of the computer, or all that browsers use.
    ///
    /// - Parameter remote: Nil for all of browsers.
    /// - Returns: How many there were.
    @discardableResult
    package func close(_ remote: Int?) async -> Int {
        let closing = state.withLock { state in
            state.listeners.values.filter { listener in
                if let remote { return listener.remote == remote }
                if case .browsers = listener.door { return true }
                return false
            }
        }
        for listener in closing { await close(listener, .ended(.closed)) }
        return closing.count
    }

    private func close(_ listener: PortListener, _ reason: PortError) async {
        let isOurs = state.withLock { $0.listeners.removeValue(forKey: listener.id) != nil }
        // Its connections are its tasks.
        await listener.close(reason)
        if isOurs { changes.send(()) }
    }

    private func closeAll(_ reason: (PortListener) -> PortError, where isMeant: (PortListener) -> Bool) async {
        for listener in state.withLock({ Array($0.listeners.values) }) where isMeant(listener) {
            await close(listener, reason(listener))
        }
    }

    // MARK: The computer

    package var frameBytes: Set<UInt8> { [PortFrame.firstByte] }

    package func receive(frame bytes: [UInt8]) async {
        guard let frame = PortFrame(bytes) else { return }
        let stream = state.withLock { frame.stream.instance == instance ? $0.streams[frame.stream.number] : nil }
        if let stream { return stream.take(frame) }
        guard case .data = frame.content,
            state.withLock({ state in
                defer { state.isAnswering = true }
                return !state.isAnswering
            })
        else { return }
        // One at a time, however many come: each of them says the same.
        tasks.add { [weak self, computer] in
            try? await computer.sendFrame?(PortFrame(frame.stream, offset: 0, .reset(.unknownStream)).bytes)
            self?.state.withLock { $0.isAnswering = false }
        }
    }

    package func receive(_ event: RemoteEvent, number: UInt64?) async {
        guard event.isOf(.portsChanged) else { return }
        if let list = event.members["ports"]?.arrayValue {
            let ports = Set(list.prefix(PortLimits.grants).compactMap { $0.integerValue.flatMap(Int.init(exactly:)) })
            // Not waited for: the next messages are read meanwhile.
            tasks.add { [weak self] in
                await self?.closeAll({ .notAllowed(port: $0.remote) }, where: { !ports.contains($0.remote) })
            }
        }
        changes.send(())
    }

    package func reached() async { state.withLock { $0.awaySince = nil } }

    package func lost() async { state.withLock { $0.awaySince = $0.awaySince ?? time.now } }

    package func restarted() async { endAll(.unknownStream) }

    package func allowed(_ rights: Set<Right>) async {
        changes.send(())
        guard !rights.contains(.portsOpen) else { return }
        endAll(.notAllowed)
        await closeAll({ .notAllowed(port: $0.remote) }, where: { _ in true })
    }

    package func close() async {
        state.withLock { $0.isClosed = true }
        await closeAll({ _ in .ended(.closed) }, where: { _ in true })
        endAll(.closed)
        await tasks.end()
    }
}
