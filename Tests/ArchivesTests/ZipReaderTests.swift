import Foundation
import Testing

@testable import Archives

@Suite("Reading a zip archive")
struct ZipReaderTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    private static func written(
        _ entries: [(name: String, body: [UInt8], method: ZipWriter.Method)]
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let writer = try ZipWriter { bytes += $0 }
        for entry in entries {
            let name = try ArchiveName(entry.name)
            try writer.begin(name, size: UInt64(entry.body.count), method: entry.method, modified: date)
            try writer.write(entry.body)
        }
        try writer.finish()
        return bytes
    }

    @Test("What the writer wrote is read, in pieces of any size", arguments: [1, 7, 4096, 1 << 20])
    func roundTrip(step: Int) throws {
        let text = Array(String(repeating: "a diary's day. ", count: 2000).utf8)
        let bytes = try Self.written([
            ("coredata/stories.json", text, .deflated), ("media/🙂é.jpg", Array(text.reversed()), .stored),
            ("empty", [], .stored), ("folder/", [], .stored), ("last", [1, 2, 3], .deflated),
        ])
        let entries = try ArchiveBytes.read(.zip, bytes, step: step)
        #expect(entries.map(\.name) == ["coredata/stories.json", "media/🙂é.jpg", "empty", "folder/", "last"])
        #expect(entries.map(\.body) == [text, text.reversed(), [], [], [1, 2, 3]])
    }

    @Test("An archive without entries is read, and bodies may be passed over")
    func skipping() throws {
        #expect(try ArchiveBytes.read(.zip, try Self.written([])).isEmpty)
        let bytes = try Self.written([("a", [UInt8](repeating: 9, count: 300_000), .stored), ("b", [1], .deflated)])
        let reader = try ArchiveReader(.zip, limits: .records, reading: ArchiveBytes.source(bytes, step: 999))
        #expect(try reader.next()?.name.text == "a")
        #expect(try reader.readPiece() != nil)
        #expect(try reader.next()?.name.text == "b")
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
        #expect(try reader.readPiece() == nil)
    }

    @Test("What Info-ZIP and Python wrote is read: deflated with and without descriptors, and with folders")
    func otherPrograms() throws {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/archives", withExtension: "json"))
        let fixtures = try JSONDecoder().decode([String: String].self, from: try Data(contentsOf: url))
        #expect(fixtures.count >= 5)
        for (name, text) in fixtures {
            let bytes = Array(try #require(Data(base64Encoded: text)))
            let format: ArchiveFormat = name.hasSuffix("tar") ? .tar : .zip
            let entries = try ArchiveBytes.read(format, bytes, step: 100)
            let files = entries.filter { !$0.name.hasSuffix("/") }
            #expect(files.map(\.name) == ["a.txt", "é/🙂.txt", "é/empty"], "\(name)")
            #expect(files.map(\.body.count) == [15_000, 10, 0], "\(name)")
        }
    }

    @Test("class length: an archive cut anywhere is truncated or damaged, and never whole")
    func truncation() throws {
        let bytes = try Self.written([("a", Array("hello".utf8), .deflated), ("b", Array("world".utf8), .stored)])
        for count in 0..<bytes.count {
            #expect(ArchiveBytes.failure(.zip, Array(bytes.prefix(count))) != nil, "\(count)")
        }
        #expect(ArchiveBytes.failure(.zip, bytes + [0]) == .trailingData)
        #expect(ArchiveBytes.failure(.zip, []) == .truncated)
        #expect(ArchiveBytes.failure(.zip, [0] + bytes) == .notAnArchive)
    }

    @Test("class flips: one bit anywhere in a stored archive is found, or leaves content and names as they are")
    func flips() throws {
        let zip = RawZip(entries: [.init("a.txt", "hello"), .init("b/c.txt", "world!")])
        let bytes = zip.bytes
        let whole = try ArchiveBytes.read(.zip, bytes)
        for place in bytes.indices {
            for bit in [0, 3, 7] {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(bit)
                if let read = try? ArchiveBytes.read(.zip, damaged) { #expect(read == whole, "\(place) \(bit)") }
            }
        }
    }

    @Test("What failed once fails from then on")
    func failureStays() throws {
        var zip = RawZip(entries: [.init("a", "hello")])
        zip.entries[0].crc32 ^= 1
        let reader = try ArchiveReader(.zip, limits: .records, reading: ArchiveBytes.source(zip.bytes, step: 50))
        _ = try reader.next()
        #expect(throws: ArchiveError.damaged) { while try reader.readPiece() != nil {} }
        #expect(throws: ArchiveError.damaged) { try reader.next() }
        #expect(throws: ArchiveError.damaged) { try reader.readPiece() }
    }

    @Test("The source's own error comes through")
    func sourceErrors() throws {
        struct Unplugged: Error {}
        let bytes = RawZip(entries: [.init("a", String(repeating: "x", count: 5000))]).bytes
        var isFirst = true
        let reader = try ArchiveReader(.zip, limits: .records) {
            defer { isFirst = false }
            guard isFirst else { throw Unplugged() }
            return Array(bytes.prefix(1000))
        }
        _ = try reader.next()
        #expect(throws: Unplugged.self) { while try reader.readPiece() != nil {} }
    }

    @Test("#27: 70,000 entries of zip64 are read from their layout, whose ranges are made as they are asked for")
    func manyEntries() throws {
        let layout = try StoredZipLayout(
            try (0..<70_000).map {
                StoredEntry(name: try ArchiveName("media/\($0)"), size: 1, crc32: Self.checksum([UInt8($0 & 255)]))
            }
        )
        var place: UInt64 = 0
        let reader = try ArchiveReader(.zip, limits: .records) {
            let end = min(layout.length, place + 60_000)
            defer { place = end }
            return try layout.pieces(in: place..<end).flatMap { piece -> [UInt8] in
                switch piece {
                case .bytes(let bytes): bytes
                case .body(let entry, _): [UInt8(entry & 255)]
                }
            }
        }
        var count = 0
        while let entry = try reader.next() {
            guard entry.name.text == "media/\(count)" else { break }
            count += 1
        }
        #expect(count == 70_000)
    }

    @Test("#27: the header and the record of 5 GiB say so in zip64, and so does the place behind it")
    func largeEntry() throws {
        let large = try StoredZipLayout([
            StoredEntry(name: try ArchiveName("v.mov"), size: 5 << 30, crc32: 7),
            StoredEntry(name: try ArchiveName("z"), size: 1, crc32: 9),
        ])
        guard case .bytes(let header) = try large.pieces(in: 0..<55)[0] else { return #expect(Bool(false)) }
        let local = try ZipLocalHeader(header, previous: nil, at: 0)
        #expect(local.size == 5 << 30)
        #expect(local.packedSize == 5 << 30)
        let second = 55 + (5 << 30) as UInt64
        #expect(
            try large.pieces(in: 1 << 30..<(1 << 30) + 10) == [
                .body(entry: 0, range: (1 << 30) - 55..<(1 << 30) - 45)
            ]
        )
        guard case .bytes(let other) = try large.pieces(in: second..<second + 31)[0] else {
            return #expect(Bool(false))
        }
        #expect(try ZipLocalHeader(other, previous: nil, at: second).size == 1)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.update(bytes)
        return checksum.value
    }
}
