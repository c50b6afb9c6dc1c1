import Accounts
import AccountsHub
import AsyncAlgorithms
import Chat
import Kernel
import Logging
import Synchronization
import Transport

/// `/chat/export`: everything that the hub keeps of the asker's conversations, as lines of JSON. The last line says how many there were, so that a
/// file that broke off is known.
struct ExportRoutes: Sendable {
    static let path = "/chat/export"
    /// Exports of all people at a time.
    private static let width = 4
    private static let duration: Duration = .seconds(3600)
    /// Bytes of a request, whose members do not matter.
    private static let bodyLimit = 4096

    let service: ChatService
    let accounts: Accounts
    let logger: Logger
    private let running = Running()

    init(service: ChatService, accounts: Accounts, logger: Logger) {
        self.service = service
        self.accounts = accounts
        self.logger = logger
    }

    /// The people whose exports are under way.
    private final class Running: Sendable {
        private let people = Mutex<Set<UserID>>([])

        func enter(_ person: UserID) -> Bool {
            people.withLock { $0.count < ExportRoutes.width && $0.insert(person).inserted }
        }

        func leave(_ person: UserID) { _ = people.withLock { $0.remove(person) } }
    }

    /// - Throws: `RouteError`.
    func routes() throws -> [HTTPRoute] {
        try [.get, .post].map { method in
            try HTTPRoute(method, Self.path, maximumBodyBytes: Self.bodyLimit, duration: Self.duration) { request, _ in
                switch await accounts.asker(of: request) {
                case .success(let asker): return response(to: asker)
                case .failure(let error): return .im(IMRefusal(error).failure)
                }
            }
        }
    }

    private func response(to asker: Asker) -> HTTPRouteResponse {
        guard running.enter(asker.person) else {
            let refusal = IMRefusal(ChatHubError.exportUnderWay)
            return .im(refusal.failure, retryAfter: refusal.retryAfter)
        }
        let body = ExportBody { [service] write in
            try await service.export(of: asker.person, to: write)
        } ended: { [running, logger] error in
            running.leave(asker.person)
            if let error { logger.notice("an export broke off", metadata: ["reason": "\(error)"]) }
        }
        return HTTPRouteResponse(
            status: 200,
            fields: [
                ("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store"),
                ("Content-Disposition", "attachment; filename=chats.jsonl"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: .pieces(length: nil) { try await body.next() }
        )
    }
}

/// Lines as they are made, a piece at a time: the next is made when the one before was taken. It ends with its last line, or when nobody holds it
/// any more.
private final class ExportBody: Sendable {
    private static let pieceSize = 64 << 10

    private let pieces: AsyncThrowingChannel<[UInt8], any Error>
    private let task: Task<Void, Never>

    init(
        _ export: @escaping @Sendable (_ write: (_ line: [UInt8]) async throws -> Void) async throws -> Void,
        ended: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let pieces = AsyncThrowingChannel<[UInt8], any Error>()
        self.pieces = pieces
        task = Task {
            do {
                var piece: [UInt8] = []
                var count: Int64 = 0
                try await export { line in
                    try Task.checkCancellation()
                    piece += line
                    count += 1
                    guard piece.count >= Self.pieceSize else { return }
                    await pieces.send(piece)
                    piece = []
                }
                let end: JSONValue = ["kind": "end", "lines": .integer(count)]
                await pieces.send(piece + end.canonicalBytes + [0x0A])
                // Before the reader learns of the end: who then asks again at once is not refused for this one.
                ended(nil)
                pieces.finish()
            } catch {
                ended(error is CancellationError ? nil : error)
                pieces.fail(error)
            }
        }
    }

    deinit { task.cancel() }

    func next() async throws -> [UInt8]? {
        var iterator = pieces.makeAsyncIterator()
        return try await iterator.next()
    }
}
