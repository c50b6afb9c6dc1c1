/// A part of a file as a binary message of the session: JSON would carry a third more, and be parsed byte by byte.
///
/// `01 ‖ version 01 ‖ kind ‖ transfer id (16 bytes) ‖ offset (8 bytes, big-endian) ‖ data`. An envelope always begins with `{`, so
/// the first byte tells them apart. Source: `docs/protocol.md`, "Files".
package struct TransferFrame: Hashable, Sendable {
    /// Tells a frame from an envelope.
    package static let firstByte: UInt8 = 0x01
    /// The only version there is; a frame of another one is dropped.
    package static let version: UInt8 = 0x01
    /// Bytes before the rest: the first byte, version, kind, transfer id and offset.
    package static let headerSize = 27
    /// Bytes of the file in one frame at most.
    package static let dataLimit = 512 << 10
    /// Bytes one side may have sent or asked for in all transfers without having an answer. Small, so that a keystroke never waits
    /// long behind a file.
    package static let window = 2 << 20
    /// The offset of a question for a bulk connection and of its answer: beyond every part, so that none has the same.
    package static let connectionOffset = TransferLimits.fileSize

    /// The content of a frame, by its kind.
    package enum Content: Hashable, Sendable {
        /// The file's bytes at the offset.
        case data(ArraySlice<UInt8>)
        /// The bytes at the offset, so many, have arrived and are in the file.
        case taken(count: Int)
        /// Send so many bytes from the offset.
        case want(count: Int)
        /// The refusal of a frame sent or wanted at the offset.
        case refused(code: Int, reason: String)
        /// Agree on a bulk connection, for this transfer and others. Source: `docs/protocol.md` 2.12.1.
        case connect
        /// The ticket of that connection.
        case offer(BulkOffer)
    }

    package var transfer: TransferID
    /// The offset in the file, in bytes.
    package var offset: Int64
    package var content: Content

    package init(transfer: TransferID, offset: Int64, content: Content) {
        self.transfer = transfer
        self.offset = offset
        self.content = content
    }

    /// Nil for anything that is not exactly a frame of this version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize, bytes.count <= Self.headerSize + Self.dataLimit,
            bytes[0] == Self.firstByte, bytes[1] == Self.version, let transfer = TransferID(Array(bytes[3..<19])),
            let offset = Int64(exactly: Self.number(bytes[19..<27])), offset <= Int64.max - Int64(Self.dataLimit)
        else { return nil }
        let rest = bytes[Self.headerSize...]
        switch bytes[2] {
        case 1 where !rest.isEmpty: content = .data(rest)
        case 2 where rest.count == 4: content = .taken(count: Int(Self.number(rest)))
        case 3 where rest.count == 4: content = .want(count: Int(Self.number(rest)))
        case 4 where rest.count >= 4 && rest.count <= 1028:
            let code = Int32(bitPattern: UInt32(Self.number(rest.prefix(4))))
            content = .refused(code: Int(code), reason: String(decoding: rest.dropFirst(4), as: UTF8.self))
        case 5 where rest.isEmpty: content = .connect
        case 6:
            guard let offer = BulkOffer(bytes: rest) else { return nil }
            content = .offer(offer)
        default: return nil
        }
        switch content {
        case .taken(let count), .want(let count): guard (1...Self.dataLimit).contains(count) else { return nil }
        case .connect, .offer: guard offset == Self.connectionOffset else { return nil }
        case .data, .refused: break
        }
        self.transfer = transfer
        self.offset = offset
    }

    /// The whole frame as it travels. A reason is cut to 1024 bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if case .data(let data) = content { bytes.reserveCapacity(Self.headerSize + data.count) }
        bytes += [Self.firstByte, Self.version, kind]
        bytes += transfer.bytes
        Self.append(UInt64(clamping: offset), width: 8, to: &bytes)
        switch content {
        case .data(let data): bytes += data
        case .taken(let count), .want(let count): Self.append(UInt64(clamping: count), width: 4, to: &bytes)
        case .refused(let code, let reason):
            Self.append(UInt64(UInt32(bitPattern: Int32(clamping: code))), width: 4, to: &bytes)
            bytes += reason.utf8.prefix(1024)
        case .connect: break
        case .offer(let offer): bytes += offer.bytes
        }
        return bytes
    }

    private var kind: UInt8 {
        switch content {
        case .data: 1
        case .taken: 2
        case .want: 3
        case .refused: 4
        case .connect: 5
        case .offer: 6
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func append(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        for place in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
    }
}
