import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import Storage
import Synchronization
import Testing

/// The stores that the tests of ``MessageLog`` run against. Another store is another case.
enum StoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
    case memory, file

    var testDescription: String {
        switch self {
        case .memory: "SQLite in memory"
        case .file: "SQLite in a file"
        }
    }

    func make() throws -> StoreUnderTest {
        switch self {
        case .memory: try StoreUnderTest(StateDatabase.inMemory(schema: StoreUnderTest.schema), folder: nil)
        case .file: try StoreUnderTest(in: TemporaryFolder())
        }
    }
}

/// A log, what it told, and the objects that messages may refer to.
final class StoreUnderTest: Sendable {
    static let schema: Schema = [ChatSchema.migrations, TestObjects.migrations]

    let database: any DatabaseWriter
    let folder: TemporaryFolder?
    let sqlite: SQLiteMessageLog
    let told: Told
    var log: any MessageLog { sqlite }

    init(_ database: any DatabaseWriter, folder: TemporaryFolder?) throws {
        let told = Told()
        self.database = database
        self.folder = folder
        self.told = told
        // The folder lasts as long as the log, also where a test keeps no more than that.
        sqlite = try SQLiteMessageLog(database, objects: TestObjects()) { [folder] news in
            withExtendedLifetime(folder) { told.add(news) }
        }
    }

    convenience init(in folder: TemporaryFolder) throws {
        try self.init(StateDatabase.open(folder.database, schema: Self.schema), folder: folder)
    }

    /// A person uploads an object.
    func upload(_ key: String, by person: UserID, isViewOnce: Bool = false) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO test_object VALUES (?, ?, ?, 0)",
                arguments: [key, person.number, isViewOnce]
            )
        }
    }

    func references(to key: String) async throws -> Int? {
        try await database.read {
            try Int.fetchOne($0, sql: "SELECT refs FROM test_object WHERE key = ?", arguments: [key])
        }
    }
}

/// What a log told after its commits, in order.
final class Told: Sendable {
    private let news = Mutex(LogNews())

    func add(_ other: LogNews) {
        news.withLock { news in
            news.pushes += other.pushes
            news.notices += other.notices
            news.releasedObjects += other.releasedObjects
        }
    }

    /// Everything since the last call.
    func take() -> LogNews {
        news.withLock { news in
            defer { news = LogNews() }
            return news
        }
    }

    var all: LogNews { news.withLock(\.self) }
}

/// Objects in a table beside the log's.
struct TestObjects: ObjectReferences {
    static let migrations = [
        Migration(
            "testobjects-1",
            sql: """
                CREATE TABLE test_object (
                    key TEXT PRIMARY KEY, owner INTEGER NOT NULL, isViewOnce INTEGER NOT NULL, refs INTEGER NOT NULL
                )
                """
        )
    ]

    func retain(_ objectKey: String, uploadedBy person: UserID, isViewOnce: Bool, in database: Database) throws {
        try database.execute(
            sql: "UPDATE test_object SET refs = refs + 1 WHERE key = ? AND owner = ? AND isViewOnce = ?",
            arguments: [objectKey, person.number, isViewOnce]
        )
        guard database.changesCount == 1 else { throw ChatHubError.unknownObject }
    }

    func release(_ objectKey: String, in database: Database) throws {
        try database.execute(sql: "UPDATE test_object SET refs = refs - 1 WHERE key = ?", arguments: [objectKey])
    }
}

/// A folder that goes with its owner.
final class TemporaryFolder: Sendable {
    let url: URL
    var database: URL { url.appending(path: "chat.sqlite") }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "chat-hub-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }  // the system clears the rest

    /// Whether a text stands anywhere in the files of the database, its log included.
    func holds(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil).contains { file in
            try Data(contentsOf: file).range(of: Data(text.utf8)) != nil
        }
    }
}

// MARK: People and messages

func person(_ number: Int64) throws -> UserID { try #require(UserID(number)) }

func chat(_ one: Int64, _ other: Int64) throws -> ConversationID {
    try #require(ConversationID(person(one), person(other)))
}

/// A time to begin at, in milliseconds.
let start: Int64 = 1_790_000_000_000

extension MessageDraft {
    static func text(
        _ words: String,
        id: String,
        from sender: Int64,
        to receiver: Int64,
        pushText: String = ""
    ) throws -> MessageDraft {
        try make(words, .text, id: id, from: sender, to: receiver, pushText: pushText)
    }

    static func make(
        _ content: String,
        _ kind: MessageFacts.Kind,
        id: String,
        from sender: Int64,
        to receiver: Int64,
        keys: [String] = [],
        shown: String? = nil,
        pushText: String = ""
    ) throws -> MessageDraft {
        MessageDraft(
            conversation: try chat(sender, receiver),
            sender: try person(sender),
            device: "device-\(sender)",
            clientMessageID: id,
            contentType: kind == .text ? 101 : 110,
            content: Array(content.utf8),
            facts: MessageFacts(
                kind,
                objectKeys: keys,
                shownContent: shown.map { Array($0.utf8) },
                pushText: pushText
            )
        )
    }
}

extension SendRules {
    /// Everybody may write to everybody.
    static var open: SendRules {
        var rules = SendRules()
        rules.strangersAsk = false
        return rules
    }
}

extension MessageLog {
    /// Sends a text in an open conversation.
    @discardableResult
    func say(
        _ words: String,
        id: String = UUID().uuidString,
        from sender: Int64,
        to receiver: Int64,
        at now: Int64 = start
    ) async throws -> MessageAck {
        try await append(.text(words, id: id, from: sender, to: receiver), rules: .open, at: now)
    }

    /// All that a person sees of a conversation, oldest first.
    func all(_ one: Int64, _ other: Int64, for reader: Int64) async throws -> [StoredMessage] {
        try await messages(
            in: chat(one, other),
            for: person(reader),
            range: 1...Int64.max,
            newestFirst: false,
            limit: PageLimit(count: 10_000, bytes: .max)
        ).messages
    }

    func unread(_ one: Int64, _ other: Int64, for reader: Int64) async throws -> Int {
        try await summary(of: chat(one, other), for: person(reader)).unread
    }
}

extension StoredMessage {
    var words: String { String(decoding: content, as: UTF8.self) }
}
