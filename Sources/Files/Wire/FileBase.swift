import Commands
import Kernel
import Transfers

/// The content that a text was made from: a file is replaced by it only where it still is that. Source: `docs/protocol.md` 3.2.8.
package struct FileBase: Hashable, Sendable, Codable {
    /// Bytes of a file whose checksum is compared. It is read twice for that.
    package static let checksumLimit: Int64 = 16 << 20

    /// Bytes, 0 to 2^50; with a ``checksum`` at most ``checksumLimit``.
    package var size: Int64
    /// When it was changed last, in milliseconds since 1970-01-01T00:00:00Z. Compared only where there is no ``checksum``: a file that was
    /// written again as it was is the same.
    package var modifiedMilliseconds: Int64?
    /// The SHA-256 of the content, 64 hexadecimal digits.
    package var checksum: String?

    private enum CodingKeys: String, CodingKey {
        case size
        case modifiedMilliseconds = "modified"
        case checksum
    }

    package init(size: Int64, modifiedMilliseconds: Int64?, checksum: String?) {
        self.size = size
        self.modifiedMilliseconds = modifiedMilliseconds
        self.checksum = checksum
    }

    /// - Throws: `RemoteFailure` with -32602, also where neither date nor checksum is given: a size alone proves nothing.
    init(wire value: JSONValue) throws {
        let wire = RemoteParameters(value)
        size = try wire.integer("size", in: 0...TransferLimits.fileSize)
        modifiedMilliseconds = try wire.optionalInteger("modified", in: TransferLimits.modified)
        checksum = try wire.checksum()
        let isComparable = checksum.map { FileChecksum($0)?.isOfBlockTags == false && size <= Self.checksumLimit }
        guard isComparable ?? (modifiedMilliseconds != nil) else {
            throw RemoteFailure.badParameter(
                "basedOn",
                "a size with a date, or with the SHA-256 of at most \(Self.checksumLimit >> 20) MiB"
            )
        }
    }

    var wire: JSONValue {
        .members([
            "size": .integer(size), "modified": .whole(modifiedMilliseconds), "checksum": .text(checksum),
        ])
    }
}
