import Crypto
import Foundation
import Kernel

/// Decrypts a package for the reader of its archive, and takes the checksums of both where they are wanted.
final class PackageInput {
    private let header: ContainerHeader
    private let isDigested: Bool
    private let known: (any KnownArchive)?
    private let source: (Range<UInt64>) throws -> [UInt8]
    /// Bytes of the package that were taken or passed over.
    private var position: UInt64 = 0
    private var opener: ContainerOpener
    private var head: [UInt8] = []
    private var whole = SHA256()
    private var archive = SHA256()
    private var isAtEnd = false

    /// - Parameters:
    ///   - known: What need not be taken from the source.
    ///   - source: The package's bytes from the range's beginning on, any number of them, and none at the end. The range has what is wanted next.
    init(
        header: ContainerHeader,
        isDigested: Bool,
        known: (any KnownArchive)?,
        source: @escaping (Range<UInt64>) throws -> [UInt8]
    ) {
        self.header = header
        self.isDigested = isDigested
        self.known = known
        self.source = source
        opener = ContainerOpener(header: header)
    }

    /// The archive's next bytes, empty at its end.
    ///
    /// - Throws: ``ContainerError``, and what the source throws.
    func next() throws -> [UInt8] {
        var plaintext: [UInt8] = []
        while plaintext.isEmpty, !isAtEnd {
            if let segment = try knownSegment() {
                plaintext = segment
                break
            }
            let bytes = try source(position..<position + UInt64(wanted))
            position += UInt64(bytes.count)
            if isDigested { whole.update(data: bytes) }
            isAtEnd = bytes.isEmpty
            if isAtEnd {
                guard head.count == ContainerHeader.byteCount else { throw ContainerError.truncated }
                try opener.finish { plaintext += $0 }
            } else {
                let body = try takeHead(bytes)
                try opener.append(body) { plaintext += $0 }
            }
        }
        if isDigested { archive.update(data: plaintext) }
        return plaintext
    }

    private var wanted: Int {
        let missing = ContainerHeader.byteCount - head.count
        return missing > 0 ? missing : opener.missing
    }

    /// The next segment's plaintext, where it is known and nothing of the segment came.
    private func knownSegment() throws -> [UInt8]? {
        guard let known, head.count == ContainerHeader.byteCount, let next = opener.next,
            let plaintext = try known.bytes(in: next), plaintext.count == next.count
        else { return nil }
        // The same plaintext at the same place is the same segment. One that is not the same never leaves this device.
        if isDigested { whole.update(data: try opener.seal(plaintext)) }
        opener.passOver()
        position += UInt64(SegmentCipher.sealedSegment)
        return plaintext
    }

    /// The checksums of what came, empty where they are not wanted; the last call, behind the end.
    func digests() -> PackageDigests {
        guard isDigested else { return PackageDigests(zipSHA256: "", encSHA256: "") }
        return PackageDigests(
            zipSHA256: Hexadecimal.encode(archive.finalize()),
            encSHA256: Hexadecimal.encode(whole.finalize())
        )
    }

    /// What follows the header, which is the one that was opened before.
    private func takeHead(_ bytes: [UInt8]) throws(ContainerError) -> ArraySlice<UInt8> {
        let missing = ContainerHeader.byteCount - head.count
        guard missing > 0 else { return bytes[...] }
        head += bytes.prefix(missing)
        guard header.bytes.starts(with: head) else { throw .damagedHeader }
        return bytes.dropFirst(missing)
    }
}
