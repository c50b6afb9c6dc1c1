import Foundation
public import Kernel
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle

/// Answers the methods of a running role on its control socket.
public protocol ControlHandler: Sendable {
    /// - Parameters:
    ///   - report: Sends one item of progress or of a followed list; it throws once the asker has gone.
    ///   - input: The input of a command that sends more after its request, such as keys typed into a terminal: in order; it waits while it is
    ///     not read. Ends with the command's connection.
    /// - Throws: Any error; its description is shown to the person who typed the command.
    func handle(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue
}

extension ControlHandler {
    /// Answers a caller that sends no input.
    public func handle(
        _ request: ControlRequest,
        report: @escaping @Sendable (JSONValue) async throws -> Void = { _ in }
    ) async throws -> JSONValue {
        try await handle(request, input: .none, report: report)
    }
}

/// Answers commands on the Unix socket inside a state folder, which only its owner can reach.
public struct ControlServer: Service {
    /// Connections served at once; more wait in the system's queue.
    private static let backlog = 16

    private let folder: StateFolder
    private let handler: any ControlHandler
    private let logger: Logger
    private let listens = LatestValue(false)

    public init(folder: StateFolder, handler: any ControlHandler, logger: Logger) {
        self.folder = folder
        self.handler = handler
        self.logger = logger
    }

    /// Returns once commands are taken, or when this is cancelled.
    public func listening() async { for await listens in listens.values() where listens { return } }

    /// - Throws: ``ControlError/pathTooLong(_:)`` from 108 bytes on; what the system says when the socket cannot be made.
    public func run() async throws {
        let path = folder.controlSocketURL.path
        guard path.utf8.count <= 107 else { throw ControlError.pathTooLong(path) }
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: Int32(Self.backlog))
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
                    return try AcceptedConnection(channel)
                }
            }
        // The folder is its owner's only; the mode on the socket says so again.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        listens.set(true)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask { await serve(connection) }
                    }
                    group.cancelAll()
                }
            }
        } onCancelOrGracefulShutdown: {
            server.channel.close(promise: nil)
        }
    }

    private func serve(_ connection: AcceptedConnection) async {
        do {
            try await connection.serve { lines, out in
                let inputs = ControlInputs()
                // A connection that ends cancels what it asked for.
                try await withThrowingDiscardingTaskGroup { group in
                    for try await line in lines {
                        let asked: ControlAsk
                        do {
                            asked = try ControlAsk(parsing: line.readableBytesView)
                        } catch {
                            try await out.write(
                                Self.encode(.failure(id: 0, message: "The command is not a JSON object."))
                            )
                            continue
                        }
                        switch asked {
                        case .request(let request):
                            let input = inputs.open(request.id)
                            group.addTask {
                                defer { inputs.close(request.id, input) }
                                try await answer(request, input: input, on: out)
                            }
                        case .input(let id, let value): await inputs.send(value, to: id)
                        case .endOfInput(let id): inputs.finish(id)
                        }
                    }
                    group.cancelAll()
                }
            }
        } catch {
            logger.debug("control connection ended", metadata: ["reason": "\(error)"])
        }
    }

    private func answer(
        _ request: ControlRequest,
        input: ControlInput,
        on out: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        let answer: ControlAnswer
        do {
            let result = try await handler.handle(request, input: input) { item in
                try await out.write(Self.encode(.item(id: request.id, item)))
            }
            answer = .result(id: request.id, result)
        } catch is CancellationError {
            return
        } catch {
            answer = .failure(id: request.id, message: "\(error)")
        }
        try await out.write(Self.encode(answer))
    }

    private static func encode(_ answer: ControlAnswer) -> ByteBuffer {
        var buffer = ByteBuffer(bytes: answer.bytes)
        buffer.writeInteger(UInt8(ascii: "\n"))
        return buffer
    }
}
