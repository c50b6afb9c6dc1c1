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
    private let kept = Mutex<[ControlRequest]>([])

    private init(_ answer: @escaping Answer, _ items: [JSONValue]) {
        self.answer = answer
        self.items = items
    }

    var requests: [ControlRequest] { kept.withLock(\.self) }

    func handle(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        kept.withLock { $0.append(request) }
        for item in items { try await report(item) }
        return try answer(request)
    }

    /// Runs `body` beside a role on a state folder of its own, or at `url`.
    ///
    /// - Parameter body: Gets the folder's path, as it is typed after `--state`.
    static func run<Value: Sendable>(
        _ answer: @escaping Answer,
        at url: URL? = nil,
        reporting items: [JSONValue] = [],
        _ body: @escaping @Sendable (_ state: String, _ role: PreparedRole) async throws -> Value
    ) async throws -> Value {
        let url = url ?? FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        let role = PreparedRole(answer, items)
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
