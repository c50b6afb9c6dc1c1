import Crypto
import Foundation
import Testing

@testable import MigrationContainer

@Suite("A package of version 1")
struct LegacyPackageTests {
    private static let key = SymmetricKey(data: [UInt8](repeating: 1, count: 32))

    @Test("#9: it is read up to 256 MiB, which is checked by its size alone")
    func bounds() throws {
        try LegacyPackage.check(byteCount: 256 << 20)
        #expect(throws: ContainerError.tooLarge) { try LegacyPackage.check(byteCount: (256 << 20) + 1) }
        #expect(throws: ContainerError.truncated) { try LegacyPackage.check(byteCount: 27) }
    }

    @Test("#9: it opens with its key, and not with another or after a flip")
    func opening() throws {
        let archive = Data("archive".utf8)
        var sealed = try #require(try AES.GCM.seal(archive, using: Self.key).combined)
        #expect(try LegacyPackage.open(sealed, key: Self.key) == archive)
        let other = SymmetricKey(data: [UInt8](repeating: 2, count: 32))
        #expect(throws: ContainerError.wrongPassword) { try LegacyPackage.open(sealed, key: other) }
        sealed[sealed.startIndex + 14] ^= 1
        #expect(throws: ContainerError.wrongPassword) { try LegacyPackage.open(sealed, key: Self.key) }
    }
}
