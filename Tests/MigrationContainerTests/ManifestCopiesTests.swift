import Kernel
import Testing

@testable import MigrationContainer

@Suite("The copies of a manifest")
struct ManifestCopiesTests {
    private static func manifest(size: Int, hash: String, id: String = "B1", algorithm: String = "SHA256") -> [UInt8] {
        Array(
            """
            {"backupId":"\(id)","later":[1],
             "integrity":{"zipSize":\(size),"zipSHA256":"\(hash)","hashAlgorithm":"\(algorithm)"}}
            """.utf8
        )
    }

    @Test("#1: they may differ in the archive's size and hash alone")
    func comparison() throws {
        let outer = try ManifestCopies.read(Self.manifest(size: 9, hash: "ab"))
        let inner = try ManifestCopies.read(Self.manifest(size: 0, hash: ""))
        #expect(try ManifestCopies.inner(of: outer) == inner)
        try ManifestCopies.check(outer: outer, inner: inner)
        try ManifestCopies.check(outer: outer, inner: try ManifestCopies.read(Self.manifest(size: 4, hash: "old")))
        let other = try ManifestCopies.read(Self.manifest(size: 0, hash: "", id: "B2"))
        #expect(throws: ContainerError.manifestsDiffer) { try ManifestCopies.check(outer: outer, inner: other) }
    }

    @Test("#24: no hash but SHA256 is accepted")
    func algorithm() {
        #expect(throws: ContainerError.unsupported("checksum")) {
            try ManifestCopies.read(Self.manifest(size: 0, hash: "", algorithm: "MD5"))
        }
    }

    @Test("class hostile manifest: nesting, doubled keys and numbers beyond JSON's are malformed")
    func malformed() {
        let nested = String(repeating: "[", count: 1_000_000)
        for text in ["", "[]", "{}", nested, #"{"integrity":{},"integrity":{}}"#, #"{"a":NaN}"#, #"{"a":1e400}"#] {
            #expect(throws: ContainerError.malformedManifest) { try ManifestCopies.read(Array(text.utf8)) }
        }
        let long = [UInt8](repeating: 0x20, count: ManifestCopies.maximumByteCount + 1)
        #expect(throws: ContainerError.manifestTooLarge(limit: 8 << 20)) { try ManifestCopies.read(long) }
    }
}
