import Accounts
import Kernel

/// The members of an object as programs of several hands write them: numbers as texts, truth values as numbers, keys in more than one spelling.
/// Null is a missing member.
struct WireMembers {
    let values: [String: JSONValue]

    /// - Throws: ``ChatError/malformed(_:)`` with `subject` for a value that is no object.
    init(_ value: JSONValue?, of subject: String) throws(ChatError) {
        guard case .object(let values)? = value else { throw .malformed(subject) }
        self.values = values
    }

    init(_ values: [String: JSONValue]) { self.values = values }

    /// The first of the spellings that has a value.
    func value(_ keys: String...) -> JSONValue? { value(of: keys) }

    private func value(of keys: [String]) -> JSONValue? {
        for key in keys {
            if let value = values[key], value != .null { return value }
        }
        return nil
    }

    /// A text, or the decimal form of a whole number.
    func text(_ keys: String...) -> String? { Self.text(value(of: keys)) }

    static func text(_ value: JSONValue?) -> String? { value?.stringValue ?? value?.integerValue.map { String($0) } }

    /// The text; nil also for an empty one.
    func nonEmpty(_ keys: String...) -> String? {
        guard let text = Self.text(value(of: keys)), !text.isEmpty else { return nil }
        return text
    }

    /// A whole number, also as a text; of a fraction what is before the point.
    func integer(_ keys: String...) -> Int64? { Self.integer(value(of: keys)) }

    static func integer(_ value: JSONValue?) -> Int64? {
        switch value {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number.rounded(.towardZero))
        // The longest is "-9223372036854775808"; a fraction comes as a text, too.
        case .string(let text) where text.utf8.count <= 32:
            Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        default: nil
        }
    }

    /// A message's place, from 1 to ``ChatLimits/place``; nil for any other number, and 0 is what programs write for none.
    func place(_ keys: String...) -> Int64? { Self.integer(value(of: keys)).flatMap(Self.place) }

    static func place(_ number: Int64) -> Int64? { (1...ChatLimits.place).contains(number) ? number : nil }

    /// A truth value, also as 0 or 1, or as a text.
    func flag(_ keys: String...) -> Bool? {
        switch value(of: keys) {
        case .bool(let value): value
        case .integer(let number): number != 0
        case .string("true"), .string("1"): true
        case .string("false"), .string("0"), .string(""): false
        default: nil
        }
    }

    /// - Throws: ``ChatError/malformed(_:)`` where it is missing or empty; ``ChatError/tooLong(_:limit:)``.
    func required(_ keys: String..., atMost limit: Int) throws(ChatError) -> String {
        guard let text = Self.text(value(of: keys)), !text.isEmpty else { throw .malformed(keys[0]) }
        guard text.utf8.count <= limit else { throw .tooLong(keys[0], limit: limit) }
        return text
    }

    /// The elements of a list; an empty one where it is missing.
    ///
    /// - Throws: ``ChatError/malformed(_:)`` for another value than a list; ``ChatError/tooMany(_:limit:)``.
    func list(_ keys: String..., atMost limit: Int) throws(ChatError) -> [JSONValue] {
        guard let value = value(of: keys) else { return [] }
        guard let list = value.arrayValue else { throw .malformed(keys[0]) }
        guard list.count <= limit else { throw .tooMany(keys[0], limit: limit) }
        return list
    }

    /// The texts of a list; elements of other kinds are left out.
    func texts(_ keys: String...) -> [String] { value(of: keys)?.arrayValue?.compactMap(Self.text) ?? [] }

    /// - Throws: ``ChatError/malformed(_:)`` where it is missing or names no person.
    func person(_ keys: String...) throws(ChatError) -> UserID {
        guard let person = UserID(anyForm: Self.text(value(of: keys)) ?? "") else { throw .malformed(keys[0]) }
        return person
    }

    /// - Throws: ``ChatError/malformed(_:)`` where an element names no person; ``ChatError/tooMany(_:limit:)``.
    func people(_ keys: String...) throws(ChatError) -> [UserID] {
        let values = value(of: keys)?.arrayValue ?? []
        guard values.count <= ChatLimits.people else { throw .tooMany(keys[0], limit: ChatLimits.people) }
        var people: [UserID] = []
        for value in values {
            guard let person = UserID(anyForm: Self.text(value) ?? "") else { throw .malformed(keys[0]) }
            people.append(person)
        }
        return people
    }

    /// - Throws: ``ChatError/malformed(_:)`` where it is missing or names no conversation of two people.
    func conversation(_ keys: String...) throws(ChatError) -> ConversationID {
        guard let id = Self.text(value(of: keys)).flatMap(ConversationID.init) else { throw .malformed(keys[0]) }
        return id
    }

    /// The conversations of two people in a list. Ids of other kinds (groups, notifications) are left out. Source: rule F3.
    ///
    /// - Throws: ``ChatError/tooMany(_:limit:)``.
    func conversations(_ keys: String...) throws(ChatError) -> [ConversationID] {
        let values = value(of: keys)?.arrayValue ?? []
        guard values.count <= ChatLimits.conversations else {
            throw .tooMany(keys[0], limit: ChatLimits.conversations)
        }
        return values.compactMap { $0.stringValue.flatMap(ConversationID.init) }
    }

    /// Sequence numbers; other numbers than places are left out.
    ///
    /// - Throws: ``ChatError/tooMany(_:limit:)``.
    func sequences(_ keys: String...) throws(ChatError) -> [Int64] {
        let values = value(of: keys)?.arrayValue ?? []
        guard values.count <= ChatLimits.sequences else { throw .tooMany(keys[0], limit: ChatLimits.sequences) }
        return values.compactMap { Self.integer($0).flatMap(Self.place) }
    }

    /// The values of an object whose keys are conversations of two people; other keys are left out.
    ///
    /// - Throws: ``ChatError/tooMany(_:limit:)``.
    func byConversation(_ keys: String...) throws(ChatError) -> [ConversationID: JSONValue] {
        let members = value(of: keys)?.objectValue ?? [:]
        guard members.count <= ChatLimits.conversations else {
            throw .tooMany(keys[0], limit: ChatLimits.conversations)
        }
        var values: [ConversationID: JSONValue] = [:]
        for (key, value) in members {
            if let id = ConversationID(key) { values[id] = value }
        }
        return values
    }

    /// The members that this version does not know.
    func others(than known: Set<String>) -> [String: JSONValue] { values.filter { !known.contains($0.key) } }
}

extension UserID {
    /// Reads `tb_7` and the bare number: documented clients write both.
    init?(anyForm text: String) {
        guard let id = UserID(imUserID: text) ?? UserID(decimal: text) else { return nil }
        self = id
    }
}

extension JSONValue {
    /// An object of the members that have a value.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var values: [String: JSONValue] = [:]
        for (key, value) in members { values[key] = value }
        return .object(values)
    }

    static func whole(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }

    static func people(_ people: [UserID]) -> JSONValue { texts(people.map(\.imUserID)) }

    static func conversations(_ ids: [ConversationID]) -> JSONValue { texts(ids.map(\.text)) }

    static func sequences(_ sequences: [Int64]) -> JSONValue { .array(sequences.map { .integer($0) }) }

    /// An object whose keys are conversations.
    static func byConversation<Value>(_ values: [ConversationID: Value], _ wire: (Value) -> JSONValue) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: values.map { ($0.key.text, wire($0.value)) }))
    }
}
