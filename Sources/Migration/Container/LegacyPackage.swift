import Archives
import Crypto
import Foundation
import Kernel

/// Reads a package of version 1: one AES-GCM box over the whole archive (nonce 12 ‖ ciphertext ‖ tag 16). It has no header and nothing that
/// tells a wrong key from damage, and its plaintext is held in memory, so it is bounded and never written. Its documentation names no way from
/// a password to the key, so the caller has the key.
public enum LegacyPackage {
    /// Bytes of the sealed file, which are looked at before it is read.
    public static let maximumByteCount = 256 << 20
    private static let overhead = 28

    /// - Parameter byteCount: Bytes of the file.
    /// - Throws: ``ContainerError/tooLarge``, ``ContainerError/truncated``.
    public static func check(byteCount: UInt64) throws(ContainerError) {
        guard byteCount <= UInt64(maximumByteCount) else { throw .tooLarge }
        guard byteCount >= UInt64(overhead) else { throw .truncated }
    }

    /// Hands what the package holds to a sink, in the order of a newer package: version 1 has its entries in any, some of them below a folder.
    ///
    /// - Parameter key: 32 bytes.
    /// - Throws: ``ContainerError/wrongPassword`` where the box does not open, else as ``PackageReader/read(from:)``.
    public static func read(_ sealed: [UInt8], key: [UInt8], to sink: any RestoreSink) throws -> PackageContents {
        let archive = try open(sealed, key: key)
        var entries = PackageEntries(sink: sink, outerManifest: nil, schemaVersion: nil) { $0 }
        let wanted =
            ["manifest.json", "security/master_key.bin"] + MigrationEntity.allCases.map(\.path)
            + [Manifest.fileListPath]
        // A pass for each kind of entry over what is in memory anyway, the files last.
        for pass in 0...wanted.count {
            try forEachEntry(of: archive) { entry, name, reader in
                let isWanted = pass < wanted.count ? name == wanted[pass] : !wanted.contains(name)
                if isWanted { try entries.take(entry, named: name, from: reader) }
            }
        }
        let manifest = try entries.finish()
        return PackageContents(
            manifest: manifest,
            digests: PackageDigests(
                zipSHA256: Hexadecimal.encode(SHA256.hash(data: archive)),
                encSHA256: Hexadecimal.encode(SHA256.hash(data: sealed))
            ),
            recordCounts: entries.counts,
            hasFileList: entries.hasFileList
        )
    }

    private static func open(_ sealed: [UInt8], key: [UInt8]) throws(ContainerError) -> Data {
        try check(byteCount: UInt64(sealed.count))
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let archive = try? AES.GCM.open(box, using: SymmetricKey(data: key))
        else { throw .wrongPassword }
        return archive
    }

    private static func forEachEntry(
        of archive: Data,
        _ body: (ArchiveEntry, String, ArchiveReader) throws -> Void
    ) throws {
        var rest = archive[...]
        let limits = ArchiveLimits(entries: 2_000_000, totalBytes: 1 << 30, ratio: 200)
        let reader = try ArchiveReader(.zip, limits: limits) {
            defer { rest = rest.dropFirst(1 << 20) }
            return Array(rest.prefix(1 << 20))
        }
        while let entry = try reader.next() {
            var name = entry.name.text[...]
            if name.hasPrefix("Backup-"), let slash = name.firstIndex(of: "/") {
                name = name[name.index(after: slash)...]
            }
            try body(entry, String(name), reader)
        }
    }
}
