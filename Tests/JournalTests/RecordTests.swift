import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("Records of a journal", .timeLimit(.minutes(2)))
struct RecordTests {
    private static let story: JSONValue = [
        "id": "s1", "title": "A walk", "content": "# Hills", "plainTextContent": "Hills", "createdAt": 1_790_000_000,
        "createdAtMs": 1_790_000_000_123, "updatedAt": 1_790_000_001, "updatedAtMs": 1_790_000_001_000,
        "timestamp": 1_790_000_002, "timestampMs": 1_790_000_002_999, "isDeleted": true, "syncStatus": 2,
        "mood": "calm",
        "locationName": "Rigi", "locationAddress": "Top", "locationCity": "Arth", "latitude": .number(47.0567),
        "longitude": .number(8.4854), "horizontalAccuracy": 5, "verticalAccuracy": -1, "weather": ["sky": "clear"],
    ]

    @Test("a record of each kind comes out as it went in, with the members that are not known")
    func roundTrip() throws {
        let category: JSONValue = [
            "id": "c1", "name": "Travel", "nameEn": "Travel", "colorHex": "#FF8800", "level": 2, "parentId": "c0",
            "iconName": "map", "iconType": "hologram", "customIconData": "AQID", "sortOrder": 3,
            "createdAt": 1_790_000_000, "createdAtMs": 1_790_000_000_000, "shared": true,
        ]
        let medium: JSONValue = [
            "id": "m1", "type": "panorama", "fileName": "m1.heic", "thumbnailFileName": "m1_thumb.jpg",
            "encryptionKeyId": "k1", "fileSize": 4096, "width": 40, "height": 30, "duration": .number(1.5),
            "createdAt": 1_790_000_000, "createdAtMs": 1_790_000_000_001, "storyId": "s1",
            "relativePath": "Images/2026/11/m1.heic", "thumbnailRelativePath": "Images/2026/11/m1_thumb.jpg",
            "sha256": .string(String(repeating: "ab", count: 32)), "crc32": 3_405_691_582, "thumbnailFileSize": 96,
            "thumbnailCrc32": 0,
            "thumbnailSha256": .string(String(repeating: "cd", count: 32)), "camera": "old",
        ]
        let setting: JSONValue = [
            "key": "theme", "type": "string", "value": "dark", "updatedAt": 1_790_000_000,
            "updatedAtMs": 1_790_000_000_000, "origin": "app",
        ]
        let relation: JSONValue = ["storyId": "s1", "categoryId": "c1", "pinned": true]
        #expect(try Story(record: Self.story).record == Self.story)
        #expect(try JournalCategory(record: category).record == category)
        #expect(try Medium(record: medium).record == medium)
        #expect(try JournalSetting(record: setting).record == setting)
        #expect(try StoryCategory(record: relation).record == relation)
    }

    @Test("#18: exact milliseconds are preferred, and seconds alone are taken, with their fraction")
    func milliseconds() throws {
        #expect(try Story(record: Self.story).createdAt == 1_790_000_000_123)
        let setting: JSONValue = ["key": "a", "type": "int", "value": "1", "updatedAt": .number(1_790_000_000.25)]
        #expect(try JournalSetting(record: setting).updatedAt == 1_790_000_000_250)
        let early: JSONValue = ["key": "a", "type": "int", "value": "1", "updatedAt": 0, "updatedAtMs": -1]
        let record = try JournalSetting(record: early).record
        #expect(record["updatedAt"] == -1 && record["updatedAtMs"] == -1)
    }

    @Test("#19: latitude and longitude 0 without an accuracy are no place; with one, and null, they are what they say")
    func place() throws {
        func place(_ members: [String: JSONValue]) throws -> StoryPlace? {
            let base: [String: JSONValue] = ["id": "s", "createdAt": 1]
            return try Story(record: .object(base.merging(members) { $1 })).place
        }
        #expect(try place(["latitude": 0, "longitude": 0, "horizontalAccuracy": -1]) == nil)
        #expect(try place(["latitude": .null, "longitude": .null]) == nil)
        #expect(try place([:]) == nil)
        let island = try place(["latitude": 0, "longitude": 0, "horizontalAccuracy": 10])
        #expect(island == StoryPlace(latitude: 0, longitude: 0, horizontalAccuracy: 10))
        #expect(try place(["latitude": 0, "longitude": .number(8.5), "horizontalAccuracy": -1])?.longitude == 8.5)
        let none = try Story(record: ["id": "s", "createdAt": 1]).record
        #expect(none["latitude"] == 0 && none["horizontalAccuracy"] == -1 && none["verticalAccuracy"] == -1)
    }

    @Test("#21: a story's record says isDeleted, also where it was written as 1")
    func deleted() throws {
        let story = try Story(record: ["id": "s", "createdAt": 1, "isDeleted": 1])
        #expect(story.isRemoved && story.record["isDeleted"] == true)
    }

    @Test("#23: only the schema's version decides, and all places have to agree")
    func schema() throws {
        #expect(try JournalSchema.agreed([1, 1, 1]) == 1)
        #expect(throws: JournalError.schemaUnclear) { try JournalSchema.agreed([1, 2, 1]) }
        #expect(throws: JournalError.schemaUnclear) { try JournalSchema.agreed([1, .null]) }
        #expect(throws: JournalError.schemaUnclear) { try JournalSchema.agreed([]) }
        #expect(throws: JournalError.schemaUnclear) { try JournalSchema.agreed([0, 0]) }
        #expect(throws: JournalError.needsUpdate(theirs: 9, ours: 1)) { try JournalSchema.agreed([9, 9]) }
    }

