import Foundation
import GRDB
import Kernel
import KernelTesting
import Principals
import Rights
import Storage
import Testing

@testable import BridgeHost

@Suite("The bridge's tokens")
struct BridgeTokensTests {
    private let clock = ManualClock()

    private func database() throws -> any DatabaseWriter {
        try StateDatabase.inMemory(schema: [BridgeTokens.migrations])
    }

    @Test("only hashes are on disk, and a restart knows everything else")
    func kept() async throws {
        let database = try database()
        let (token, text) = try await BridgeTokens(database)
            .add(name: "Ada's\u{1B}[2J phone ", rights: ["a.read", "b"], now: clock.date)
        let again = try BridgeTokens(database)
        #expect(again.all == [token])
        #expect(token.name == "Ada's[2J phone")
        #expect(again.match(text, now: clock.date)?.id == token.id)
        let rows = try await database.read { try Row.fetchAll($0, sql: "SELECT * FROM bridgeToken").map { "\($0)" } }
        #expect(rows.count == 1 && !rows.joined().contains(text.dropFirst(4)))
    }

    @Test("a token that the version before wrote opens, and so does its successor")
    func yesterday() async throws {
        let database = try database()
        try await database.write { database in
            // SHA-256 of tdb_yesterday and tdb_next.
            try database.execute(
                sql: """
                    INSERT INTO bridgeToken
                    (id, name, rights, hash, nextHash, nextSince, createdAt, tokenSince, lastSeenAt, address)
                    VALUES (
                        '0a1b2c3d4e', 'Ada''s phone', 'bell.read',
                        X'f8b7f7c152e7cf5025d148a72b9b9318aa24bdf011ead4e8a95758299eac1f6c',
                        X'112d8667eaa00bb8d20a3ace43603e885cc6ab513e4c6afcd8b6ac70adae33e3',
                        1789999990000, 1780000000000, 1785000000000, 1789999990000, '20010db800000000'
                    )
                    """
            )
        }
        let tokens = try BridgeTokens(database)
        let token = try #require(tokens.match("tdb_yesterday", now: clock.date))
        #expect(token.id == "0a1b2c3d4e" && token.name == "Ada's phone" && token.rights == ["bell.read"])
        #expect(token.createdAt == 1_780_000_000_000 && token.secretSince == 1_785_000_000_000)
        #expect(token.lastSeenAt == 1_789_999_990_000 && token.address == "20010db800000000")
        #expect(token.callerID == "bridge:0a1b2c3d4e")
        #expect(tokens.match("tdb_next", now: clock.date)?.secretSince == 1_789_999_990_000)
        #expect(tokens.match("tdb_yesterday", now: clock.date) == nil)
    }

    @Test("what is no token is none: nothing, beginnings, other cases")
    func unknown() async throws {
        let tokens = try BridgeTokens(try database())
        let (_, text) = try await tokens.add(name: "", rights: [], now: clock.date)
        for wrong in ["", String(text.dropLast()), text + " ", text.lowercased(), "OA_DEV_TOKEN"] {
            #expect(tokens.match(wrong, now: clock.date) == nil)
        }
        #expect(tokens.all.map(\.name) == ["unnamed device"])
    }

    @Test("a token that was turned is turned on disk, whichever side of a crash")
    func turned() async throws {
        let database = try database()
        let tokens = try BridgeTokens(database)
        let (token, old) = try await tokens.add(name: "Ada", rights: [], now: clock.date)
        clock.advance(by: .seconds(31 * 86_400))
        let new = try #require(tokens.next(for: token.id, now: clock.date))
        try await tokens.note(token.id, from: "10.0.0.7", now: clock.date)
        // Told, and not used yet.
        #expect(try BridgeTokens(database).match(new, now: clock.date)?.id == token.id)
        #expect(try BridgeTokens(database).match(old, now: clock.date)?.id == token.id)
        #expect(tokens.match(new, now: clock.date)?.id == token.id)
        try await tokens.note(token.id, from: "10.0.0.7", now: clock.date)
        let later = try BridgeTokens(database)
        #expect(later.match(old, now: clock.date) == nil)
        #expect(later.match(new, now: clock.date)?.address == "10.0.0.7")
        #expect(later.next(for: token.id, now: clock.date) == nil)
    }

