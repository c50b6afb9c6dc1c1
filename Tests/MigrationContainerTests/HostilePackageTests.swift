import Archives
import Foundation
import Kernel
import Testing

@testable import MigrationContainer

@Suite("A hostile package")
struct HostilePackageTests {
    private static func failure(
        outer: [UInt8]? = nil,
        schemaVersion: Int? = nil,
        _ change: (inout SealedArchive) -> Void
    ) throws -> ContainerError? {
        var archive = try SealedArchive.whole()
        change(&archive)
        do {
            try archive.read(outer: outer, schemaVersion: schemaVersion)
            return nil
        } catch {
            return try #require(error as? ContainerError, "\(error)")
        }
    }

    @Test("The package that the others are made of is whole, stored and deflated", arguments: [true, false])
    func honest(isStored: Bool) throws {
        let sink = CollectingSink()
        try SealedArchive.whole().read(schemaVersion: 1, method: isStored ? .stored : .deflated, to: sink)
        #expect(sink.masterKey == [1, 2, 3])
        #expect(sink.files == ["a.jpg": [9, 9, 9]])
        #expect(sink.records == [.stories: [.object(["id": .string("s")])]])
    }

    @Test("class versions: entries that a later version adds are passed over")
    func additions() throws {
        #expect(try Self.failure { $0.entries.append(("later/thing.bin", [1])) } == nil)
        #expect(try Self.failure { $0.entries.insert(("coredata/later.json", [1]), at: 3) } == nil)
    }

    @Test("class hostile manifest: each entry that is missing is named")
    func missing() throws {
        for name in try SealedArchive.whole().entries.map(\.name) {
            let failure = try Self.failure { $0.entries.remove(at: $0.index(name)) }
            #expect(failure != nil, "\(name)")
        }
        #expect(try Self.failure { $0.entries.remove(at: 0) } == .missingEntry("manifest.json"))
        #expect(try Self.failure { $0.entries.removeSubrange(6...) } == .missingEntry(MigrationEntity.relations.path))
        #expect(try Self.failure { $0.entries.remove(at: 6) } == .unexpectedEntry("media/a.jpg"))
        #expect(try Self.failure { $0.entries.remove(at: 7) } == .countMismatch("media"))
    }

    @Test("class hostile manifest: records before those that they point to, or files before records, are refused")
    func order() throws {
        #expect(try Self.failure { $0.entries.swapAt(2, 3) } == .unexpectedEntry("coredata/categories.json"))
        #expect(try Self.failure { $0.entries.swapAt(6, 7) } == .unexpectedEntry("media/a.jpg"))
        #expect(try Self.failure { $0.entries.swapAt(1, 2) } == .unexpectedEntry("coredata/settings.json"))
    }

    @Test("#15: a file that is not listed, or has other bytes than listed, is refused")
    func files() throws {
        #expect(try Self.failure { $0.entries.append(("media/b.jpg", [1])) } == .unexpectedEntry("media/b.jpg"))
        #expect(try Self.failure { $0.entries[7].body = [9, 9, 8] } == .damagedFile("media/a.jpg"))
        #expect(try Self.failure { $0.entries[7].body = [9, 9] } == .damagedFile("media/a.jpg"))
    }

    @Test("#17: counts that differ from what is there are refused")
    func counts() throws {
        let failure = try Self.failure { $0.replace("coredata/stories.json", "[]") }
        #expect(failure == .countMismatch("coredata/stories.json"))
        let manifest = try #require(String(validating: SealedArchive.whole().entries[0].body, as: UTF8.self))
        let other = try Self.failure {
            $0.replace("manifest.json", manifest.replacing(#""totalBytes":3"#, with: #""totalBytes":4"#))
        }
        #expect(other == .countMismatch("media"))
    }

    @Test(
        "class hostile manifest: records that are no array of objects are refused",
        arguments: [
            "", "{}", "[", "[{}", "[{},]", "[,{}]", "[{} {}]", "[1]", "[{}]]", #"[{"a":1e400}]"#, #"[{"a":NaN}]"#,
            #"[{"a":1,"a":2}]"#, #"[{"a":"]}"#, "[{]}]",
        ]
    )
    func records(text: String) throws {
        let failure = try Self.failure { $0.replace("coredata/stories.json", text) }
        #expect(failure == .malformedRecords("coredata/stories.json"))
    }

    @Test("class hostile manifest: a million brackets inside each other are refused, and a record of 17 MiB too")
    func largeRecords() throws {
        let nested = "[{\"a\":" + String(repeating: "[", count: 1_000_000)
        let deep = try Self.failure {
            $0.replace("coredata/stories.json", nested + String(repeating: "]", count: 1_000_000) + "}]")
        }
        #expect(deep == .malformedRecords("coredata/stories.json"))
        let long = "[{\"a\":\"" + String(repeating: "x", count: 17 << 20) + "\"}]"
        let failure = try Self.failure { $0.replace("coredata/stories.json", long) }
        #expect(failure == .recordsTooLarge("coredata/stories.json"))
    }

    @Test("class versions: newer and older records are told apart before anything is taken")
    func versions() throws {
        let manifest = try #require(String(validating: SealedArchive.whole().entries[0].body, as: UTF8.self))
        let newer = try Self.failure {
            $0.replace("manifest.json", manifest.replacing(#""schemaVersion":1"#, with: #""schemaVersion":2"#))
        }
        #expect(newer == .needsAppUpdate(theirs: 2, ours: 1))
        let older = try Self.failure {
            $0.replace("manifest.json", manifest.replacing(#""schemaVersion":1"#, with: #""schemaVersion":0"#))
        }
        #expect(older == .schemaTooOld(theirs: 0, minimum: 1))
        #expect(try Self.failure(schemaVersion: 2) { _ in } == .schemaVersionsDiffer)
    }

    @Test("#1: a package whose list of contents is not the announced one is refused")
    func outerManifest() throws {
        let manifest = try #require(String(validating: SealedArchive.whole().entries[0].body, as: UTF8.self))
        let outer = manifest.replacing(#""createdAt":1"#, with: #""createdAt":2"#)
        #expect(try Self.failure(outer: Array(outer.utf8)) { _ in } == .manifestsDiffer)
        #expect(try Self.failure(outer: Array(manifest.utf8)) { _ in } == nil)
    }

    @Test("Records come out the same however their text is cut", arguments: [1, 2, 3, 7, 1000])
    func cuts(step: Int) throws {
        let text = Array(" [ {\"a\":\"]}\\\"\\\\\"} ,\n{\"b\":[{\"c\":{}}]}\t]\r\n ".utf8)
        var reader = RecordArrayReader(path: "x")
        var records: [JSONValue] = []
        for start in stride(from: 0, to: text.count, by: step) {
            try reader.append(Array(text[start..<min(text.count, start + step)])) {
                records.append(try JSONValue(parsing: $0))
            }
        }
        try reader.finish()
        #expect(
            records == [
                .object(["a": .string("]}\"\\")]),
                .object(["b": .array([.object(["c": .object([:])])])]),
            ]
        )
    }
}
