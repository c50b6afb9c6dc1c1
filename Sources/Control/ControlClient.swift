import Foundation
public import Kernel
import NIOCore
import NIOPosix

/// Asks the process that owns a state folder. It starts nothing by itself.
public struct ControlClient: ControlCaller {
    private let folder: StateFolder
    private let role: String

    /// - Parameter role: The role the person would start on this folder, for the error when nothing runs there.
    public init(folder: StateFolder, role: String) {
        self.folder = folder
        self.role = role
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

    /// The same for a command that goes on telling. Its end does not end the command; the result does.
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
            connection = try await Self.connect(folder)
        } catch let error as ControlError {
            throw error
        } catch let error as IOError where error.errnoCode == EACCES {
            throw ControlError.otherUser(folder: folder.url.path)
        } catch {
            // No socket, or one that a killed process left behind.
            throw ControlError.notRunning(role: role, folder: folder.url.path)
        }
        return try await connection.executeThenClose(body)
    }

    private static func result(
        _ lines: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ onItem: @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        for try await line in lines {
            switch try JSONDecoder().decode(ControlAnswer.self, from: Data(line.readableBytesView)) {
            case .item(_, let value): try await onItem(value)
            case .result(_, let value): return value
            case .failure(_, let message): throw ControlError.refused(message)
            }
        }
        throw ControlError.connectionLost
    }

    private static func encode(_ asked: ControlAsk) throws -> ByteBuffer {
        var line = ByteBuffer(bytes: try JSONEncoder().encode(asked))
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
