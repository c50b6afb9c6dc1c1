/// `lv(x)`: the length of x as LEB128, then x. Concatenations of it are unambiguous, so hashed or signed values cannot be
/// split differently. Source: `docs/protocol.md` 2; the CPace draft calls it `prepend_len`.
package enum LengthValue {
    package static func encode(_ value: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.count + 2)
        var rest = value.count
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        bytes += value
        return bytes
    }

    package static func encode(_ text: String) -> [UInt8] { encode(Array(text.utf8)) }

    /// `lv` of each value in turn.
    package static func concatenate(_ values: [[UInt8]]) -> [UInt8] {
        values.flatMap { encode($0) }
    }
}
