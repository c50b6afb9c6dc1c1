import Kernel

/// Cuts a byte stream into frames. Lengths are checked when they arrive, before a byte of the body is kept.
public struct MigrationFrameReader: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0

    public init() {}

    /// The bytes held of a frame that is not complete.
    public var pendingBytes: Int { buffer.count - start }

    public mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next complete frame; nil until more bytes arrive.
    ///
    /// - Throws: ``TransferError/messageTooLarge(bytes:limit:)``, ``TransferError/malformedMessage(what:)``. The stream cannot be read on after that.
    public mutating func next() throws(TransferError) -> MigrationFrame? {
        guard pendingBytes >= 8 else { return nil }
        let total = Int(buffer.bigEndian32(at: start))
        let jsonLength = Int(buffer.bigEndian32(at: start + 4))
        guard total <= MigrationFrame.maximumTotalBytes else {
            throw .messageTooLarge(bytes: total, limit: MigrationFrame.maximumTotalBytes)
        }
        guard jsonLength <= MigrationFrame.maximumJSONBytes else {
            throw .messageTooLarge(bytes: jsonLength, limit: MigrationFrame.maximumJSONBytes)
        }
        guard total >= 4, jsonLength <= total - 4 else { throw .malformedMessage(what: "lengths disagree") }
        guard pendingBytes >= 4 + total else { return nil }
        let text = start + 8
        let end = start + 4 + total
        let json: JSONValue
        do {
            json = try JSONValue(parsing: buffer[text..<text + jsonLength])
        } catch {
            throw .malformedMessage(what: "not JSON")
        }
        let frame = MigrationFrame(json: json, raw: Array(buffer[(text + jsonLength)..<end]))
        start = end
        return frame
    }
}
