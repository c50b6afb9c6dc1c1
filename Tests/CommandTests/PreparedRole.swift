import Control
import Foundation
import Kernel
import Logging
import Synchronization

/// A running role whose answers a test has prepared. It keeps what it was asked.
final class PreparedRole: ControlHandler {
    typealias Answer = @Sendable (ControlRequest) throws -> JSONValue

    private let answer: Answer
    /// Reported before each answer.
    private let items: [JSONValue]
    /// Whether it answers only once it was told something more.
    private let awaitsInput: Bool
    private let kept = Mutex<[ControlRequest]>([])
    private let told = Mutex<[JSONValue]>([])

    private init(_ answer: @escaping Answer, _ items: [JSONValue], awaitsInput: Bool) {
        self.answer = answer
        self.items = items
        self.awaitsInput = awaitsInput
    }

    var requests: [ControlRequest] { kept.withLock(\.self) }
    var inputs: [JSONValue] { told.withLock(\.self) }

    func handle(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        kept.withLock { $0.append(request) }
        for item in items { try await report(item) }
        if awaitsInput {
            for await value in input {
                told.withLock { $0.append(value) }
                break
            }
        }
        return try answer(request)
    }

    /// Runs `body` beside a role on a state folder of its own, or at `url`.
    ///
    /// - Parameter body: Gets the folder's path, as it is typed after `--state`.
    static func run<Value: Sendable>(
        _ answer: @escaping Answer,
        at url: URL? = nil,
        reporting items: [JSONValue] = [],
        awaitingInput: Bool = false,
        _ body: @escaping @Sendable (_ state: String, _ role: PreparedRole) async throws -> Value
    ) async throws -> Value {
        let url = url ?? FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        let role = PreparedRole(answer, items, awaitsInput: awaitingInput)
        let server = ControlServer(folder: folder, handler: role, logger: Logger(label: "test"))
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await server.run()
                return nil
            }
            group.addTask {
                await server.listening()
                return try await body(folder.url.path, role)
            }
            guard let first = try await group.next(), let value = first else { throw CancellationError() }
            return value
        }
    }
}
