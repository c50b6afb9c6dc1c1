import Commands
import Control
import Feed
import Kernel
import Synchronization
import Transport

/// One page's connection: events of the role, and the methods that the page follows.
final class EventSocket: Sendable {
    static let followLimit = 128
    /// Messages of a page that may wait for a followed method that does not take them yet.
    static let inputLimit = 256
    static let messageBytes = 8 << 20

    private struct Follow {
        let task: Task<Void, Never>
        let input: AsyncStream<JSONValue>.Continuation
    }

    private let socket: any WebSocketPeer
    private let control: ControlTable
    private let log: EventLog
    private let before: @Sendable (_ method: String, _ params: JSONValue) async throws -> Void
    private let describe: @Sendable (_ error: any Error, _ method: String, _ params: JSONValue) -> FailureReport
    private let follows = Mutex<[Int64: Follow]>([:])

    init(
        _ socket: any WebSocketPeer,
        control: ControlTable,
        log: EventLog,
        before: @escaping @Sendable (_ method: String, _ params: JSONValue) async throws -> Void = { _, _ in },
        describe: @escaping @Sendable (_ error: any Error, _ method: String, _ params: JSONValue) -> FailureReport
    ) {
        self.socket = socket
        self.control = control
        self.log = log
        self.before = before
        self.describe = describe
    }

    /// Serves until the page has gone.
    ///
    /// - Parameters:
    ///   - epoch: Of the log that the page read before; nil at its first connection.
    ///   - number: The newest event that it has.
    func run(epoch: String?, after number: UInt64?) async throws {
        var start = log.number
        var isReset = true
        if epoch == log.epoch, let number, case .changes = log.news(after: number) {
            (start, isReset) = (number, false)
        }
        let hello: JSONValue = [
            "epoch": .string(log.epoch), "seq": .integer(Int64(start)), "reset": .bool(isReset),
        ]
        try await send(hello)
        do {
            try await converse(after: start)
        } catch {
            await endFollows()
            throw error
        }
        await endFollows()
    }

    private func converse(after start: UInt64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.tell(after: start) }
            group.addTask { try await self.listen() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func tell(after start: UInt64) async throws {
        var number = start
        for await newest in log.numbers() where newest > number {
            switch log.news(after: number) {
            case .changes(let events):
                for event in events {
                    try await socket.send(text: event.change)
                    number = event.number
                }
            case .gap(let next):
                number = next
                try await send(["epoch": .string(log.epoch), "seq": .integer(Int64(next)), "reset": true])
            }
        }
    }

    private func listen() async throws {
        for await message in socket.messages {
            guard case .text(let bytes) = message, let value = try? JSONValue(parsing: bytes) else {
                throw PageError.malformedRequest("a JSON object")
            }
            if let number = value["follow"]?.integerValue {
                try await begin(number, value)
            } else if let number = value["input"]?.integerValue {
                try await tell(follow: number, value["value"] ?? .null)
            } else if let number = value["end"]?.integerValue {
                follows.withLock { $0[number] }?.input.finish()
            } else if let number = value["cancel"]?.integerValue {
                follows.withLock { $0.removeValue(forKey: number) }?.task.cancel()
            } else if let number = value["ping"] {
                try await send(["pong": number])
            } else {
                throw PageError.malformedRequest("follow, input, end, cancel or ping")
            }
        }
    }

    // MARK: Follows

    private func begin(_ number: Int64, _ value: JSONValue) async throws {
        guard let method = value["method"]?.stringValue else {
            return try await send(.failed(number, FailureReport(PageError.malformedRequest("the name of a method"))))
        }
        let params = value["params"] ?? .object([:])
        let (values, input) = AsyncStream.makeStream(
            of: JSONValue.self,
            bufferingPolicy: .bufferingOldest(Self.inputLimit)
        )
        let isBegun = follows.withLock { follows in
            guard follows.count < Self.followLimit, follows[number] == nil else { return false }
            // Cancelled by the page, by its end, or by the end of its connection.
            let task = Task { await self.follow(number, method, params, values) }
            follows[number] = Follow(task: task, input: input)
            return true
        }
        guard isBegun else {
            let isTaken = follows.withLock { $0[number] != nil }
            let error: PageError =
                isTaken ? .malformedRequest("a number that is not in use") : .tooManyFollows(limit: Self.followLimit)
            return try await send(.failed(number, FailureReport(error)))
        }
    }

    private func tell(follow number: Int64, _ value: JSONValue) async throws {
        guard let follow = follows.withLock({ $0[number] }) else { return }  // its result is on its way
        guard case .dropped = follow.input.yield(value) else { return }
        // Nothing of what was typed may be left out: the method ends, with a word about why.
        follows.withLock { _ = $0.removeValue(forKey: number) }
        follow.task.cancel()
        try await send(.failed(number, FailureReport(PageError.inputNotTaken)))
    }

    private func follow(
        _ number: Int64,
        _ method: String,
        _ params: JSONValue,
        _ values: AsyncStream<JSONValue>
    ) async {
        let inputs = ControlInputs()
        let input = inputs.open(0)
        let answer: JSONValue
        do {
            answer = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
                group.addTask {
                    for await value in values { await inputs.send(value, to: 0) }
                    inputs.finish(0)
                    return nil
                }
                group.addTask {
                    defer { inputs.close(0, input) }
                    try await self.before(method, params)
                    let request = ControlRequest(id: 0, method: method, params: params)
                    let result = try await self.control.handle(request, input: input) { item in
                        try await self.send(["follow": .integer(number), "item": item])
                    }
                    return ["follow": .integer(number), "result": result]
                }
                defer { group.cancelAll() }
                while let outcome = try await group.next() {
                    if let outcome { return outcome }
                }
                throw CancellationError()
            }
        } catch {
            guard !Task.isCancelled else { return }
            answer = .failed(number, describe(error, method, params))
        }
        guard !Task.isCancelled else { return }
        // Before the answer: its number may be used again at once.
        follows.withLock { _ = $0.removeValue(forKey: number) }
        // A page that has gone needs no answer.
        try? await send(answer)
    }

    private func endFollows() async {
        let open = follows.withLock { follows in
            defer { follows = [:] }
            return Array(follows.values)
        }
        for follow in open {
            follow.task.cancel()
            follow.input.finish()
        }
        for follow in open { await follow.task.value }
    }

    private func send(_ value: JSONValue) async throws { try await socket.send(text: value.canonicalBytes) }
}

extension JSONValue {
    fileprivate static func failed(_ number: Int64, _ failure: FailureReport) -> JSONValue {
        ["follow": .integer(number), "error": failure.json]
    }
}
