import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("Records that are read as text", .timeLimit(.minutes(2)))
struct RecordTextReadingTests {
    private static let records: [(kind: RecordKind, text: String)] = [
        (.settings, #"{"key":"a","type":"string","updatedAt":1790000000,"updatedAtMs":1790000000250,"value":"b"}"#),
        (
            .categories,
            #"{"createdAt":1,"customIconData":"AQID","id":"c1","level":2,"name":"C","parentId":"c0","x":[1]}"#
        ),
        (
            .stories,
            #"""
            {"content":"# Hills\n\u00e4","createdAt":1790000000,"createdAtMs":1790000000123,"horizontalAccuracy":5,"id":"s1",
            "isDeleted":1,"latitude":47.0567,"longitude":8.4854,"mood":null,"syncStatus":2,"title":"A walk",
            "verticalAccuracy":-1,"weather":{"sky":"clear"}}
            """#
        ),
        (.stories, #"{"id":"s2","createdAt":1.5}"#),
        (
            .media,
            #"{"type":"photo","id":"m1","fileName":"m1.heic","createdAt":1,"crc32":7,"encryptionKeyId":"k1","fileSize":9,"camera":"old"}"#
        ),
        (.relations, #"{"storyId":"s1","categoryId":"c1"}"#),
        (.relations, #"{"pinned":true,"storyId":"s1","categoryId":"c1"}"#),
    ]

    /// Whether text and value are read as the same record.
    private func both<Record: JournalRecord & Equatable>(_ type: Record.Type, _ text: [UInt8]) throws -> Bool {
        try Record(recordText: text) == Record(record: JSONValue(parsing: text))
    }

    private func isSame(_ kind: RecordKind, _ text: [UInt8]) throws -> Bool {
        switch kind {
        case .settings: try both(JournalSetting.self, text)
        case .categories: try both(JournalCategory.self, text)
        case .stories: try both(Story.self, text)
        case .media: try both(Medium.self, text)
        case .relations: try both(StoryCategory.self, text)
        }
    }

    @Test("are the records of the same values, in whichever order their members come")
    func same() throws {
        for (kind, text) in Self.records {
            #expect(try isSame(kind, Array(text.utf8)), "\(kind)")
            // Canonical text has its members in another order.
            #expect(try isSame(kind, try JSONValue(parsing: text.utf8).canonicalBytes), "\(kind), canonical")
        }
    }

    private func failure(_ read: () throws -> Story) -> JournalError? {
        do {
            _ = try read()
            return nil
        } catch {
            return error as? JournalError
        }
    }

    @Test(
        "a member that does not fit is refused by its name, as in a value",
        arguments: [
            #"{"createdAt":1}"#, #"{"id":"s"}"#, #"{"id":"","createdAt":1}"#, #"{"id":"s","createdAt":"1"}"#,
            #"{"id":"s","createdAt":1,"isDeleted":2}"#, #"{"id":"s","createdAt":1,"latitude":1}"#,
            #"{"id":"s","createdAt":1,"title":[]}"#, #"{"id":"s","createdAt":1,"mood":{"a":1}}"#,
            #"{"id":"s","createdAt":1e300}"#,
        ]
    )
    func refused(text: String) throws {
        let bytes = Array(text.utf8)
        let found = failure { try Story(recordText: bytes) }
        #expect(found != nil)
        let expected = failure { try Story(record: JSONValue(parsing: bytes)) }
        #expect(found == expected)
    }

    @Test("a text that is no JSON object, or has a key twice, is said to be no JSON")
    func noJSON() throws {
        for text in [#"{"id":"s","createdAt":1"#, "[]", #"{"id":"s","id":"s","createdAt":1}"#, #"{"id":"s",}"#] {
            let expected = JournalError.badRecord(.stories, member: RecordReader.textMember)
            #expect(throws: expected) { try Story(recordText: Array(text.utf8)) }
        }
    }
}
