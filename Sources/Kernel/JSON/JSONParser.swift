import Foundation

/// Makes values of one JSON text in one pass: RFC 8259, and nothing beyond it.
///
/// - A key that comes twice in an object is refused: two readers could take different ones, and one of them decides what is allowed.
///   So are two keys that Swift holds for the same text, "é" in one scalar and in two.
/// - A whole number that fits is an integer, also when it is written `1.0` or `1e3`; what no `Double` holds is refused.
struct JSONParser {
    /// Containers inside each other. The parser calls itself for each.
    static let maximumDepth = 128

    private let bytes: UnsafeRawBufferPointer
    private var cursor: JSONCursor
    private var depth = 0

    /// - Parameter bytes: Must outlive the parser.
    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        cursor = JSONCursor(bytes, facts: .unknown)
    }

    static func parse(_ bytes: UnsafeRawBufferPointer) throws -> JSONValue {
        guard UTF8Check.isValid(bytes) else { throw refusal("the text is not UTF-8") }
        var parser = JSONParser(bytes)
        do {
            let value = try parser.value()
            try parser.cursor.expectEnd()
            return value
        } catch let error as FrameScanError {
            throw refusal("the text is not JSON: \(error)", because: error)
        }
    }

    private static func refusal(_ reason: String, because error: FrameScanError? = nil) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason, underlyingError: error))
    }

    /// The value with the members that are wanted.
    static func parse(_ bytes: UnsafeRawBufferPointer, keeping selection: JSONSelection) throws -> JSONValue {
        guard UTF8Check.isValid(bytes) else { throw refusal("the text is not UTF-8") }
        var parser = JSONParser(bytes)
        do {
            let value = try parser.value(keeping: selection)
            try parser.cursor.expectEnd()
            return value
        } catch FrameScanError.tooDeep {
            // Values are made to a greater depth than passed over.
            return selection.part(of: try parse(bytes))
        } catch let error as FrameScanError {
            throw refusal("the text is not JSON: \(error)", because: error)
        }
    }

    /// The members of an object, in their order.
    static func parseMembers(
        _ bytes: UnsafeRawBufferPointer,
        expecting keys: JSONMemberList.Keys
    ) throws -> [JSONMemberList.Member] {
        guard UTF8Check.isValid(bytes) else { throw refusal("the text is not UTF-8") }
        var parser = JSONParser(bytes)
        do {
            parser.cursor.skipWhiteSpace()
            guard parser.cursor.byte == UInt8(ascii: "{") else {
                throw FrameScanError.notJSON(at: parser.cursor.position)
            }
            let members = try parser.nested { try $0.memberList(keys) }
            try parser.cursor.expectEnd()
            return members
        } catch let error as FrameScanError {
            throw refusal("the text is not JSON: \(error)", because: error)
        }
    }

    private mutating func value(keeping selection: JSONSelection) throws -> JSONValue {
        cursor.skipWhiteSpace()
        guard case .members(let wanted) = selection, cursor.byte == UInt8(ascii: "{") else { return try value() }
        return .object(try nested { try $0.members(wanted) })
    }

    private mutating func value() throws -> JSONValue {
        cursor.skipWhiteSpace()
        let start = cursor.position
        switch cursor.byte {
        case UInt8(ascii: "{"): return .object(try nested { try $0.members() })
        case UInt8(ascii: "["): return .array(try nested { try $0.elements() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try cursor.skipLiteral("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try cursor.skipLiteral("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try cursor.skipLiteral("null")
            return .null
        default:
            // Text that is no number fails here, at its own position.
            try cursor.skipNumber()
            return try number(start..<cursor.position)
        }
    }

    private mutating func nested<Value>(_ read: (inout JSONParser) throws -> Value) throws -> Value {
        guard depth < Self.maximumDepth else {
            throw Self.refusal("more than \(Self.maximumDepth) containers inside each other")
        }
        depth += 1
        defer { depth -= 1 }
        cursor.advance()
        cursor.skipWhiteSpace()
        return try read(&self)
    }

    private mutating func elements() throws -> [JSONValue] {
        var values: [JSONValue] = []
        if cursor.take(UInt8(ascii: "]")) { return values }
        while true {
            values.append(try value())
            cursor.skipWhiteSpace()
            if cursor.take(UInt8(ascii: "]")) { return values }
            try cursor.expect(UInt8(ascii: ","))
        }
    }

    private mutating func members() throws -> [String: JSONValue] {
        if cursor.take(UInt8(ascii: "}")) { return [:] }
        // Room for the members of most messages: growing three times on the way there took a fifth of the parser's time.
        var members = [String: JSONValue](minimumCapacity: 6)
        while true {
            let key = try string()
            cursor.skipWhiteSpace()
            try cursor.expect(UInt8(ascii: ":"))
            guard members.updateValue(try value(), forKey: key) == nil else {
                throw Self.refusal("a key comes twice in one object")
            }
            cursor.skipWhiteSpace()
            if cursor.take(UInt8(ascii: "}")) { return members }
            try cursor.expect(UInt8(ascii: ","))
            cursor.skipWhiteSpace()
        }
    }

    private mutating func memberList(_ expected: JSONMemberList.Keys) throws -> [JSONMemberList.Member] {
        var members: [JSONMemberList.Member] = []
        if cursor.take(UInt8(ascii: "}")) { return members }
        members.reserveCapacity(expected.count)
        var place = 0
        while true {
            let key = try key(of: expected, behind: &place)
            cursor.skipWhiteSpace()
            try cursor.expect(UInt8(ascii: ":"))
            members.append((key: key, value: try value()))
            cursor.skipWhiteSpace()
            if cursor.take(UInt8(ascii: "}")) { break }
            try cursor.expect(UInt8(ascii: ","))
            cursor.skipWhiteSpace()
        }
        // Keys in ascending order, as canonical text has them, differ; others are counted.
        let isAscending = zip(members, members.dropFirst()).allSatisfy { $0.0.key < $0.1.key }
        guard isAscending || Set(members.map(\.key)).count == members.count else {
            throw Self.refusal("a key comes twice in one object")
        }
        return members
    }

    private mutating func key(of expected: JSONMemberList.Keys, behind place: inout Int) throws -> String {
        let start = cursor.position
        guard cursor.byte == UInt8(ascii: "\"") else { throw FrameScanError.notJSON(at: start) }
        guard try !cursor.skipString() else {
            guard let text = JSONText.string(bytes, start..<cursor.position) else {
                throw FrameScanError.notJSON(at: start)
            }
            return text
        }
        let key = UnsafeRawBufferPointer(rebasing: bytes[(start + 1)..<(cursor.position - 1)])
        return expected.name(of: key, behind: &place) ?? String(decoding: key, as: UTF8.self)
    }

    private mutating func members(_ wanted: [JSONSelection.Member]) throws -> [String: JSONValue] {
        if cursor.take(UInt8(ascii: "}")) { return [:] }
        var members = [String: JSONValue](minimumCapacity: wanted.count)
        while true {
            let member = try key(of: wanted)
            cursor.skipWhiteSpace()
            try cursor.expect(UInt8(ascii: ":"))
            if let member {
                guard members.updateValue(try value(keeping: member.selection), forKey: member.name) == nil else {
                    throw Self.refusal("a key comes twice in one object")
                }
            } else {
                try cursor.skipValue(depth: depth)
            }
            cursor.skipWhiteSpace()
            if cursor.take(UInt8(ascii: "}")) { return members }
            try cursor.expect(UInt8(ascii: ","))
            cursor.skipWhiteSpace()
        }
    }

    /// Passes over a key; nil for one that is not wanted.
    private mutating func key(of wanted: [JSONSelection.Member]) throws -> JSONSelection.Member? {
        let start = cursor.position
        guard cursor.byte == UInt8(ascii: "\"") else { throw FrameScanError.notJSON(at: start) }
        if try cursor.skipString() {
            let text = JSONText.string(bytes, start..<cursor.position)
            return wanted.first { $0.name == text }
        }
        let key = UnsafeRawBufferPointer(rebasing: bytes[(start + 1)..<(cursor.position - 1)])
        return wanted.first { $0.key.count == key.count && $0.key.elementsEqual(key) }
    }

    private mutating func string() throws -> String {
        let start = cursor.position
        guard cursor.byte == UInt8(ascii: "\"") else { throw FrameScanError.notJSON(at: start) }
        let hasEscapes = try cursor.skipString()
        guard hasEscapes else {
            let inside = UnsafeRawBufferPointer(rebasing: bytes[(start + 1)..<(cursor.position - 1)])
            return String(decoding: inside, as: UTF8.self)
        }
        guard let text = JSONText.string(bytes, start..<cursor.position) else {
            throw FrameScanError.notJSON(at: start)
        }
        return text
    }

    private func number(_ range: Range<Int>) throws -> JSONValue {
        if let integer = integer(range) { return .integer(integer) }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw Self.refusal("a number is not representable") }
        return Int64(exactly: value).map { .integer($0) } ?? .number(value)
    }

    /// Nil for what has a fraction or an exponent, or does not fit.
    private func integer(_ range: Range<Int>) -> Int64? {
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in bytes[(isNegative ? range.lowerBound + 1 : range.lowerBound)..<range.upperBound] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let digit = Int64(byte &- UInt8(ascii: "0"))
            let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
            // Counted below zero, where one number more fits.
            let (sum, overflowedToo) = tens.subtractingReportingOverflow(digit)
            guard !overflowed, !overflowedToo else { return nil }
            value = sum
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }
}
