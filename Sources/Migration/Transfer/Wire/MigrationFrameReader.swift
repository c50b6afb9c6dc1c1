/// Cuts a byte stream into the bodies of frames, clear or sealed. A length is checked when it arrives, before a byte of the body is kept.
public struct MigrationFrameReader: Sendable {
    /// The most bytes of a body. A link raises it once its peer is proven.
    public var limit: Int
    private var buffer: [UInt8] = []
    private var start = 0

    public init(limit: Int = MigrationFrame.maximumBytesBeforeProof) { self.limit = limit }

    /// The bytes held of frames that were not taken yet.
    public var pendingBytes: Int { buffer.count - start }

    public mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next complete body; nil until more bytes arrive.
    ///
    /// - Throws: ``MigrationTransferError/messageTooLarge(bytes:limit:)``. The stream cannot be read on after that.
    public mutating func next() throws(MigrationTransferError) -> [UInt8]? {
        guard pendingBytes >= 4 else { return nil }
        let total = Int(buffer.bigEndian32(at: start))
        guard total <= limit else { throw .messageTooLarge(bytes: total, limit: limit) }
        guard pendingBytes >= 4 + total else { return nil }
        let body = Array(buffer[(start + 4)..<(start + 4 + total)])
        start += 4 + total
        return body
    }
}
