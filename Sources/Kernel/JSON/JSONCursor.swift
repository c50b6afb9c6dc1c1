import Foundation

/// Walks over JSON and checks it. Unsafe pointers stay inside: every read is behind a check against the end.
struct JSONCursor {
    private let bytes: UnsafeRawBufferPointer
    private let end: Int
    private let facts: ByteFacts
    private(set) var position = 0

    /// - Parameter bytes: Must outlive the cursor.
    init(_ bytes: UnsafeRawBufferPointer, facts: ByteFacts) {
        self.bytes = bytes
        end = bytes.count
        self.facts = facts
    }

    /// The byte at the position, or 0 at the end: 0 begins nothing in JSON.
    var byte: UInt8 {
        @inline(__always) get { position < end ? bytes[position] : 0 }
    }

    private var notJSON: FrameScanError { .notJSON(at: position) }

    @inline(__always)
    mutating func skipWhiteSpace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
        }
    }

    @inline(__always)
    mutating func advance() { position &+= 1 }

    /// Steps over `wanted` if it stands here.
    @inline(__always)
    mutating func take(_ wanted: UInt8) -> Bool {
        guard position < end, bytes[position] == wanted else { return false }
        position &+= 1
        return true
    }

    mutating func expect(_ wanted: UInt8) throws(FrameScanError) {
        guard take(wanted) else { throw notJSON }
    }

    mutating func expectEnd() throws(FrameScanError) {
        skipWhiteSpace()
        guard position == end else { throw notJSON }
    }

    /// Calls `body` with each member of the object at the position.
    @inline(__always)
    mutating func forEachMember(
        _ body: (_ key: Range<Int>, _ hasEscapes: Bool, _ value: Range<Int>) throws(FrameScanError) -> Void
    ) throws(FrameScanError) {
        position += 1
        skipWhiteSpace()
        if byte == UInt8(ascii: "}") {
            position += 1
            return
        }
        while true {
            guard byte == UInt8(ascii: "\"") else { throw notJSON }
            let keyStart = position
            let hasEscapes = try skipString()
            let key = keyStart..<position
            skipWhiteSpace()
            guard byte == UInt8(ascii: ":") else { throw notJSON }
            position += 1
            skipWhiteSpace()
            let valueStart = position
            try skipValue(depth: 1)
            try body(key, hasEscapes, valueStart..<position)
            skipWhiteSpace()
            switch byte {
            case UInt8(ascii: ","):
                position += 1
                skipWhiteSpace()
            case UInt8(ascii: "}"):
                position += 1
                return
            default: throw notJSON
            }
        }
    }

    /// - Parameter depth: Containers around the value.
    mutating func skipValue(depth outer: Int) throws(FrameScanError) {
        var depth = outer
        /// One bit a level below `depth`: set for an object.
        var levels: UInt64 = 0
        while true {
            skipWhiteSpace()
            switch byte {
            case UInt8(ascii: "{"):
                guard depth < FrameScanner.maximumDepth else { throw .tooDeep }
                position += 1
                depth += 1
                levels = levels << 1 | 1
                skipWhiteSpace()
                if byte != UInt8(ascii: "}") {
                    try skipKey()
                    continue
                }
                position += 1
                depth -= 1
                levels >>= 1
            case UInt8(ascii: "["):
                guard depth < FrameScanner.maximumDepth else { throw .tooDeep }
                position += 1
                depth += 1
                levels <<= 1
                skipWhiteSpace()
                if byte != UInt8(ascii: "]") { continue }
                position += 1
                depth -= 1
                levels >>= 1
            case UInt8(ascii: "\""): _ = try skipString()
            case UInt8(ascii: "t"): try skipLiteral("true")
            case UInt8(ascii: "f"): try skipLiteral("false")
            case UInt8(ascii: "n"): try skipLiteral("null")
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
            default: throw notJSON
            }
            // A value ended. What follows it depends on the container it is in.
            closing: while true {
                if depth == outer { return }
                skipWhiteSpace()
                switch byte {
                case UInt8(ascii: ","):
                    position += 1
                    if levels & 1 == 1 {
                        skipWhiteSpace()
                        try skipKey()
                    }
                    break closing
                case UInt8(ascii: "}") where levels & 1 == 1, UInt8(ascii: "]") where levels & 1 == 0:
                    position += 1
                    depth -= 1
                    levels >>= 1
                default: throw notJSON
                }
            }
        }
    }

    private mutating func skipKey() throws(FrameScanError) {
        guard byte == UInt8(ascii: "\"") else { throw notJSON }
        _ = try skipString()
        skipWhiteSpace()
        guard byte == UInt8(ascii: ":") else { throw notJSON }
        position += 1
    }

    mutating func skipLiteral(_ text: StaticString) throws(FrameScanError) {
        let count = text.utf8CodeUnitCount
        guard end - position >= count, bytes.matches(text, at: position) else { throw notJSON }
        position += count
    }

    mutating func skipNumber() throws(FrameScanError) {
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
        if byte == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(FrameScanError) {
        let start = position
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw notJSON }
    }

    /// Skips the string at the position, quotes included. True when it holds escapes.
    @inline(__always)
    mutating func skipString() throws(FrameScanError) -> Bool {
        position &+= 1
        if !facts.hasBackslash, !facts.hasControl {
            // Nothing to look for but the end.
            guard let base = bytes.baseAddress,
                let found = memchr(base + position, Int32(UInt8(ascii: "\"")), end - position)
            else { throw notJSON }
            position = base.distance(to: UnsafeRawPointer(found)) + 1
            return false
        }
        return try skipUnknownString()
    }

    private mutating func skipUnknownString() throws(FrameScanError) -> Bool {
        var hasEscapes = false
        while true {
            position &+= JSONRun.plainCount(bytes, from: position)
            guard position < end else { throw notJSON }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            default: throw notJSON
            }
        }
    }

    private mutating func skipEscape() throws(FrameScanError) {
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            let unit = try skipHexadecimal()
            // Half a surrogate pair is no character: some decoders refuse it, so it is not passed on.
            if (0xDC00...0xDFFF).contains(unit) { throw notJSON }
            guard (0xD800...0xDBFF).contains(unit) else { return }
            guard byte == UInt8(ascii: "\\") else { throw notJSON }
            position += 1
            guard byte == UInt8(ascii: "u") else { throw notJSON }
            position += 1
            guard (0xDC00...0xDFFF).contains(try skipHexadecimal()) else { throw notJSON }
        default: throw notJSON
        }
    }

    private mutating func skipHexadecimal() throws(FrameScanError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(of: byte) else { throw notJSON }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
