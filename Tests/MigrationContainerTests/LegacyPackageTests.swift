import Archives
import Crypto
import Foundation
import Kernel
import Testing

@testable import MigrationContainer

@Suite("A package of version 1")
struct LegacyPackageTests {
    private static let key = [UInt8](repeating: 1, count: 32)

    /// The entries of a whole package in reverse, below a folder, as a program that packs a folder has them.
    private static func sealed() throws -> [UInt8] {
        var archive: [UInt8] = []
        let writer = try ZipWriter { archive += $0 }
        for entry in try SealedArchive.whole().entries.reversed() {
            let body = entry.name.hasPrefix("security") ? [5, 6, 7] : entry.body
            let name = try ArchiveName("Backup-1/\(entry.name)")
            try writer.begin(name, size: UInt64(body.count), method: .deflated, modified: .distantPast)
            try writer.write(body)
        }
        try writer.finish()
        return Array(try #require(try AES.GCM.seal(archive, using: SymmetricKey(data: key)).combined))
    }

    @Test("#9: its size alone decides whether it is read: 256 MiB at most")
    func bounds() throws {
        try LegacyPackage.check(byteCount: 256 << 20)
        #expect(throws: ContainerError.tooLarge) { try LegacyPackage.check(byteCount: (256 << 20) + 1) }
        #expect(throws: ContainerError.truncated) { try LegacyPackage.check(byteCount: 27) }
    }

    @Test("#9: its entries are taken in the order of a newer one, wherever they stand")
    func reading() throws {
        let sink = CollectingSink()
        let contents = try LegacyPackage.read(try Self.sealed(), key: Self.key, to: sink)
        #expect(sink.masterKey == [5, 6, 7])
        #expect(sink.files == ["a.jpg": [9, 9, 9]])
        #expect(contents.recordCounts[.stories] == 1)
    }

    @Test("#9: another key, or a flip, opens nothing")
    func wrongKey() throws {
        var sealed = try Self.sealed()
        let other = [UInt8](repeating: 2, count: 32)
        #expect(throws: ContainerError.wrongPassword) {
            try LegacyPackage.read(sealed, key: other, to: CollectingSink())
        }
        sealed[14] ^= 1
        #expect(throws: ContainerError.wrongPassword) {
            try LegacyPackage.read(sealed, key: Self.key, to: CollectingSink())
        }
    }
}
