import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("Media at rest", .timeLimit(.minutes(3)))
struct SealedMediaTests {
    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    private func withVault(_ body: (MediaVault, MediaPath) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID.randomText())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try #require(MediaPath("Videos/2026/a.mov"))
        try body(MediaVault(folder, keys: try MediaKeys(master: [UInt8](repeating: 1, count: 32))), path)
    }

    @Test(
        "media of every size come back, whole and in any part, and are as long as the arithmetic says",
        arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]
    )
    func sizes(count: Int) throws {
        try withVault { vault, path in
            let bytes = Self.bytes(count)
            let stored = try vault.save(bytes, to: path, keyId: "k")
            #expect(stored.size == SealedMediaLayout.fileSize(of: Int64(count)))
            #expect(vault.size(of: path) == stored.size)
            let reader = try vault.reader(path, keyId: "k")
            #expect(reader.size == Int64(count))
            var whole: [UInt8] = []
            try reader.forEachSegment { whole += $0 }
            #expect(whole == bytes)
            for range in [0..<1, count / 2..<count, 65_530..<65_540, count - 1..<count]
            where range.lowerBound >= 0 && range.upperBound <= count {
                #expect(try reader.read(Int64(range.lowerBound)..<Int64(range.upperBound)) == Array(bytes[range]))
            }
        }
    }

    @Test("a bit that was flipped anywhere is noticed, and nothing of that segment is given")
    func flips() throws {
        try withVault { vault, path in
            _ = try vault.save(Self.bytes(70_000), to: path, keyId: "k")
            let url = vault.url(path)
            let whole = try Data(contentsOf: url)
            for place in [0, 8, 9, 10, 12, 20, 48, 54, 60, 64, 30_000, 65_620, 65_630, whole.count - 1] {
                var changed = whole
                changed[place] ^= 1
                try changed.write(to: url)
                #expect(throws: JournalError.self, "byte \(place)") {
                    try vault.reader(path, keyId: "k").forEachSegment { _ in }
                }
            }
        }
    }

    @Test("a file that was cut short, made longer, or whose segments were swapped does not open")
    func lengths() throws {
        try withVault { vault, path in
            _ = try vault.save(Self.bytes(140_000), to: path, keyId: "k")
            let url = vault.url(path)
            let whole = try Data(contentsOf: url)
            let (first, second) = (64..<64 + 65_552, 64 + 65_552..<64 + 2 * 65_552)
            var shapes = [0, 63, 64, 79, 80, 64 + 65_552, 64 + 2 * 65_552, whole.count - 1].map { whole.prefix($0) }
            shapes.append(whole + [0])
            shapes.append(whole[..<64] + whole[second] + whole[first] + whole[second.upperBound...])
            for shape in shapes {
                try Data(shape).write(to: url)
                #expect(throws: JournalError.self, "\(shape.count) bytes") {
                    try vault.reader(path, keyId: "k").forEachSegment { _ in }
                }
            }
        }
    }

    @Test("another key, another key's id and another form are told apart")
    func keys() throws {
        try withVault { vault, path in
            _ = try vault.save(Self.bytes(10), to: path, keyId: "k")
            #expect(throws: JournalError.mediumDamaged) { try vault.reader(path, keyId: "other").check() }
            let other = MediaVault(vault.folder, keys: try MediaKeys(master: [UInt8](repeating: 2, count: 32)))
            #expect(throws: JournalError.mediumDamaged) { try other.reader(path, keyId: "k").check() }
            try vault.reader(path, keyId: "k").check()
            try Data(repeating: 0xFF, count: 200).write(to: vault.url(path))
            #expect(throws: JournalError.mediumUnknown) { try vault.reader(path, keyId: "k") }
            try FileManager.default.removeItem(at: vault.url(path))
            #expect(throws: JournalError.mediumMissing) { try vault.reader(path, keyId: "k") }
            #expect(throws: JournalError.noMasterKey) { try MediaKeys(master: [1, 2, 3]) }
        }
    }

    @Test("two files of one key share no byte of their cipher, and nobody else can read them")
    func salts() throws {
        try withVault { vault, path in
            let other = try #require(MediaPath("Videos/2026/b.mov"))
            for path in [path, other] { _ = try vault.save([UInt8](repeating: 0, count: 4096), to: path, keyId: "k") }
            let (one, two) = (try Data(contentsOf: vault.url(path)), try Data(contentsOf: vault.url(other)))
            let same = zip(one.dropFirst(64), two.dropFirst(64)).count { $0 == $1 }
            #expect(same < 100)
            let mode = try FileManager.default.attributesOfItem(atPath: vault.url(path).path)[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
        }
    }
}
