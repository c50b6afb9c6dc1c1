import Foundation

/// Reads a ``JSONValue`` as a type: as `JSONDecoder` reads its text, without the text.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let place: JSONPlace

    init(_ value: JSONValue, at place: JSONPlace) {
        self.value = value
        self.place = place
    }

    var codingPath: [any CodingKey] { place.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Whether the value's text is `null`: the canonical form writes that for infinity, too.
    var isNull: Bool {
        switch value {
        case .null: true
        case .number(let number): !number.isFinite
        default: false
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(JSONMembersReader<Key>(members: members, place: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        return JSONElementsReader(elements: elements, place: place)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { JSONSingleReader(decoder: self) }

    /// - Throws: `DecodingError`; what the type's own `init(from:)` throws.
    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try leaf(type) ?? Value(from: self)
    }

    /// Nil for a type that is read through its own `init(from:)`. The simple types have to be here: theirs ask a container to read them.
    private func leaf<Value>(_ type: Value.Type) throws -> Value? {
        if type == String.self { return try text() as? Value }
        if type == Int.self { return try whole(Int.self) as? Value }
        if type == Bool.self { return try flag() as? Value }
        if type == Int64.self { return try whole(Int64.self) as? Value }
        if type == Double.self { return try number() as? Value }
        if type == JSONValue.self { return value.asParsed as? Value }
        if type == UInt64.self { return try whole(UInt64.self) as? Value }
        if type == UInt.self { return try whole(UInt.self) as? Value }
        if type == Int32.self { return try whole(Int32.self) as? Value }
        if type == UInt32.self { return try whole(UInt32.self) as? Value }
        if type == Int16.self { return try whole(Int16.self) as? Value }
        if type == UInt16.self { return try whole(UInt16.self) as? Value }
        if type == Int8.self { return try whole(Int8.self) as? Value }
        if type == UInt8.self { return try whole(UInt8.self) as? Value }
        if type == Float.self { return try single() as? Value }
        // Foundation's decoder has forms of its own for these two.
        if type == Data.self { return try data() as? Value }
        if type == URL.self { return try url() as? Value }
        return nil
    }

    private func text() throws -> String {
        guard case .string(let text) = value else { throw mismatch(String.self) }
        return text
    }

    private func flag() throws -> Bool {
        guard case .bool(let flag) = value else { throw mismatch(Bool.self) }
        return flag
    }

    private func number() throws -> Double {
        switch value {
        case .integer(let number): return Double(number)
        case .number(let number) where number.isFinite: return number
        default: throw mismatch(Double.self)
        }
    }

    private func single() throws -> Float {
        let exact = try number()
        let single = Float(exact)
        // One that is too large becomes infinity, and one that is too small zero.
        guard single.isFinite, single.isZero == exact.isZero else {
            throw damaged("the number does not fit into Float")
        }
        return single
    }

    private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let fitting: Number?
        switch value {
        case .integer(let number): fitting = Number(exactly: number)
        case .number(let number) where number.isFinite: fitting = Number(exactly: number)
        default: throw mismatch(type)
        }
        guard let number = fitting else { throw damaged("the number does not fit into \(type)") }
        return number
    }

    private func data() throws -> Data {
        guard let data = Data(base64Encoded: try text()) else { throw damaged("the text is not base64") }
        return data
    }

    private func url() throws -> URL {
        guard let url = URL(string: try text()) else { throw damaged("the text is not a URL") }
        return url
    }

    private func mismatch<Value>(_ type: Value.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "the value is not \(type)")
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func damaged(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: reason))
    }
}

// In each of these containers one generic function is the witness of every `decode`.

private struct JSONMembersReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let place: JSONPlace

    var codingPath: [any CodingKey] { place.path }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNull }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).read(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { part(JSONKey.superclass) }
    func superDecoder(forKey key: Key) -> any Decoder { part(key) }

    /// The decoder of one member; a member that is missing is null to it.
    private func part(_ key: any CodingKey) -> JSONValueDecoder {
        JSONValueDecoder(members[key.stringValue] ?? .null, at: .key(key, in: place))
    }

    private func member(_ key: Key) throws -> JSONValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing")
            )
        }
        return JSONValueDecoder(value, at: .key(key, in: place))
    }
}

private struct JSONElementsReader: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let place: JSONPlace
    private(set) var currentIndex = 0

    init(elements: [JSONValue], place: JSONPlace) {
        self.elements = elements
        self.place = place
    }

    var codingPath: [any CodingKey] { place.path }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try element(JSONValue.self).isNull else { return false }
        currentIndex += 1
        return true
    }

    /// Goes on only behind an element that was read, as Foundation's decoder does.
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try element(type).read(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try element([String: JSONValue].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try element([JSONValue].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try element(JSONValue.self)
        currentIndex += 1
        return decoder
    }

    private func element<Value>(_ type: Value.Type) throws -> JSONValueDecoder {
        let next = place.element(currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(codingPath: next.path, debugDescription: "the array has no more elements")
            )
        }
        return JSONValueDecoder(elements[currentIndex], at: next)
    }
}

private struct JSONSingleReader: SingleValueDecodingContainer {
    let decoder: JSONValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.read(type) }
}
