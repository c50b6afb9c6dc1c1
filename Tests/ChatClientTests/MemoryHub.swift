import Accounts
import Blobs
import Capabilities
import Chat
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Principals
import Storage
import Testing

@testable import AccountsHub
@testable import ChatHub

/// A real hub's conversations in this process, over a database in memory, asked as its routes ask it.
final class MemoryHub: Sendable {
    let service: ChatService
    let accounts: Accounts
    let clock: ManualClock
    /// Says of messages what a hub says of their files. No file is here.
    let media: ShownMedia
    private let folder: URL
    private let requests: [String: ServedRequest]

    /// - Parameter strangersAsk: Whether a first message is a request.
    init(strangersAsk: Bool = false) throws {
        let clock = ManualClock()
        let logger = Logger(label: "hub-test", factory: { _ in SwiftLogNoOpLogHandler() })
        let stores = FeatureStores(nil, shared: try StateDatabase.inMemory(schema: []))
        let context = FeatureContext(
            storage: try stores.storage(
                of: "chat",
                own: AccountTables.migrations + BlobStore.migrations + ChatSchema.migrations
                    + ThumbnailTable.migrations
            ),
            version: "1",
            time: clock,
            logger: logger
        )
        var settings = ChatHubSettings()
        settings.strangersAsk = strangersAsk
        settings.messageBurst = 1_000_000
        accounts = try Accounts(
            context,
            policy: AccountsPolicy(
                admission: .anybody,
                scrypt: ScryptParameters(exponent: 4, blockSize: 1, parallelism: 1)
            )
        )
        service = try ChatService(
            context.database,
            objects: NoObjects(),
            settings: settings,
            dependencies: ChatService.Dependencies(
                isAccount: { $0.number < 100 },
                time: clock,
                logger: logger
            )
        )
        self.clock = clock
        folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        media = ShownMedia(
            signer: AddressSigner(try AddressKeys(folder, time: clock), time: clock),
            thumbnails: Thumbnails(context.database, encoder: nil, time: clock, logger: logger),
            base: settings.address
        )
        let served = ChatRequests(service: service, accounts: accounts, media: media, webhook: nil).all
        requests = Dictionary(uniqueKeysWithValues: served.map { ($0.path, $0) })
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)  // a left-over in the temporary folder harms nobody
    }

    func asker(_ person: UserID, _ device: String) -> Asker {
        Asker(
            person: person,
            platform: .android,
            session: device,
            principal: .stranger(claiming: device)
        )
    }

    /// Answers as over the wire: request and answer are written and read.
    ///
    /// - Throws: ``ChatError/refused(_:)``.
    func ask<Request: ChatWire, Answer: ChatWire>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ request: Request,
        by asker: Asker
    ) async throws(ChatError) -> Answer {
        guard let served = requests[endpoint.path] else { throw .refused(.notFound) }
        let answer: JSONValue
        do {
            answer = try await served.answer(request.wire, asker)
        } catch {
            throw .refused(IMRefusal(error).failure.code)
        }
        return try Answer(wire: answer)
    }

    /// Everything that a person sees of a conversation, the oldest first.
    func truth(_ id: ConversationID, for person: UserID) async throws -> [StoredMessage] {
        var all: [StoredMessage] = []
        var before: Int64?
        while true {
            let page = try await service.history(of: id, before: before, count: 200, for: asker(person, "truth").chat)
            all = page.messages.reversed() + all
            guard !page.isEnd, let first = page.messages.last?.seq else { return all }
            before = first
        }
    }

    func summary(_ id: ConversationID, for person: UserID) async throws -> ConversationSummary {
        try await service.conversation(id, for: asker(person, "truth").chat)
    }

    /// The newest place; 0 for a conversation that nothing was written in.
    func newest(_ id: ConversationID, for person: UserID) async throws -> Int64 {
        try await service.seqs(for: asker(person, "truth").chat).first { $0.conversation == id }?.maxSeq ?? 0
    }

    func sends(_ person: UserID, _ text: String, in id: ConversationID, as client: String) async throws {
        _ = try await ask(
            ChatEndpoints.send,
            SendMessage(to: .conversation(id), .text(text), clientMessageID: client),
            by: asker(person, "elsewhere")
        )
    }
}

/// Messages of these tests refer to no objects, or to any.
private struct NoObjects: ObjectReferences {
    func retain(_ objectKey: String, uploadedBy person: UserID, isViewOnce: Bool, in database: Database) throws {}

    func release(_ objectKey: String, in database: Database) throws {}
}
