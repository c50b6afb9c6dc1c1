/// What a record of a bulk connection is about. Source: `docs/protocol.md` 2.12.3.
package struct BulkRecordHead: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
        /// Bytes of a body, which follow.
        case data = 1
        /// So many bytes at the offset are in the file.
        case taken = 2
        /// So many bytes from the offset are wanted.
        case want = 3
        /// The bytes or the wish at the offset are refused; a code and a sentence follow.
        case refused = 4
        /// The sender says nothing more over this connection.
        case end = 5
    }

    package static let size = 32
    /// Bytes of the head as it travels, with its tag.
    package static let sealedSize = size + 16
    private static let finalFlag: UInt8 = 1

    package let kind: Kind
    /// Whether the sender sends no more data of this body over this connection.
    package let isFinal: Bool
    package let body: TransferID
    package let offset: Int64
    /// The bytes that follow, or that are taken or wanted.
    package let count: Int

    package init(_ kind: Kind, isFinal: Bool = false, body: TransferID, offset: Int64 = 0, count: Int = 0) {
        self.kind = kind
        self.isFinal = isFinal
        self.body = body
        self.offset = offset
        self.count = count
    }

    /// The plain bytes that follow the head.
    package var payloadSize: Int { kind == .data || kind == .refused ? count : 0 }

    /// - Throws: ``BulkError/malformed(_:)`` for anything that is not as documented.
    package init(bytes: [UInt8]) throws(BulkError) {
        guard bytes.count == Self.size, let kind = Kind(rawValue: bytes[0]) else { throw .malformed("a record's head") }
        guard bytes[1] & ~Self.finalFlag == 0, bytes[2] == 0, bytes[3] == 0 else {
            throw .malformed("a record's flags")
        }
        guard let body = TransferID(Array(bytes[4..<20])), let offset = Int64(exactly: Self.number(bytes[20..<28]))
        else {
            throw .malformed("a record's place")
        }
        self.init(
            kind,
            isFinal: bytes[1] == Self.finalFlag,
            body: body,
            offset: offset,
            count: Int(Self.number(bytes[28..<32]))
        )
        try check()
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = [kind.rawValue, isFinal ? Self.finalFlag : 0, 0, 0]
        bytes.reserveCapacity(Self.size)
        bytes += body.bytes
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: offset >> Int64(56 - 8 * place))) }
        for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: count >> (24 - 8 * place))) }
        return bytes
    }

    /// - Throws: ``BulkError/malformed(_:)`` when kind, flag, place and count do not go together.
    func check() throws(BulkError) {
        guard offset >= 0, offset <= TransferLimits.fileSize else { throw .malformed("a record's place") }
        guard !isFinal || kind == .data else { throw .malformed("a record's flags") }
        let allowed =
            switch kind {
            // Only the last may be empty: a body of no bytes has an end, too.
            case .data: (isFinal ? 0 : 1)...BulkLimits.recordSize
            case .taken, .want: 1...BulkLimits.recordSize
            case .refused: BulkLimits.refusalSize
            case .end: 0...0
            }
        guard allowed.contains(count) else { throw .malformed("a record's length") }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
