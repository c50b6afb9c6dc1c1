import Foundation

/// Makes a ``JSONValue`` of encodable things: the one that `JSONEncoder` and ``JSONValue/init(parsing:)`` make of them together, without the
/// bytes in between.
final class JSONValueEncoder: Encoder {
    private enum Content {
        case nothing
        case single(JSONValue)
        case members(JSONMembers)
        case elements(JSONElements)
    }

    let place: JSONPlace
    private var content = Content.nothing

    init(at place: JSONPlace) { self.place = place }

    var codingPath: [any CodingKey] { place.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Nil while nothing was written.
    var value: JSONValue? {
        switch content {
        case .nothing: nil
        case .single(let value): value
        case .members(let members): members.value
        case .elements(let elements): elements.value
        }
    }

    /// The value of anything that encodes.
    ///
    /// - Parameter place: Asked for only where an encoder of its own or an error needs it.
    /// - Returns: Nil where the thing writes nothing of itself.
    /// - Throws: `EncodingError.invalidValue` for a number that JSON does not have; what the thing's own `encode(to:)` throws.
    static func value<Value: Encodable>(of thing: Value, at place: @autoclosure () -> JSONPlace) throws -> JSONValue? {
        if let value = try leaf(thing, at: place()) { return value }
        let encoder = JSONValueEncoder(at: place())
        try thing.encode(to: encoder)
        return encoder.value
    }

    /// Nil for a thing that is written through its own `encode(to:)`. The simple types have to be here: theirs ask a container to write them.
    private static func leaf<Value>(_ thing: Value, at place: @autoclosure () -> JSONPlace) throws -> JSONValue? {
        if let text = same(thing, as: String.self) { return .string(text) }
        if let number = same(thing, as: Int.self) { return .integer(Int64(number)) }
        if let flag = same(thing, as: Bool.self) { return .bool(flag) }
        if let number = same(thing, as: Int64.self) { return .integer(number) }
        if let number = same(thing, as: Double.self) { return try finite(number, at: place()) }
        if let value = same(thing, as: JSONValue.self) { return value.asParsed }
        if let number = same(thing, as: UInt64.self) { return whole(number) }
        if let number = same(thing, as: UInt.self) { return whole(UInt64(number)) }
        if let number = same(thing, as: Int32.self) { return .integer(Int64(number)) }
        if let number = same(thing, as: UInt32.self) { return .integer(Int64(number)) }
        if let number = same(thing, as: Int16.self) { return .integer(Int64(number)) }
        if let number = same(thing, as: UInt16.self) { return .integer(Int64(number)) }
        if let number = same(thing, as: Int8.self) { return .integer(Int64(number)) }
        if let number = same(thing, as: UInt8.self) { return .integer(Int64(number)) }
        // A `Float` is written by its text: 0.1 stays 0.1, and does not become the sixteen digits of its nearest `Double`.
        if let number = same(thing, as: Float.self) {
            return try finite(Double(number.description) ?? Double(number), at: place())
        }
        // Foundation's encoder has forms of its own for these two.
        if let data = same(thing, as: Data.self) { return .string(data.base64EncodedString()) }
        if let url = same(thing, as: URL.self) { return .string(url.absoluteString) }
        return nil
    }

    /// The thing as the type that it is of, without a cast that looks for conformances.
    private static func same<Value, Other>(_ thing: Value, as type: Other.Type) -> Other? {
        Value.self == type ? thing as? Other : nil
    }

    /// A number that does not fit into 64 bits with a sign is one of the next kind, as the parser makes it.
    private static func whole(_ number: UInt64) -> JSONValue {
        Int64(exactly: number).map { .integer($0) } ?? .number(Double(number))
    }

    /// A whole number is an integer, as the parser makes it of `3` and `3.0`.
    private static func finite(_ number: Double, at place: @autoclosure () -> JSONPlace) throws -> JSONValue {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number,
                EncodingError.Context(codingPath: place().path, debugDescription: "JSON has no \(number)")
            )
        }
        return Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    /// A type may ask for its members twice, also by letting another one write into the same object.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(JSONMembersWriter<Key>(members: members(), place: place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONElementsWriter(elements: elements(), place: place) }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleWriter(encoder: self) }