    @Test(
        "names of files that lead elsewhere are refused",
        arguments: [
            "../m.jpg", "a/b.jpg", "a\\b.jpg", ".hidden", "", "c:m.jpg", "a\u{0}b", String(repeating: "a", count: 256),
        ]
    )
    func hostileNames(name: String) {
        let record: JSONValue = [
            "id": "m", "type": "image", "fileName": .string(name), "encryptionKeyId": "k", "createdAt": 1,
        ]
        #expect(throws: JournalError.badRecord(.media, member: "fileName")) { try Medium(record: record) }
    }

    @Test(
        "paths that lead elsewhere are refused",
        arguments: [
            "/etc/passwd", "Images/../../x", "Images//x", "Images/./x", "x", "Images\\2026\\x", "a/b/c/d/e/f/g/h/i",
        ]
    )
    func hostilePaths(path: String) {
        let record: JSONValue = [
            "id": "m", "type": "image", "fileName": "m.jpg", "encryptionKeyId": "k", "createdAt": 1,
            "relativePath": .string(path),
        ]
        #expect(throws: JournalError.badRecord(.media, member: "relativePath")) { try Medium(record: record) }
    }

    @Test("members of another kind, and those beyond their bounds, are refused by name")
    func wrongMembers() {
        let wrong: [(String, JSONValue)] = [
            ("id", 5), ("id", .null),
            ("id", .string(String(repeating: "x", count: 129))), ("id", "a\u{7}b"),
            ("title", ["a"]), ("createdAt", "today"), ("createdAt", .number(1e300)), ("latitude", "north"),
            ("isDeleted", 2),
            ("content", .string(String(repeating: "x", count: JournalLimits.content + 1))),
            ("timestampMs", .number(1.5)),
        ]
        for (member, value) in wrong {
            #expect(throws: JournalError.badRecord(.stories, member: member)) {
                try Story(record: Self.story.adding(member, value))
            }
        }
        let icon = String(repeating: "AAAA", count: JournalLimits.icon / 3 + 8)
        #expect(throws: JournalError.badRecord(.categories, member: "customIconData")) {
            try JournalCategory(record: ["id": "c", "name": "C", "createdAt": 1, "customIconData": .string(icon)])
        }
        #expect(throws: JournalError.badRecord(.relations, member: "record")) { try StoryCategory(record: "x") }
    }

    @Test("the text of a record that is made without a tree of values is the canonical one, to the byte")
    func texts() throws {
        var stories = [try Story(record: Self.story), Story(id: "s2", createdAt: -1, updatedAt: 0, happenedAt: -1001)]
        stories[1].syncStatus = "synced"
        stories.append(stories[0])
        stories[2].extra = [:]
        stories[2].content = "a \"quoted\"\nline \u{1F600}\u{1}"
        stories[2].place = StoryPlace(latitude: -0.5, longitude: 1e-7, horizontalAccuracy: 3, verticalAccuracy: 2.25)
        var relation = StoryCategory(storyId: "s", categoryId: "c")
        var records: [any JournalRecord] = stories + [relation]
        relation.extra = ["a": 1]
        records.append(relation)
        records.append(try JournalCategory(record: ["id": "c", "name": "C", "createdAt": 1]))
        for record in records {
            var text = Array("before ".utf8)
            record.appendText(to: &text)
            #expect(String(decoding: text, as: UTF8.self) == "before " + record.record.canonicalText)
        }
    }

    @Test("#29: a record of the longest length is taken in pieces, and a longer one is refused before it is whole")
    func longRecords() throws {
        let filling = String(repeating: "x", count: RecordArrayReader.recordLimit - 8)
        let bytes = Array("[{\"a\":\"\(filling)\"}]".utf8)
        for extra in [0, 1] {
            var (reader, found) = (RecordArrayReader(.stories), 0)
            let text = extra == 0 ? bytes : Array(bytes.dropLast(3)) + [0x78] + Array(bytes.suffix(3))
            do {
                for start in stride(from: 0, to: text.count, by: 1 << 20) {
                    try reader.take(text[start..<min(start + 1 << 20, text.count)]) { _ in found += 1 }
                }
                try reader.finish()
                #expect(extra == 0 && found == 1)
            } catch {
                #expect(extra == 1 && error as? JournalError == .badRecord(.stories, member: "length"))
            }
        }
    }

    @Test("#29: records of an array come one at a time, however the bytes are cut")
    func arrays() throws {
        let text = #" [ {"a":"]},{\"\\"} ,{"b":[{"c":1}]},{}]  "#
        for size in [1, 2, 7, 1000] {
            var (reader, found) = (RecordArrayReader(.stories), [JSONValue]())
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try reader.take(bytes[start..<min(start + size, bytes.count)]) { found.append($0) }
            }
            try reader.finish()
            #expect(found == [["a": "]},{\"\\"], ["b": [["c": 1]]], [:]])
        }
        for wrong in ["", "[", "{}", "[1]", "[{},]", "[{} {}]", "[{}]x", "[{\"a\":}]", "[{}"] {
            #expect(throws: JournalError.self, "\(wrong)") {
                var reader = RecordArrayReader(.stories)
                try reader.take(wrong.utf8) { _ in }
                try reader.finish()
            }
        }
    }
}
