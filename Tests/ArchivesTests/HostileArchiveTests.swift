import Foundation
import Testing

@testable import Archives

@Suite("A hostile archive, read")
struct HostileArchiveTests {
    private static func failure(_ change: (inout RawZip) -> Void) -> ArchiveError? {
        var zip = RawZip(entries: [.init("a.txt", "hello"), .init("b.txt", "world")])
        change(&zip)
        return ArchiveBytes.failure(.zip, zip.bytes)
    }

    @Test("The archive that the others are made of is whole")
    func honest() throws { #expect(Self.failure { _ in } == nil) }

    @Test(
        "class hostile zip: a name that leaves the folder, or is none, is refused",
        arguments: ["../a", "/a", "a/../../b", "a\\b", "C:a", "a//b", "a\u{1}b", ""]
    )
    func names(name: String) {
        let failure = Self.failure { $0.entries[1].name = Array(name.utf8) }
        guard case .unsafeName? = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
    }

    @Test("class hostile zip: a name that is not UTF-8, or has a zero byte, is refused")
    func bytes() {
        for name in [[0x61, 0xFF, 0x62], [0x61, 0, 0x62]] as [[UInt8]] {
            #expect(Self.failure { $0.entries[1].name = name } != nil)
        }
    }

    @Test("class hostile zip: names that collide are refused", arguments: ["a.txt", "A.TXT", "a.txt/b", "A.txt/"])
    func collisions(name: String) {
        let failure = Self.failure {
            $0.entries[1] = .init(name, name.hasSuffix("/") ? "" : "world")
        }
        #expect(failure == .nameCollision(name.hasSuffix("/") ? "A.txt" : name))
    }

    @Test(
        "class hostile zip: what the directory says otherwise is refused: name, size, place, count, or no list at all"
    )
    func mismatches() {
        #expect(Self.failure { $0.entries[1].directoryName = Array("c.txt".utf8) } == .directoryMismatch)
        #expect(Self.failure { $0.entries[1].directorySize = 4 } == .directoryMismatch)
        #expect(Self.failure { $0.entries[1].directoryOffset = 0 } == .directoryMismatch)
        #expect(Self.failure { $0.count = 1 } == .directoryMismatch)
        #expect(Self.failure { $0.isListed = false } == .directoryMismatch)
    }

    @Test("class hostile zip: bytes between entries, where another archive could hide, are refused")
    func gaps() {
        #expect(Self.failure { $0.entries[1].gap = [1, 2, 3] } == .damaged)
        #expect(Self.failure { $0.entries[1].gap = [UInt8](repeating: 0, count: 5 << 20) } == .damaged)
    }

    @Test("class hostile zip: links, devices, encryption and other compressions are refused")
    func kinds() {
        #expect(Self.failure { $0.entries[1].attributes = 0o120777 << 16 } == .unsupportedEntry("b.txt"))
        #expect(Self.failure { $0.entries[1].attributes = 0o020644 << 16 } == .unsupportedEntry("b.txt"))
        #expect(Self.failure { $0.entries[1].flags |= 1 } == .encrypted("b.txt"))
        for method in [1, 9, 12, 14, 93, 95, 98] as [UInt16] {
            #expect(Self.failure { $0.entries[1].method = method } == .unsupportedEntry("b.txt"), "\(method)")
        }
    }

    @Test("class hostile zip: a bomb of a thousand to one is refused while it unpacks")
    func bomb() throws {
        var bytes: [UInt8] = []
        let writer = try ZipWriter { bytes += $0 }
        try writer.begin(try ArchiveName("a"), size: 64 << 20, method: .deflated, modified: .distantPast)
        for _ in 0..<64 { try writer.write([UInt8](repeating: 0, count: 1 << 20)) }
        try writer.finish()
        let reader = try ArchiveReader(.zip, limits: .records, reading: ArchiveBytes.source(bytes, step: 1000))
        _ = try reader.next()
        var unpacked = 0
        #expect(throws: ArchiveError.suspiciousRatio("a")) {
            while let piece = try reader.readPiece() { unpacked += piece.count }
        }
        #expect(unpacked < 32 << 20)
        let small = ArchiveLimits(entries: 10, totalBytes: 1 << 20, ratio: .max)
        #expect(ArchiveBytes.failure(.zip, bytes, limits: small) == .tooLarge(limit: 1 << 20))
    }

    @Test("class hostile zip: more entries than the limit are refused")
    func count() {
        let bytes = RawZip(entries: (0..<5).map { .init("\($0)", "x") }).bytes
        let limits = ArchiveLimits(entries: 4, totalBytes: 100, ratio: 200)
        #expect(ArchiveBytes.failure(.zip, bytes, limits: limits) == .tooManyEntries(limit: 4))
    }

    @Test("class hostile tar: links and devices are refused, names too", arguments: ["1", "2", "3", "4", "6"])
    func tarKinds(type: String) {
        var tar = RawTar()
        tar.add("a", "hello")
        tar.add("b", type: type, link: "/etc/passwd")
        #expect(ArchiveBytes.failure(.tar, tar.ended) == .unsupportedEntry("b"))
        var other = RawTar()
        other.add("../a", "hello")
        #expect(ArchiveBytes.failure(.tar, other.ended) == .unsafeName("../a", reason: .parent))
    }

    @Test("A tar archive is read; names that begin with its own folder are the same names")
    func tar() throws {
        var tar = RawTar()
        tar.add("./", type: "5")
        tar.add("./a.md", "hello")
        tar.add("./resources/", type: "5")
        tar.add("resources/é.png", String(repeating: "x", count: 1000))
        let entries = try ArchiveBytes.read(.tar, tar.ended, step: 100)
        #expect(entries.map(\.name) == ["a.md", "resources/", "resources/é.png"])
        #expect(entries.map(\.body.count) == [5, 0, 1000])
    }

    @Test("class length: a tar archive that was cut is not whole, at the edge of an entry neither")
    func tarTruncation() {
        var tar = RawTar()
        tar.add("a", "hello")
        tar.add("b", "world")
        #expect(ArchiveBytes.failure(.tar, Array(tar.bytes.prefix(256))) == .notAnArchive)
        for count in [0] + stride(from: 512, through: tar.bytes.count, by: 256) {
            #expect(ArchiveBytes.failure(.tar, Array(tar.bytes.prefix(count))) == .truncated, "\(count)")
        }
    }
}