    func write(_ value: JSONValue) { content = .single(value) }

    private func members() -> JSONMembers {
        let members: JSONMembers
        switch content {
        case .members(let begun): return begun
        case .nothing: members = JSONMembers([:])
        case .single(.object(let written)): members = JSONMembers(written)
        // A mistake in the type's own code, whatever its values are; Foundation's encoder ends here, too.
        case .single, .elements: preconditionFailure("a type writes members after something else")
        }
        content = .members(members)
        return members
    }

    private func elements() -> JSONElements {
        let elements: JSONElements
        switch content {
        case .elements(let begun): return begun
        case .nothing: elements = JSONElements()
        case .single, .members: preconditionFailure("a type writes elements after something else")
        }
        content = .elements(elements)
        return elements
    }
}

/// An object that is being written. Its containers share it.
private final class JSONMembers {
    private var members: [String: JSONValue]
    /// Parts that were handed out and may still be written to.
    private var parts: [(key: String, part: JSONValueEncoder)] = []

    init(_ members: [String: JSONValue]) { self.members = members }

    var value: JSONValue {
        var all = members
        for (key, part) in parts { all[key] = part.value ?? .object([:]) }
        return .object(all)
    }

    func set(_ value: JSONValue, _ key: String) {
        members[key] = value
        if !parts.isEmpty { parts.removeAll { $0.key == key } }
    }

    /// The part of one key: a type that asks for it again goes on in it.
    func part(_ key: any CodingKey, in place: JSONPlace) -> JSONValueEncoder {
        let name = key.stringValue
        if let found = parts.first(where: { $0.key == name }) { return found.part }
        let part = JSONValueEncoder(at: .key(key, in: place))
        parts.append((key: name, part: part))
        return part
    }
}

/// An array that is being written. Its containers share it.
private final class JSONElements {
    private enum Element {
        case value(JSONValue)
        case open(JSONValueEncoder)
    }

    private var elements: [Element] = []

    var count: Int { elements.count }

    var value: JSONValue {
        .array(
            elements.map { element in
                switch element {
                case .value(let value): value
                case .open(let part): part.value ?? .object([:])
                }
            }
        )
    }

    func append(_ value: JSONValue) { elements.append(.value(value)) }

    func appendPart(in place: JSONPlace) -> JSONValueEncoder {
        let part = JSONValueEncoder(at: place.element(count))
        elements.append(.open(part))
        return part
    }
}

// In each of these containers one generic function is the witness of every `encode`.

private struct JSONMembersWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let members: JSONMembers
    let place: JSONPlace

    var codingPath: [any CodingKey] { place.path }

    func encodeNil(forKey key: Key) { members.set(.null, key.stringValue) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let written = try JSONValueEncoder.value(of: value, at: .key(key, in: place))
        members.set(written ?? .object([:]), key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        members.part(key, in: place).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        members.part(key, in: place).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { members.part(JSONKey.superclass, in: place) }
    func superEncoder(forKey key: Key) -> any Encoder { members.part(key, in: place) }
}

private struct JSONElementsWriter: UnkeyedEncodingContainer {
    let elements: JSONElements
    let place: JSONPlace

    var codingPath: [any CodingKey] { place.path }
    var count: Int { elements.count }

    func encodeNil() { elements.append(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        elements.append(try JSONValueEncoder.value(of: value, at: place.element(count)) ?? .object([:]))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        elements.appendPart(in: place).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { elements.appendPart(in: place).unkeyedContainer() }

    func superEncoder() -> any Encoder { elements.appendPart(in: place) }
}

private struct JSONSingleWriter: SingleValueEncodingContainer {
    let encoder: JSONValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.write(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.write(try JSONValueEncoder.value(of: value, at: encoder.place) ?? .object([:]))
    }
}
