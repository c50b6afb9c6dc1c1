extension JSONValue {
    /// One text for one value: keys sorted by their UTF-8 bytes, no white space, only the escapes JSON demands.
    /// Both ends of a pairing hash this form, so it must never change.
    public var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        appendCanonical(to: &bytes)
        return bytes
    }

    /// ``canonicalBytes`` as a text.
    public var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }

    private func appendCanonical(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        // JSON has no infinity or NaN; null is what JavaScript writes for them.
        case .number(let value): bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
        case .string(let value): Self.appendQuoted(value, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            var isFirst = true
            for value in values {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                value.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            var isFirst = true
            for (key, value) in members.sorted(by: { Self.precedes($0.key, $1.key) }) {
                if !isFirst { bytes.append(UInt8(ascii: ",")) }
                isFirst = false
                Self.appendQuoted(key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                value.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        let isBefore = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { left.lexicographicallyPrecedes($0) }
        }
        return (isBefore ?? nil) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Appends `text` as a JSON string with its quotes.
    public static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.withContiguousStorageIfAvailable({ appendEscaped($0, to: &bytes) }) == nil {
            Array(text.utf8).withUnsafeBufferPointer { appendEscaped($0, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let raw = UnsafeRawBufferPointer(text)
        // A long text at once: an array that grows by and by copies it twice. Short ones must not ask, or nothing would grow ahead.
        if raw.count > 4096 { bytes.reserveCapacity(bytes.count + raw.count + raw.count / 8) }
        var index = 0
        // Bytes that need no escape are copied in runs.
        while true {
            let run = JSONRun.plainCount(raw, from: index)
            bytes.append(contentsOf: raw[index..<(index + run)])
            index += run
            guard index < raw.count else { return }
            let byte = raw[index]
            index += 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0..<0x20:
                // Terminals are full of these.
                bytes.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
                let digit = byte & 0x0F
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            default: bytes.append(byte)
            }
        }
    }
}
