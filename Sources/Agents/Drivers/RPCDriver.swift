import Foundation
import Kernel

/// A driver whose agent speaks JSON-RPC over its pipes: one program for all threads, started when it is first needed. Starting, asking,
/// reading and ending are the same for all of them; what the messages mean is the driver's.
protocol RPCDriver: AgentDriver {
    /// The purpose of a request: its answer is taken in before anything that follows it.
    associatedtype Call: Sendable

    var context: DriverContext { get }
    var connection: RPCConnection<Call> { get set }
    /// The parameters of `initialize`.
    var greeting: JSONValue { get }
    /// A thread is at work, also where no request of ours waits for an answer.
    var isAtWork: Bool { get }

    /// Takes the answer to `initialize`.
    ///
    /// - Throws: ``AgentError`` for an agent that cannot be talked to.
    func greeted(_ answer: JSONValue) throws

    /// Asks once, or as often as the protocol wants.
    ///
    /// - Throws: ``RPCFailure`` as the agent answered; ``AgentError`` where no answer came.
    func ask(_ method: String, _ parameters: JSONValue, as call: Call?) async throws -> JSONValue

    func answered(_ call: Call, _ result: JSONValue)
    /// - Parameter length: Bytes of the line that it came in.
    func noticed(_ method: String, _ parameters: JSONValue, from program: String, length: Int)
    func asked(_ id: JSONValue, _ method: String, _ parameters: JSONValue, by program: String)

    /// The program is gone, and what it had open with it.
    func lost(_ error: AgentError)
}

/// The program of a driver, and the requests that it has not answered.
struct RPCConnection<Call: Sendable> {
    fileprivate struct Program {
        let id: String
        let process: any AgentProcess
        let reader: Task<Void, Never>
    }

    fileprivate enum Link {
        case down
        case starting(Task<Void, any Error>)
        case up
    }

    /// The programs' readers, and what drivers do beside their callers.
    let tasks = OwnedTasks()
    fileprivate let writer: RPCWriter
    fileprivate var link = Link.down
    fileprivate var program: Program?
    fileprivate var isClosed = false
    fileprivate var calls = PendingCalls<Int64, Call?>()
    fileprivate var lastCall: Int64 = 0
    /// When a person last wanted something of it, or a turn ended.
    var lastUse: ContinuousClock.Instant

    /// - Parameter hasVersion: Whether messages have the member `jsonrpc`.
    init(hasVersion: Bool, now: ContinuousClock.Instant) {
        writer = RPCWriter(hasVersion: hasVersion)
        lastUse = now
    }

    /// The id of the running program, as requests' keys have it; nil where none runs.
    var id: String? { program?.id }

    /// The next request's number.
    mutating func number() -> Int64 {
        lastCall += 1
        return lastCall
    }

    func notify(_ method: String, _ parameters: JSONValue?) {
        _ = program?.process.write(writer.notification(method, parameters))
    }

    func reply(_ id: JSONValue, _ reply: RPCReply) { _ = program?.process.write(writer.reply(id, reply)) }
}

extension RPCDriver {
    var isAtWork: Bool { false }

    // MARK: Starting

    /// Returns once the program runs and was greeted.
    func connect() async throws {
        guard !connection.isClosed else { throw AgentError.closed }
        connection.lastUse = context.time.now
        switch connection.link {
        case .up: return
        case .starting(let task): try await task.value
        case .down:
            let task = Task { try await open() }
            connection.link = .starting(task)
            try await task.value
        }
    }

    private func open() async throws {
        do {
            let process = try await context.launch()
            guard !connection.isClosed else {
                process.kill()
                _ = await process.exit()
                throw AgentError.closed
            }
            let id = UUID.randomText()
            connection.program = .init(id: id, process: process, reader: Task { await read(process, id) })
            let answer = try await request("initialize", greeting)
            guard connection.id == id else { throw connection.isClosed ? AgentError.closed : context.isGone }
            try greeted(answer)
            connection.link = .up
        } catch {
            connection.link = .down
            retire()
            throw error
        }
    }

    // MARK: Ending

