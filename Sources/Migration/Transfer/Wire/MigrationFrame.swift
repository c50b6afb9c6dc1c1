public import Kernel

/// One frame of a migration's link: a JSON message, and the bytes of a chunk behind it. Source: `docs/protocol.md` 2.14.
///
/// `u32 BE totalLength | body`, where the body is `u32 BE jsonLength | json | raw` and `totalLength` counts its bytes.
public struct MigrationFrame: Hashable, Sendable {
    /// Bounds a body: a chunk of 16 MiB and its header.
    public static let maximumTotalBytes = 16 << 20 + 64 << 10
    /// Bounds a body before the peer is proven, so that a stranger costs little memory.
    public static let maximumBytesBeforeProof = 16 << 10
    /// Bounds `jsonLength`.
    public static let maximumJSONBytes = 1 << 20

    public var json: JSONValue
    /// Empty but for a chunk.
    public var raw: [UInt8]

    public init(json: JSONValue, raw: [UInt8] = []) {
        self.json = json
        self.raw = raw
    }

    /// - Parameter body: What follows `totalLength`.
    /// - Throws: ``MigrationTransferError/messageTooLarge(bytes:limit:)``, ``MigrationTransferError/malformedMessage(what:)``.
    public init(body: [UInt8]) throws(MigrationTransferError) {
        guard body.count <= Self.maximumTotalBytes else {
            throw .messageTooLarge(bytes: body.count, limit: Self.maximumTotalBytes)
        }
        guard body.count >= 4 else { throw .malformedMessage(what: "lengths disagree") }
        let length = Int(body.bigEndian32(at: 0))
        guard length <= Self.maximumJSONBytes else {
            throw .messageTooLarge(bytes: length, limit: Self.maximumJSONBytes)
        }
        guard length <= body.count - 4 else { throw .malformedMessage(what: "lengths disagree") }
        do {
            json = try JSONValue(parsing: body[4..<4 + length])
        } catch {
            throw .malformedMessage(what: "not JSON")
        }
        raw = Array(body[(4 + length)...])
    }

    /// What follows `totalLength`.
    ///
    /// - Throws: ``MigrationTransferError/messageTooLarge(bytes:limit:)``.
    public func body() throws(MigrationTransferError) -> [UInt8] {
        let text = json.canonicalBytes
        guard text.count <= Self.maximumJSONBytes else {
            throw .messageTooLarge(bytes: text.count, limit: Self.maximumJSONBytes)
        }
        let total = 4 + text.count + raw.count
        guard total <= Self.maximumTotalBytes else {
            throw .messageTooLarge(bytes: total, limit: Self.maximumTotalBytes)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(total)
        bytes.append(bigEndian: UInt32(text.count))
        bytes += text
        bytes += raw
        return bytes
    }
}
