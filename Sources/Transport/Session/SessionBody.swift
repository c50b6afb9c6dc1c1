/// What a record says once it is opened. Source: `docs/protocol.md` 2.5.
package enum SessionBody: Hashable, Sendable {
    /// `durable` is 0 for a message that need not outlive the process.
    case data(number: UInt64, durable: UInt64, acknowledged: UInt64, bytes: [UInt8])
    case acknowledgement(UInt64)
    case ping(UInt64)
    case pong(UInt64)
    case close

    /// The largest message, in bytes.
    package static let maximumMessageBytes = 700_000

    package var encoded: [UInt8] {
        switch self {
        case .data(let number, let durable, let acknowledged, let bytes):
            var body: [UInt8] = [1]
            body.reserveCapacity(25 + bytes.count)
            Self.append(number, to: &body)
            Self.append(durable, to: &body)
            Self.append(acknowledged, to: &body)
            body += bytes
            return body
        case .acknowledgement(let number): return Self.encode(2, number)
        case .ping(let token): return Self.encode(3, token)
        case .pong(let token): return Self.encode(4, token)
        case .close: return [5]
        }
    }

    /// Nil for a body of a later version or one that was cut short.
    package init?(_ body: [UInt8]) {
        guard let kind = body.first else { return nil }
        switch kind {
        case 1:
            guard body.count >= 25, body.count - 25 <= Self.maximumMessageBytes else { return nil }
            let number = Self.integer(body[1..<9])
            let durable = Self.integer(body[9..<17])
            // Greater ones do not fit the store's integers, and nobody counts that far.
            guard number > 0, number <= Int64.max, durable <= Int64.max else { return nil }
            self = .data(
                number: number,
                durable: durable,
                acknowledged: Self.integer(body[17..<25]),
                bytes: Array(body[25...])
            )
        case 2 where body.count >= 9: self = .acknowledgement(Self.integer(body[1..<9]))
        case 3 where body.count >= 9: self = .ping(Self.integer(body[1..<9]))
        case 4 where body.count >= 9: self = .pong(Self.integer(body[1..<9]))
        case 5: self = .close
        default: return nil
        }
    }

    private static func encode(_ kind: UInt8, _ value: UInt64) -> [UInt8] {
        var body = [kind]
        append(value, to: &body)
        return body
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
