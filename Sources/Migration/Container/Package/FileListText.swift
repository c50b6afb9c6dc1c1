import Archives
import Foundation
import Kernel

/// The list of files of a package that has more than its manifest lists: a ``ManifestFile`` a line, in blocks that are made when they are
/// asked for.
struct FileListText: Codable, Hashable, Sendable {
    /// Files of a block.
    static let blockCount = 256

    /// Where each block begins.
    let starts: [UInt64]
    let size: UInt64
    let crc32: UInt32

    init(_ files: [PackagePlan.File]) throws {
        var starts: [UInt64] = []
        var size: UInt64 = 0
        var checksum = CRC32()
        for first in stride(from: 0, to: files.count, by: Self.blockCount) {
            let text = try Self.bytes(files, first)
            starts.append(size)
            size += UInt64(text.count)
            checksum.update(text)
        }
        self.starts = starts
        self.size = size
        crc32 = checksum.value
    }

    /// The block that holds the byte at `offset`.
    func block(at offset: UInt64) -> Int { (starts.firstIndex { $0 > offset } ?? starts.count) - 1 }

    func bytes(ofBlock index: Int, _ files: [PackagePlan.File]) throws -> [UInt8] {
        try Self.bytes(files, index * Self.blockCount)
    }

    private static func bytes(_ files: [PackagePlan.File], _ first: Int) throws -> [UInt8] {
        try files[first..<min(first + blockCount, files.count)].flatMap {
            try JSONValue(encoding: ManifestFile($0)).canonicalBytes + [0x0A]
        }
    }
}
