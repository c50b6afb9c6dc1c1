/// Any JSON text as a value: for the parts of a message whose shape is not ours to fix.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = decoder.value.asParsed
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else {
            // All that is left of JSON's grammar, here or further in: 1e999, for example.
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a number is not representable")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONValueEncoder { return encoder.write(asParsed) }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    /// - Throws: `DecodingError.dataCorrupted` for anything but one JSON text (RFC 8259, UTF-8) of at most 128 containers inside
    ///   each other, in which no object has a key twice.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        let parsed = try bytes.withContiguousStorageIfAvailable { try JSONParser.parse(UnsafeRawBufferPointer($0)) }
        self = try parsed ?? Array(bytes).withUnsafeBytes { try JSONParser.parse($0) }
    }

    /// The value with the wanted members of its objects: a part of what ``init(parsing:)`` makes of the same bytes.
    ///
    /// Everything is checked against the grammar. What is passed over may have a key twice, or a number that is not representable.
    ///
    /// - Throws: Where ``init(parsing:)`` does, but for those.
    package init(parsing bytes: [UInt8], keeping selection: JSONSelection) throws {
        self = try bytes.withUnsafeBytes { try JSONParser.parse($0, keeping: selection) }
    }

    /// The value of any encodable thing, for placing it inside another message; a ``JSONValue`` stays as it is.
    ///
    /// - Throws: `EncodingError` for a number that JSON does not have, and for a thing that writes nothing of itself.
    public init(encoding value: some Encodable) throws {
        if let value = value as? JSONValue {
            self = value
            return
        }
        guard let written = try JSONValueEncoder.value(of: value, at: .top) else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "\(type(of: value)) writes nothing of itself")
            )
        }
        self = written
    }

    /// Reads the value as a type; as a ``JSONValue`` it stays as it is.
    ///
    /// - Throws: `DecodingError` naming the field that does not fit.
    public func decode<Value: Decodable>(as type: Value.Type) throws -> Value {
        if type == JSONValue.self, let value = self as? Value { return value }
        return try JSONValueDecoder(self, at: .top).read(type)
    }

    /// The value that the parser makes of the canonical text: a whole number is an integer, and infinity is null. Mostly the value itself.
    var asParsed: JSONValue {
        guard hasOtherNumbers else { return self }
        return switch self {
        case .number(let number): number.isFinite ? Int64(exactly: number).map(JSONValue.integer) ?? self : .null
        case .array(let values): .array(values.map(\.asParsed))
        case .object(let members): .object(members.mapValues(\.asParsed))
        case .null, .bool, .integer, .string: self
        }
    }

    /// Whether the parser would make another value of a number in it.
    private var hasOtherNumbers: Bool {
        switch self {
        case .number(let number): !number.isFinite || Int64(exactly: number) != nil
        case .array(let values): values.contains(where: \.hasOtherNumbers)
        case .object(let members): members.values.contains(where: \.hasOtherNumbers)
        case .null, .bool, .integer, .string: false
        }
    }
}

extension JSONValue {
    /// The member of an object; nil where it is missing, and for a value that is no object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// A copy of the object with one more member; for anything else an object of that member alone.
    public func adding(_ key: String, _ value: JSONValue) -> JSONValue {
        .object((objectValue ?? [:]).merging([key: value]) { _, new in new })
    }

    /// The text; nil for a value of another kind.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value itself, or what it is the JSON text of: both forms of a payload are on the wire. Nil for a text that is no JSON, or longer
    /// than `limit` bytes.
    public func parsedIfText(limit: Int = .max) -> JSONValue? {
        guard case .string(let text) = self else { return self }
        guard text.utf8.count <= limit else { return nil }
        return try? JSONValue(parsing: text.utf8)
    }

    /// The whole number; nil for one with a fraction or outside 64 bits, and for a value of another kind.
    public var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The truth value; nil for a value of another kind.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil for a value of another kind.
    public var arrayValue: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The members of an object; nil for a value of another kind.
    public var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
