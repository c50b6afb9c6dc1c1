import Foundation
public import Kernel
import NIOCore
import NIOPosix

/// Asks the process that owns a state folder. It starts nothing by itself.
public struct ControlClient: ControlCaller {
    /// How long a role that runs may take to say who it is.
    private static let patience: Duration = .seconds(2)
    /// Before each further try where the role's queue of connections is full: two seconds in all.
    private static let pauses = [10, 20, 40, 80, 150, 300, 400, 500, 500].map { (pause: Int) -> Duration in
        .milliseconds(pause)
    }

    private let folder: StateFolder
    private let role: String
    private let time: any TimeSource

    /// - Parameter role: The role the person would start on this folder, for the error when nothing runs there.
    public init(folder: StateFolder, role: String, time: any TimeSource = .system) {
        self.folder = folder
        self.role = role
        self.time = time
    }

    /// - Parameter onItem: Called for each item the other side reports before its result.
    /// - Throws: ``ControlError``; `CancellationError`, which also ends the work at the other side.
    public func call(
        _ method: String,
        _ params: JSONValue = .object([:]),
        onItem: @escaping ControlRoute.Report = { _ in }
    ) async throws -> JSONValue {
        try await connected { lines, out in
            try await out.write(Self.encode(.request(ControlRequest(id: 1, method: method, params: params))))
            return try await Self.result(lines, onItem)
        }
    }

    /// Asks a declared method, and does not wait for a role that is stopped: its socket takes connections all the same.
    ///
    /// - Parameter limit: How long the answer may take until the role is asked whether it answers at all. One that does is
    ///   waited for so long again: a large answer comes in pieces, each of which may take that time.
    /// - Throws: Also ``ControlError/notAnswering(folder:)``.
    public func call<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        _ parameters: Parameters,
        within limit: Duration
    ) async throws -> Answer {
        let name = method.name
        let params = try JSONValue(encoding: parameters)
        let firstDeadline = time.now + limit
        let answer = try await withThrowingTaskGroup(of: JSONValue.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.call(name, params) }
            group.addTask {
                try await time.sleep(until: firstDeadline, tolerance: nil)
                while true {
                    try await expectLife()
                    try await time.sleep(for: limit)
                }
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
        return try answer.controlAnswer()
    }

    /// - Throws: ``ControlError/notAnswering(folder:)`` unless the role says anything.
    private func expectLife() async throws {
        let failure = ControlError.notAnswering(folder: folder.url.path)
        do {
            _ = try await withTimeout(Self.patience, on: time, throwing: failure) { try await call("status") }
        } catch ControlError.refused {
            // An answer, too.
        }
    }

    /// Like ``call(_:_:onItem:)``, for a command that sends input while it runs. The end of the input does not end the command; the result does.
    public func call<Input: AsyncSequence & Sendable>(
        _ method: String,
        _ params: JSONValue = .object([:]),
        input: Input,
        onItem: @escaping ControlRoute.Report
    ) async throws -> JSONValue where Input.Element == JSONValue {
        try await connected { lines, out in
            try await out.write(Self.encode(.request(ControlRequest(id: 1, method: method, params: params))))
            return try await withThrowingTaskGroup(of: JSONValue?.self) { group in
                group.addTask { try await Self.result(lines, onItem) }
                group.addTask {
                    for try await value in input { try await out.write(Self.encode(.input(id: 1, value))) }
                    try await out.write(Self.encode(.endOfInput(id: 1)))
                    return nil
                }
                defer { group.cancelAll() }
                while let outcome = try await group.next() {
                    if let outcome { return outcome }
                }
                throw ControlError.connectionLost
            }
        }
    }

    private func connected(
        _ body: (
            NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) async throws -> JSONValue
    ) async throws -> JSONValue {
        let connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        do {
            connection = try await patientConnection()
        } catch let error as IOError {
            throw failure(error.errnoCode)
        }
        return try await connection.executeThenClose(body)
    }

    /// A role that many ask at once has a full queue for a moment.
    private func patientConnection() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        for pause in Self.pauses {
            do {
                return try await Self.connect(folder)
            } catch let error as IOError where error.errnoCode == EAGAIN {
                try await time.sleep(for: pause)
            }
        }
        return try await Self.connect(folder)
    }

    /// - Parameter code: Why the system made no connection.
    private func failure(_ code: CInt) -> ControlError {
        let path = folder.url.path
        switch code {
        // No socket, or one that a killed process left behind.
        case ENOENT, ECONNREFUSED: return .notRunning(role: role, folder: path)
        case EACCES: return .otherUser(folder: path)
        // The role's queue is full, and it accepts no connection from it.
        case EAGAIN: return .notAnswering(folder: path)
        default:
            return .cannotConnect(folder: path, reason: String(cString: strerror(code)).lowercased())
        }
    }

    private static func result(
        _ lines: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ onItem: @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        for try await line in lines {
            switch try ControlAnswer(parsing: line.readableBytesView) {
            case .item(_, let value): try await onItem(value)
            case .result(_, let value): return value
            case .failure(_, let message): throw ControlError.refused(message)
            }
        }
        throw ControlError.connectionLost
    }

    private static func encode(_ asked: ControlAsk) -> ByteBuffer {
        var line = ByteBuffer(bytes: asked.bytes)
        line.writeInteger(UInt8(ascii: "\n"))
        return line
    }

    static func connect(_ folder: StateFolder) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let path = folder.controlSocketURL.path
        guard path.utf8.count <= 107 else { throw ControlError.pathTooLong(path) }
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
    }
}
