/// Cuts a byte stream into the bodies of frames, clear or sealed. A length is checked when it arrives, before a byte of the body is kept; a body is put
/// together where it is handed out from, since nearly all bytes of a move come through here.
public struct MigrationFrameReader: Sendable {
    /// The most bytes of a body. A link raises it once its peer is proven.
    public var limit: Int
    /// The body that comes now.
    private var body: [UInt8] = []
    private var isInBody = false
    /// Bytes that the body still needs.
    private var missing = 0
    /// What arrived and belongs to no body yet, from `start` on.
    private var rest: [UInt8] = []
    private var start = 0

    public init(limit: Int = MigrationFrame.maximumBytesBeforeProof) { self.limit = limit }

    /// The bytes held of frames that were not taken yet, beside their lengths.
    public var pendingBytes: Int { body.count + rest.count - start }

    public mutating func append(_ bytes: some Collection<UInt8>) {
        let part = bytes.prefix(missing)
        body.append(contentsOf: part)
        missing -= part.count
        guard part.count < bytes.count else { return }
        if start > 0 {
            rest.removeFirst(start)
            start = 0
        }
        rest.append(contentsOf: bytes.dropFirst(part.count))
    }

    /// The next complete body; nil until more bytes arrive.
    ///
    /// - Throws: ``MigrationTransferError/messageTooLarge(bytes:limit:)``. The stream cannot be read on after that.
    public mutating func next() throws(MigrationTransferError) -> [UInt8]? {
        if !isInBody {
            guard rest.count - start >= 4 else { return nil }
            let total = Int(rest.bigEndian32(at: start))
            guard total <= limit else { throw .messageTooLarge(bytes: total, limit: limit) }
            begin(total)
        }
        guard missing == 0 else { return nil }
        isInBody = false
        defer { body = [] }
        return body
    }

    private mutating func begin(_ total: Int) {
        let part = rest[(start + 4)...].prefix(total)
        body.reserveCapacity(total)
        body += part
        missing = total - part.count
        isInBody = true
        start += 4 + part.count
        guard start == rest.count else { return }
        rest.removeAll(keepingCapacity: true)
        start = 0
    }
}
