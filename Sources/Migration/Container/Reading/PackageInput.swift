import Crypto
import Foundation
import Kernel

/// Decrypts a package for the reader of its archive, and takes the checksums of both where they are wanted.
final class PackageInput {
    private let header: ContainerHeader
    private let isDigested: Bool
    private let source: () throws -> [UInt8]
    private var opener: ContainerOpener
    private var head: [UInt8] = []
    private var whole = SHA256()
    private var archive = SHA256()
    private var isAtEnd = false

    init(header: ContainerHeader, isDigested: Bool, source: @escaping () throws -> [UInt8]) {
        self.header = header
        self.isDigested = isDigested
        self.source = source
        opener = ContainerOpener(header: header)
    }

    /// The archive's next bytes, empty at its end.
    ///
    /// - Throws: ``ContainerError``, and what the source throws.
    func next() throws -> [UInt8] {
        var plaintext: [UInt8] = []
        while plaintext.isEmpty, !isAtEnd {
            let bytes = try source()
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
