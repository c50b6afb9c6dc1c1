import Kernel

/// Reads recorded values as types and notes what those ask for, also where a value lacks it.
final class ReadTypes {
    private var scalars: [ObjectIdentifier: ContractShape] = [:]
    private var readings: [ObjectIdentifier: [Reading]] = [:]
    /// The shapes of all that was read until now.
    private var known: [ObjectIdentifier: ContractShape] = [:]

    /// - Throws: `DecodingError` for a record that is not of the type.
    func read<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
        try read(type, from: value, at: [])
    }

    /// The shape of all values that were read as a type.
    func shape(of type: Any.Type) -> ContractShape { shape(of: ObjectIdentifier(type)) }

    fileprivate func shape(of id: ObjectIdentifier) -> ContractShape {
        if let shape = scalars[id] ?? known[id] { return shape }
        // A type within itself: what it is made of is said once.
        known[id] = .unknown
        let shape = readings[id, default: []].reduce(ContractShape.unknown) { $0.merged($1.shape(among: self)) }
        known[id] = shape
        return shape
    }

    /// Names a type, and knows it from then on if it is not made of others.
    fileprivate func id<Value>(_ type: Value.Type) -> ObjectIdentifier {
        if let scalar = ContractShape.scalar(type) { scalars[ObjectIdentifier(type)] = scalar }
        return ObjectIdentifier(type)
    }

    fileprivate func read<Value: Decodable>(
        _ type: Value.Type,
        from value: JSONValue,
        at path: [any CodingKey]
    ) throws -> Value {
        let id = id(type)
        guard scalars[id] == nil else { return try value.decode(as: type) }
        let reading = Reading(value)
        known = [:]
        readings[id, default: []].append(reading)
        guard let map = type as? any TextKeyed.Type else {
            return try Value(from: NotingDecoder(value: value, reading: reading, types: self, codingPath: path))
        }
        reading.others = self.id(map.element)
        for member in (value.objectValue ?? [:]).values { _ = try read(map.element, from: member, at: path) }
        return try value.decode(as: type)
    }
}

/// A dictionary as JSON has them.
private protocol TextKeyed {
    static var element: any Decodable.Type { get }
}

extension Dictionary: TextKeyed where Key == String, Value: Decodable {
    fileprivate static var element: any Decodable.Type { Value.self }
}

/// One value that was read as one type.
private final class Reading {
    struct Member {
        var presence: ContractShape.Presence
        var isNull = false
        var types: Set<ObjectIdentifier> = []
    }

    private let value: JSONValue
    private var members: [String: Member] = [:]
    var isObject = false
    var isList = false
    var isNull = false
    /// The types of a list's elements.
    var elements: Set<ObjectIdentifier> = []
    /// The type of a dictionary's values.
    var others: ObjectIdentifier?
    /// The types as which it was read again.
    var same: Set<ObjectIdentifier> = []

    init(_ value: JSONValue) { self.value = value }

    func note(
        _ name: String,
        _ presence: ContractShape.Presence,
        isNull: Bool = false,
        type: ObjectIdentifier? = nil
    ) {
        var member = members[name] ?? Member(presence: presence)
        member.presence = min(member.presence, presence)
        member.isNull = member.isNull || isNull
        if let type { member.types.insert(type) }
        members[name] = member
    }

    func shape(among types: ReadTypes) -> ContractShape {
        func merged(_ ids: Set<ObjectIdentifier>, _ first: ContractShape = .unknown) -> ContractShape {
            ids.reduce(first) { $0.merged(types.shape(of: $1)) }
        }
        let own = merged(same, isNull ? .null : .unknown)
        if let others { return own.merged(.object([:], others: types.shape(of: others))) }
        if isList { return own.merged(.list(merged(elements))) }
        if isObject {
            var members = members.mapValues { member in
                ContractShape.Member(
                    shape: merged(member.types, member.isNull ? .null : .unknown),
                    presence: member.presence
                )
            }
            // What the type writes for others and does not read again.
            for (name, part) in value.objectValue ?? [:] where members[name] == nil {
                members[name] = ContractShape.Member(shape: ContractShape(of: part), presence: .absent)
            }
            return own.merged(.object(members, others: nil))
        }
        guard own == .unknown else { return own }
        // A type that asks for nothing.
        return value == .null ? .null : .object([:], others: nil)
    }
}

private struct NotingDecoder: Decoder {
    let value: JSONValue
    let reading: Reading
    let types: ReadTypes
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        reading.isObject = true
        return KeyedDecodingContainer(NotingMembers<Key>(members: members, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        reading.isList = true
        return NotingElements(elements: elements, decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { NotingSingle(decoder: self) }

    func mismatch<Value>(_ type: Value.Type) -> DecodingError {
        let words = "the record is not \(type)"
        return .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: words))
    }

    /// No type of the contract reads in this way.
    var unused: DecodingError {
        let words = "nested containers are not noted"
        return .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: words))
    }
}

private struct NotingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let decoder: NotingDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool {
        let isThere = members[key.stringValue] != nil
        decoder.reading.note(key.stringValue, isThere ? .present : .absent)
        return isThere
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let isNull = try member(key) == JSONValue.null
        decoder.reading.note(key.stringValue, .present, isNull: isNull)
        return isNull
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let value = try member(key)
        decoder.reading.note(key.stringValue, .required, type: decoder.types.id(type))
        return try decoder.types.read(type, from: value, at: codingPath + [key])
    }

    // The protocol has one of its own for each of these types, which would not say which one is asked for.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optional(type, key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw decoder.unused
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.unused }
    func superDecoder() throws -> any Decoder { throw decoder.unused }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.unused }

    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        let id = decoder.types.id(type)
        guard let value = members[key.stringValue] else {
            decoder.reading.note(key.stringValue, .absent, type: id)
            return nil
        }
        decoder.reading.note(key.stringValue, .present, isNull: value == .null, type: id)
        guard value != .null else { return nil }
        return try decoder.types.read(type, from: value, at: codingPath + [key])
    }

    private func member(_ key: Key) throws -> JSONValue {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: "the record lacks \(key.stringValue)")
            )
        }
        return value
    }
}

private struct NotingElements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let decoder: NotingDecoder
    private(set) var currentIndex = 0

    init(elements: [JSONValue], decoder: NotingDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool { throw decoder.unused }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd else { throw decoder.mismatch(type) }
        decoder.reading.elements.insert(decoder.types.id(type))
        let value = try decoder.types.read(type, from: elements[currentIndex], at: codingPath)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        throw decoder.unused
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw decoder.unused }
    mutating func superDecoder() throws -> any Decoder { throw decoder.unused }
}

private struct NotingSingle: SingleValueDecodingContainer {
    let decoder: NotingDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        let isNull = decoder.value == .null
        if isNull { decoder.reading.isNull = true }
        return isNull
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        decoder.reading.same.insert(decoder.types.id(type))
        return try decoder.types.read(type, from: decoder.value, at: codingPath)
    }
}