    @Test("a token whose successor could not be written stays good, and gets another when the disk takes it")
    func unwritten() async throws {
        let database = try database()
        let tokens = try BridgeTokens(database)
        let (token, old) = try await tokens.add(name: "Ada", rights: [], now: clock.date)
        clock.advance(by: .seconds(31 * 86_400))
        try await database.write {
            try $0.execute(
                sql: "CREATE TRIGGER broken BEFORE UPDATE ON bridgeToken BEGIN SELECT RAISE(ABORT, 'broken'); END"
            )
        }
        let untold = try #require(tokens.next(for: token.id, now: clock.date))
        await #expect(throws: DatabaseError.self) { try await tokens.note(token.id, from: nil, now: clock.date) }
        #expect(tokens.match(untold, now: clock.date) == nil)
        clock.advance(by: .seconds(2 * 86_400))
        #expect(tokens.match(old, now: clock.date)?.id == token.id)
        try await database.write { try $0.execute(sql: "DROP TRIGGER broken") }
        let new = try #require(tokens.next(for: token.id, now: clock.date))
        try await tokens.note(token.id, from: nil, now: clock.date)
        #expect(try BridgeTokens(database).match(new, now: clock.date)?.id == token.id)
    }

    @Test("a token that was used in its predecessor's place is written once the disk takes it")
    func unwrittenTurn() async throws {
        let database = try database()
        let tokens = try BridgeTokens(database)
        let (token, old) = try await tokens.add(name: "Ada", rights: [], now: clock.date)
        clock.advance(by: .seconds(31 * 86_400))
        let new = try #require(tokens.next(for: token.id, now: clock.date))
        try await tokens.note(token.id, from: nil, now: clock.date)
        try await database.write {
            try $0.execute(
                sql: "CREATE TRIGGER broken BEFORE UPDATE ON bridgeToken BEGIN SELECT RAISE(ABORT, 'broken'); END"
            )
        }
        #expect(tokens.match(new, now: clock.date)?.id == token.id)
        await #expect(throws: DatabaseError.self) { try await tokens.note(token.id, from: nil, now: clock.date) }
        #expect(tokens.match(old, now: clock.date) == nil)
        #expect(tokens.match(new, now: clock.date)?.id == token.id)
        try await database.write { try $0.execute(sql: "DROP TRIGGER broken") }
        // Within the minute in which another visit alone is not noted.
        try await tokens.note(token.id, from: nil, now: clock.date)
        #expect(try BridgeTokens(database).match(old, now: clock.date) == nil)
    }

    @Test("what was taken back stays away, also when it was just seen")
    func removed() async throws {
        let database = try database()
        let tokens = try BridgeTokens(database)
        let (token, text) = try await tokens.add(name: "Ada", rights: [], now: clock.date)
        try await tokens.remove(token.id)
        try await tokens.note(token.id, from: nil, now: clock.date)
        #expect(tokens.match(text, now: clock.date) == nil)
        #expect(try BridgeTokens(database).all.isEmpty)
    }

    @Test("a device's name is one that can be seen, and of a bounded length in every script")
    func names() {
        for blank in ["", " \t", "\u{3164}\u{3164}", "\u{200D}\u{200C} ", "\u{1B}\u{7}\u{202E}"] {
            #expect(BridgeTokens.clean(blank) == "unnamed device")
        }
        #expect(BridgeTokens.clean("a" + String(repeating: "\u{301}", count: 1900)).utf8.count == 255)
        #expect(BridgeTokens.clean(String(repeating: "é", count: 300)) == String(repeating: "é", count: 64))
        #expect(BridgeTokens.clean(" Adas Telefon 📱") == "Adas Telefon 📱")
    }

    @Test("there are at most 256")
    func many() async throws {
        let tokens = try BridgeTokens(try database())
        for _ in 0..<BridgeTokens.countLimit { _ = try await tokens.add(name: "", rights: [], now: clock.date) }
        await #expect(throws: BridgeError.tooManyTokens(limit: 256)) {
            try await tokens.add(name: "", rights: [], now: clock.date)
        }
        #expect(tokens.all.count == 256)
    }
}
