import Capabilities
import CommandClient
import Control
import Foundation
import GRDB
import Journal
import Kernel
import Logging
import MigrationClient
import Pairing
import Sections
import Storage
import TandemPhone
import Testing

@testable import TandemCommands

/// The features of a phone as `tandem phone` lists them.
@Suite("The sections of a phone", .timeLimit(.minutes(4)))
struct PhoneSectionsTests {
    private static let features =
        [PeerFeatureMaker].standard + [
            Live.chat(of: "My phone"), JournalFeature.maker(pictures: Live.pictures),
            MigrationFeature.maker(of: MigratingPhone()),
        ]

    private static func phone(_ state: RoleState) throws -> Phone {
        try Phone(
            state: state,
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: "My phone", platform: .linux),
                version: "1",
                features: features
            ),
            logger: Logger(label: "sections")
        )
    }

    @Test(
        "a phone that rests refuses what its features are asked, with the reason, and answers for itself until it is kept"
    )
    func resting() async throws {
        let state = try RoleState.inMemory(schema: .phone(with: Self.features)) { _ in UUID().uuidString.lowercased() }
        let phone = try Self.phone(state)
        let now = Date().millisecondsSince1970
        #expect(try await phone.control.call(.phoneStanding).state == "active")
        let handover = Handover(transferID: "t1", newPhone: "New phone", begunAt: now)
        try await phone.standing.change { try $0.beginning(handover) }
        let refused = [
            "account.show", "chat.list", "notifications.list", "call", "pair.scan", "devices.forget", "queue.clear",
        ]
        for method in refused {
            let error = await #expect(throws: PhoneStandingError.self, "\(method)") {
                try await phone.control.call(method, [:]) { _ in }
            }
            #expect(error?.facts.reason == "phoneHandingOver")
        }
        let standing = try await phone.control.call(.phoneStanding)
        #expect(standing.state == "handing-over" && standing.newPhone == "New phone" && standing.isResting)
        let checks = try await phone.control.call(.doctor).checks
        #expect(checks.contains { !$0.works && $0.reason == "phoneHandingOver" })
        #expect(try await phone.control.call("queue.list", [:]) { _ in } == ["commands": []])
        #expect(try await phone.control.call("devices.list", [:]) { _ in } == ["devices": []])

        try await phone.standing.change { try $0.retiring("t1", at: now) }
        #expect(try await phone.control.call(.phoneStanding).undoUntil == now + 7 * 86_400_000)
        #expect(try await phone.control.call(.phoneKeep).state == "kept")
        #expect(try await phone.control.call("account.show", [:]) { _ in } == ["account": .null])
    }

    @Test("every table and file of a phone is in a section or on the list of things that stay, with a reason")
    func coverage() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-sections-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }  // what is left is in a temporary folder
        let folder = try StateFolder(url)
        let state = try RoleState(folder, schema: .phone(with: Self.features))
        // Features make their databases and folders when they are made.
        let phone = try Self.phone(state)
        let coverage = try SectionCoverage.phone(with: Self.features)
        #expect(try coverage.strayTables(in: state.database, of: nil) == [])
        #expect(state.features.own.map(\.schema.name) == ["chat"])
        for own in state.features.own {
            #expect(try coverage.strayTables(in: own.database, of: own.schema.name) == [])
        }
        #expect(try coverage.strayFiles(in: folder) == [])
        withExtendedLifetime(phone) {}
    }

    @Test("a table of a section belongs to its own store, and none is in two")
    func tables() throws {
        let catalogue = try SectionCatalogue.phone(with: Self.features)
        let tables = catalogue.entries.flatMap(\.declaration.tables)
        #expect(Set(tables).count == tables.count)
        for declaration in catalogue.entries.map(\.declaration) {
            let database = try StateDatabase.inMemory(schema: Schema(declaration.name, [declaration.migrations]))
            for table in declaration.tables {
                #expect(try database.read { try $0.tableExists(table) }, "\(declaration.name) has no \(table)")
                // A row is held to these when it comes.
                let types = try database.read { Set(try $0.columns(in: table).map(\.type)) }
                #expect(types.isSubset(of: ["INTEGER", "TEXT", "BLOB", "REAL", "ANY"]), "\(table)")
            }
            // It runs on tables without a row, too.
            try database.write { try declaration.adapt($0) }
        }
    }

    @Test("the names and versions of the sections are those that packages of this version name")
    func frozen() throws {
        let catalogue = try SectionCatalogue.phone(with: Self.features)
        let versions = catalogue.entries.map { "\($0.declaration.name) \($0.declaration.version)" }
        #expect(
            versions == [
                "identity 1", "computers 6", "sessions 4", "queue 2", "settings 1", "notifications 3", "chat 7",
            ]
        )
    }

    @Test(
        "of a move, computers are told that the old phone's push ended, tickets end, and numbers go past the old ones"
    )
    func adapted() throws {
        let catalogue = try SectionCatalogue.phone(with: Self.features)
        func adapt(_ name: String, _ sql: String) throws -> DatabaseQueue {
            let declaration = try #require(catalogue.entry(named: name)).declaration
            let database = try StateDatabase.inMemory(schema: Schema(name, [declaration.migrations]))
            try database.write { database in
                try database.execute(sql: sql)
                try declaration.adapt(database)
            }
            return database
        }
        let notifications = try adapt(
            "notifications",
            "INSERT INTO notificationPreference VALUES ('push', 'old'), ('settings', 'mine')"
        )
        let values: [String] = try notifications.read {
            try $0.values("SELECT value FROM notificationPreference ORDER BY name")
        }
        #expect(values == ["", "mine"])
        let sessions = try adapt(
            "sessions",
            """
            INSERT INTO sessionPeer (peer, ticketID, ticketSecret, lastOutbound, inboundCursor) VALUES
                (x'01', x'02', x'03', 7, 9), (x'02', NULL, NULL, 9223372036854775807, 0)
            """
        )
        let row = try #require(
            try sessions.read { try $0.row("SELECT ticketID, lastOutbound, inboundCursor FROM sessionPeer LIMIT 1") }
        )
        #expect(row["ticketID"] as Data? == nil)
        #expect(row["lastOutbound"] as Int64 == 4_294_967_303)
        #expect(row["inboundCursor"] as Int64 == 9)
        let kinds: [String] = try sessions.read {
            try $0.values("SELECT DISTINCT typeof(lastOutbound) FROM sessionPeer")
        }
        #expect(kinds == ["integer"], "a number that no phone reaches does not become a real")
    }
}
