import Foundation
import GRDB
import Kernel
import Testing

@testable import Storage

@Suite("The storage of a role's features", .timeLimit(.minutes(4)))
struct FeatureStoresTests {
    private static let schema: Schema = [[Migration("role-1", sql: "CREATE TABLE role (a INTEGER) STRICT")]]
    private static let own = [Migration("notes-1", sql: "CREATE TABLE note (text TEXT NOT NULL) STRICT")]

    private func withFolder(_ body: (StateFolder) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "fs-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        try body(StateFolder(root))
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test("a feature's folder is its owner's only, and made when it is asked for")
    func folder() throws {
        try withFolder { state in
            let stores = FeatureStores(state, shared: try DatabaseQueue())
            let storage = try stores.storage(of: "notes", own: [])
            #expect(!FileManager.default.fileExists(atPath: state.url.appending(path: "features").path))
            let folder = try storage.folder()
            #expect(folder.path == state.url.appending(path: "features/notes").path)
            #expect(try mode(folder) == 0o700)
            #expect(try mode(folder.deletingLastPathComponent()) == 0o700)
            #expect(try storage.folder() == folder)
        }
    }

    @Test("a folder that cannot be made is named")
    func noFolder() throws {
        try withFolder { state in
            try Data().write(to: state.url.appending(path: "features"))
            let storage = try FeatureStores(state, shared: DatabaseQueue()).storage(of: "notes", own: [])
            #expect {
                try storage.folder()
            } throws: { error in
                "\(error)".contains(state.url.appending(path: "features").path)
            }
        }
    }

    @Test("without tables of its own a feature has the role's database, with some its own, which lasts")
    func databases() throws {
        try withFolder { state in
            let shared = try DatabaseQueue()
            do {
                let stores = FeatureStores(state, shared: shared)
                #expect(try stores.storage(of: "other", own: []).database === shared)
                let database = try stores.storage(of: "notes", own: Self.own).database
                #expect(database !== shared)
                #expect(try stores.storage(of: "notes", own: Self.own).database === database)
                try database.write { try $0.execute(sql: "INSERT INTO note VALUES ('kept')") }
                #expect(stores.own.map(\.url?.lastPathComponent) == ["notes.sqlite"])
                try database.close()
            }
            let again = try FeatureStores(state, shared: shared).storage(of: "notes", own: Self.own).database
            #expect(try again.read { try String.fetchAll($0, sql: "SELECT text FROM note") } == ["kept"])
            #expect(try mode(state.url.appending(path: "features/notes/notes.sqlite")) == 0o600)
        }
    }

    @Test("a database of a newer version is refused by its path, and no other feature with it")
    func newer() throws {
        try withFolder { state in
            let later = Self.own + [Migration("notes-2", sql: "CREATE TABLE more (a INTEGER) STRICT")]
            try FeatureStores(state, shared: DatabaseQueue()).storage(of: "notes", own: later).database.close()
            let stores = FeatureStores(state, shared: try DatabaseQueue())
            let path = state.url.appending(path: "features/notes/notes.sqlite").path
            #expect(throws: StateDatabaseError.newer(path: path, identifiers: ["notes-2"])) {
                try stores.storage(of: "notes", own: Self.own)
            }
            _ = try stores.storage(of: "other", own: Self.own)
        }
    }

    @Test("in memory a role that is made anew finds its features' data, and their folders go with it")
    func memory() throws {
        var folder: URL?
        do {
            let state = try RoleState.inMemory(schema: Self.schema) { _ in "id" }
            let database = try state.features.storage(of: "notes", own: Self.own).database
            try database.write { try $0.execute(sql: "INSERT INTO note VALUES ('kept')") }
            let again = try state.features.storage(of: "notes", own: Self.own)
            #expect(try again.database.read { try String.fetchAll($0, sql: "SELECT text FROM note") } == ["kept"])
            folder = try again.folder()
            #expect(try mode(#require(folder)) == 0o700)
        }
        let path = try #require(folder).path
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("what a feature writes to its own does not wait for the role's writer")
    func besideTheWriter() throws {
        try withFolder { state in
            let shared = try StateDatabase.open(state.databaseURL, schema: Self.schema)
            let notes = try FeatureStores(state, shared: shared).storage(of: "notes", own: Self.own).database
            // Would wait for ever, were it the same writer's.
            try shared.write { _ in
                try notes.write { try $0.execute(sql: "INSERT INTO note VALUES ('meanwhile')") }
            }
            #expect(try notes.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 1)
        }
    }
}
