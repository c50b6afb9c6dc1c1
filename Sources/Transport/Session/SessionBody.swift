/// The content of an opened record. Source: `docs/protocol.md` 2.5.
package enum SessionBody: Hashable, Sendable {
    /// `durable` is 0 for a message that need not outlive the process.
    case data(number: UInt64, durable: UInt64, acknowledged: UInt64, bytes: [UInt8])
    case acknowledgement(UInt64)
    case ping(UInt64)
    case pong(UInt64)
    case close

    /// The largest message, in bytes.
    package static let maximumMessageBytes = 700_000

    /// The start of a body; ``bytes`` follow.
    package var head: [UInt8] {
        switch self {
        case .data(let number, let durable, let acknowledged, _):
            var head: [UInt8] = [1]
            head.reserveCapacity(Self.dataHeadCount)
            for value in [number, durable, acknowledged] { Self.append(value, to: &head) }
            return head
        case .acknowledgement(let number): return Self.encode(2, number)
        case .ping(let token): return Self.encode(3, token)
        case .pong(let token): return Self.encode(4, token)
        case .close: return [5]
        }
    }

    /// The message that it carries.
    package var bytes: [UInt8] {
        if case .data(_, _, _, let bytes) = self { bytes } else { [] }
    }

    /// Nil for a body of a later version or one that was cut short.
    package init?(_ body: UnsafeRawBufferPointer) {
        guard let kind = body.first else { return nil }
        switch kind {
        case 1:
            guard body.count >= Self.dataHeadCount, body.count - Self.dataHeadCount <= Self.maximumMessageBytes else {
                return nil
            }
            let number = Self.integer(body, at: 1)
            let durable = Self.integer(body, at: 9)
            // Greater ones do not fit the store's integers, and no sender counts that far.
            guard number > 0, number <= Int64.max, durable <= Int64.max else { return nil }
            self = .data(
                number: number,
                durable: durable,
                acknowledged: Self.integer(body, at: 17),
                bytes: Array(body[Self.dataHeadCount...])
            )
        case 2 where body.count >= 9: self = .acknowledgement(Self.integer(body, at: 1))
        case 3 where body.count >= 9: self = .ping(Self.integer(body, at: 1))
        case 4 where body.count >= 9: self = .pong(Self.integer(body, at: 1))
        case 5: self = .close
        default: return nil
        }
    }

    private static let dataHeadCount = 25

    private static func encode(_ kind: UInt8, _ value: UInt64) -> [UInt8] {
        var body = [kind]
        append(value, to: &body)
        return body
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    private static func integer(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