    func endIdle() {
        guard case .up = connection.link, connection.calls.isEmpty, !isAtWork,
            connection.id.map(context.board.isAsked) != true,
            context.time.now - connection.lastUse >= DriverContext.idleLimit
        else { return }
        retire()
    }

    /// Ends the program, which is not the one to talk to any more.
    func retire() {
        guard let program = connection.program else { return }
        disconnect(context.isGone)
        program.process.end()
        connection.tasks.add { await program.reader.value }
    }

    private func disconnect(_ error: AgentError) {
        connection.program = nil
        if case .up = connection.link { connection.link = .down }
        lost(error)
        connection.calls.endAll(with: error)
    }

    func end() async {
        connection.isClosed = true
        let program = connection.program
        program?.process.end()
        // A program that is being started ends, too.
        if case .starting(let task) = connection.link { _ = await task.result }
        await program?.reader.value
        await connection.tasks.end()
    }

    // MARK: Asking

    func ask(_ method: String, _ parameters: JSONValue, as call: Call?) async throws -> JSONValue {
        try await send(connection.number(), method, parameters, as: call, within: DriverContext.answerLimit)
    }

    /// Like ``ask(_:_:as:)``, but throws an error for the person that says what the agent's failure means.
    func request(_ method: String, _ parameters: JSONValue, as call: Call? = nil) async throws -> JSONValue {
        do {
            return try await ask(method, parameters, as: call)
        } catch let failure as RPCFailure {
            throw context.explained(failure)
        }
    }

    /// - Parameter limit: Nil for what takes as long as it takes.
    func send(
        _ id: Int64,
        _ method: String,
        _ parameters: JSONValue,
        as call: Call?,
        within limit: Duration?
    ) async throws -> JSONValue {
        guard let program = connection.program else {
            throw connection.isClosed ? AgentError.closed : context.isGone
        }
        let end = limit.map { (limit: $0, deadline: context.time.now + $0) }
        let timer = Task { [weak self, time = context.time] in
            guard let end, await time.pause(until: end.deadline) else { return }
            await self?.expire(id, end.limit)
        }
        return try await withCheckedThrowingContinuation { continuation in
            connection.calls.add(id, call, continuation, timer: timer)
            if !program.process.write(connection.writer.request(id, method, parameters)) {
                connection.calls.end(id, with: .failure(context.died("does not read what it is told", program.process)))
            }
        }
    }

    private func expire(_ id: Int64, _ limit: Duration) {
        connection.calls.end(id, with: .failure(AgentError.timedOut(name: context.program.name, after: limit)))
    }

    /// Sends the person's answer to a request of the program.
    ///
    /// - Throws: ``AgentError`` where the program that asked is gone, or does not read.
    func deliver(_ reply: RPCReply, to key: RequestKey) throws {
        guard let program = connection.program, program.id == key.connection else { throw AgentError.unknownApproval }
        guard program.process.write(connection.writer.reply(key.id, reply)) else {
            throw context.died("does not read what it is told", program.process)
        }
        connection.lastUse = context.time.now
    }

    // MARK: Reading

    private func read(_ process: any AgentProcess, _ id: String) async {
        let output = await AgentOutput.read(process) { take($0, from: id) }
        // Requests of a program that was given up are over, too.
        context.board.withdrawAll(of: id)
        context.note(output, isExpected: connection.isClosed || connection.id != id)
        guard connection.id == id else { return }
        disconnect(connection.isClosed ? .closed : context.died(output.end, process))
    }

    private func take(_ line: [UInt8], from program: String) -> Bool {
        // Lines that a program wrote before it was given up are dropped: its threads are idle, and another one may be at work in them.
        guard connection.id == program else { return true }
        switch RPCMessage(line) {
        case .result(.integer(let id), let result)?:
            if let known = connection.calls.call(id), let call = known { answered(call, result) }
            connection.calls.end(id, with: .success(result))
        case .failure(.integer(let id), let failure)?: connection.calls.end(id, with: .failure(failure))
        case .result?, .failure?: break
        case .notification(let method, let parameters)?:
            noticed(method, parameters, from: program, length: line.count)
        case .request(let id, let method, let parameters)?: asked(id, method, parameters, by: program)
        case nil: return false
        }
        return true
    }
}
