public import Kernel

/// One frame of a migration's link: a JSON message, and the bytes of a chunk behind it. Source: `docs/protocol.md` 2.14.
///
/// `u32 BE totalLength | u32 BE jsonLength | json | raw`, where `totalLength` counts all that follows it.
public struct MigrationFrame: Hashable, Sendable {
    /// Bounds `totalLength`: a chunk of 16 MiB and its header.
    public static let maximumTotalBytes = 16 << 20 + 64 << 10
    /// Bounds `jsonLength`.
    public static let maximumJSONBytes = 1 << 20

    public var json: JSONValue
    /// Empty but for a chunk.
    public var raw: [UInt8]

    public init(json: JSONValue, raw: [UInt8] = []) {
        self.json = json
        self.raw = raw
    }

    /// - Throws: ``TransferError/messageTooLarge(bytes:limit:)``.
    public func encoded() throws(TransferError) -> [UInt8] {
        let text = json.canonicalBytes
        guard text.count <= Self.maximumJSONBytes else {
            throw .messageTooLarge(bytes: text.count, limit: Self.maximumJSONBytes)
        }
        let total = 4 + text.count + raw.count
        guard total <= Self.maximumTotalBytes else {
            throw .messageTooLarge(bytes: total, limit: Self.maximumTotalBytes)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + total)
        bytes.append(bigEndian: UInt32(total))
        bytes.append(bigEndian: UInt32(text.count))
        bytes += text
        bytes += raw
        return bytes
    }
}
