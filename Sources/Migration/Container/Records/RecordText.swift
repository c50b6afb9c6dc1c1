import Archives
import Crypto
import Foundation
import Kernel

/// The text of one table's records, made in blocks of whole records: each block can be made again alone, with the same bytes.
///
/// The text is `[`, a line for each record in canonical JSON with commas between, `]`. A block that comes out otherwise the second time is
/// refused by its hash, for its segments would be sealed under nonces that were used.
struct RecordText: Codable, Hashable, Sendable {
    struct Block: Codable, Hashable, Sendable {
        /// Where it begins in the text.
        let start: UInt64
        let recordCount: Int
        /// Of the record in front of it; nil for the first block.
        let key: String?
        let sha256: [UInt8]
    }

    /// A block ends with the record that makes it this long.
    static let blockSize = 128 << 10
    /// Bytes of one record; a picture of a category's icon is the largest part of any.
    static let maximumRecord = 16 << 20
    /// Bytes of all records of a package.
    static let maximumTotal = UInt64(512) << 20

    let entity: MigrationEntity
    let blocks: [Block]
    let size: UInt64
    let crc32: UInt32
    let recordCount: Int

    /// Reads the table once.
    ///
    /// - Parameter limit: Bytes that the text may have.
    /// - Throws: ``ContainerError/recordsTooLarge(_:)``, ``ContainerError/invalidArgument(_:)`` for a record that is no object, and what the
    ///   source throws.
    init(of entity: MigrationEntity, in source: any BackupSource, limit: UInt64) throws {
        var blocks: [Block] = []
        var size: UInt64 = 0
        var checksum = CRC32()
        var count = 0
        var key: String?
        var last: String?
        var text: [UInt8] = []
        var inBlock = 0
        func close() throws {
            blocks.append(
                Block(start: size, recordCount: inBlock, key: key, sha256: Array(SHA256.hash(data: text)))
            )
            checksum.update(text)
            size += UInt64(text.count)
            guard size <= limit else { throw ContainerError.recordsTooLarge(entity.path) }
            text.removeAll(keepingCapacity: true)
            key = last
            inBlock = 0
        }
        try source.readRecords(of: entity, after: nil) { record in
            if text.count >= Self.blockSize { try close() }
            try Self.append(record, isFirst: count == 0, of: entity, to: &text)
            count += 1
            inBlock += 1
            last = record.key
            return true
        }
        Self.appendEnd(isEmpty: count == 0, to: &text)
        try close()
        self.entity = entity
        self.blocks = blocks
        self.size = size
        crc32 = checksum.value
        recordCount = count
    }

    /// The block that holds the byte at `offset`.
    func block(at offset: UInt64) -> Int {
        var low = 0
        var high = blocks.count
        while low + 1 < high {
            let middle = (low + high) / 2
            if blocks[middle].start <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// Makes a block again.
    ///
    /// - Throws: ``ContainerError/sourceChanged(_:)``, and what the source throws.
    func bytes(ofBlock index: Int, in source: any BackupSource) throws -> [UInt8] {
        let block = blocks[index]
        var text: [UInt8] = []
        text.reserveCapacity(Self.blockSize + 4096)
        var count = 0
        if block.recordCount > 0 {
            try source.readRecords(of: entity, after: block.key) { record in
                try Self.append(record, isFirst: index == 0 && count == 0, of: entity, to: &text)
                count += 1
                return count < block.recordCount
            }
        }
        if index == blocks.count - 1 { Self.appendEnd(isEmpty: recordCount == 0, to: &text) }
        guard count == block.recordCount, Array(SHA256.hash(data: text)) == block.sha256 else {
            throw ContainerError.sourceChanged(entity.path)
        }
        return text
    }

    private static func append(
        _ record: BackupRecord,
        isFirst: Bool,
        of entity: MigrationEntity,
        to text: inout [UInt8]
    ) throws {
        guard record.text.first == UInt8(ascii: "{") else { throw ContainerError.invalidArgument("record") }
        guard record.text.count <= maximumRecord else { throw ContainerError.recordsTooLarge(entity.path) }
        text += (isFirst ? "[\n" : ",\n").utf8
        text += record.text
    }

    private static func appendEnd(isEmpty: Bool, to text: inout [UInt8]) {
        text += (isEmpty ? "[]\n" : "\n]\n").utf8
    }
}
