import Foundation
import Kernel

/// Takes the known members out of one record and checks each; the members that remain are the record's ``extra``.
package struct RecordReader {
    private enum Members {
        case indexed([String: JSONValue])
        case listed(JSONMemberList)

        subscript(key: String) -> JSONValue? {
            switch self {
            case .indexed(let members): members[key]
            case .listed(let members): members[key]
            }
        }

        var count: Int {
            switch self {
            case .indexed(let members): members.count
            case .listed(let members): members.list.count
            }
        }

        /// Those whose keys are not in `taken`.
        func rest(without taken: Set<String>) -> [String: JSONValue] {
            switch self {
            case .indexed(let members): members.filter { !taken.contains($0.key) }
            case .listed(let members):
                members.list.reduce(into: [:]) { rest, member in
                    if !taken.contains(member.key) { rest[member.key] = member.value }
                }
            }
        }
    }

    let kind: RecordKind
    private let members: Members
    /// The keys that were taken. Taking the members out instead would copy the dictionary, which somebody else holds, too.
    private var taken: [String] = []

    /// - Throws: ``JournalError/badRecord(_:member:)`` for anything but an object.
    init(_ kind: RecordKind, _ json: JSONValue) throws(JournalError) {
        guard let members = json.objectValue else { throw .badRecord(kind, member: "record") }
        self.kind = kind
        self.members = .indexed(members)
        taken.reserveCapacity(members.count)
    }

    /// - Throws: ``JournalError/badRecord(_:member:)`` of the member `json` for a text that is no JSON object.
    init(_ kind: RecordKind, text: [UInt8]) throws(JournalError) {
        guard let members = try? JSONMemberList(parsing: text, expecting: RecordKeys.keys(of: kind)) else {
            throw .badRecord(kind, member: Self.textMember)
        }
        self.kind = kind
        self.members = .listed(members)
        taken.reserveCapacity(members.list.count)
    }

    /// What ``JournalError/badRecord(_:member:)`` names where a record's text is no JSON. No record has a member of that name.
    package static let textMember = "json"

    private mutating func take(_ key: String) -> JSONValue? {
        guard let value = members[key] else { return nil }
        taken.append(key)
        return value
    }

    /// The members that were not taken.
    ///
    /// - Throws: ``JournalError/badRecord(_:member:)`` where they are more than ``JournalLimits/extra``.
    func extra() throws(JournalError) -> [String: JSONValue] {
        guard taken.count < members.count else { return [:] }
        let rest = members.rest(without: Set(taken))
        guard JSONValue.object(rest).canonicalBytes.count <= JournalLimits.extra else { throw wrong("extra") }
        return rest
    }

    /// A text that has to be there. Ids have no control characters and are not empty.
    mutating func identifier(_ key: String) throws(JournalError) -> String {
        guard let text = try identifierIfAny(key) else { throw wrong(key) }
        return text
    }

    /// Null and an empty text count as none: programs write both.
    mutating func identifierIfAny(_ key: String) throws(JournalError) -> String? {
        guard let text = try textIfAny(key, limit: JournalLimits.identifier), !text.isEmpty else { return nil }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { throw wrong(key) }
        return text
    }

    mutating func text(_ key: String, limit: Int = JournalLimits.name) throws(JournalError) -> String {
        guard let text = try textIfAny(key, limit: limit) else { throw wrong(key) }
        return text
    }

    mutating func textIfAny(_ key: String, limit: Int = JournalLimits.name) throws(JournalError) -> String? {
        switch take(key) {
        case nil, .null: return nil
        case .string(let text) where text.utf8.count <= limit: return text
        default: throw wrong(key)
        }
    }

    /// Programs write a truth value as `true`, or as 1.
    mutating func flag(_ key: String) throws(JournalError) -> Bool {
        switch take(key) {
        case nil, .null: return false
        case .bool(let flag): return flag
        case .integer(let number) where (0...1).contains(number): return number == 1
        default: throw wrong(key)
        }
    }

    /// - Parameter range: The values that are believed.
    mutating func integer(
        _ key: String,
        default other: Int64,
        in range: ClosedRange<Int64> = Int64.min...Int64.max
    ) throws(JournalError) -> Int64 {
        guard let value = take(key), value != .null else { return other }
        guard let number = value.integerValue, range.contains(number) else { throw wrong(key) }
        return number
    }

    /// Nil where it is missing or null.
    mutating func number(_ key: String) throws(JournalError) -> Double? {
        switch take(key) {
        case nil, .null: return nil
        case .integer(let number): return Double(number)
        case .number(let number) where number.isFinite: return number
        default: throw wrong(key)
        }
    }

    /// A moment in milliseconds: the member `…Ms` where the record has one, else the seconds, which may have a fraction.
    mutating func moment(_ key: String) throws(JournalError) -> Int64 {
        guard let moment = try momentIfAny(key) else { throw wrong(key) }
        return moment
    }

    mutating func momentIfAny(_ key: String) throws(JournalError) -> Int64? {
        let seconds = try number(key)
        let exact = take(key + "Ms")
        if let seconds, abs(seconds) > Double(Self.moments.upperBound / 1000) { throw wrong(key) }
        if let exact, exact != .null {
            guard let milliseconds = exact.integerValue, Self.moments.contains(milliseconds) else {
                throw wrong(key + "Ms")
            }
            return milliseconds
        }
        return seconds.map { Int64(($0 * 1000).rounded()) }
    }

    /// A word or a number.
    mutating func scalar(_ key: String) throws(JournalError) -> JSONValue? {
        switch take(key) {
        case nil, .null: return nil
        case .string(let text) where text.utf8.count <= JournalLimits.name: return .string(text)
        case .integer(let number): return .integer(number)
        default: throw wrong(key)
        }
    }

    /// - Parameter limit: Bytes of what the base64 stands for.
    mutating func bytes(_ key: String, limit: Int) throws(JournalError) -> [UInt8]? {
        // Four characters for three bytes.
        guard let text = try textIfAny(key, limit: limit / 3 * 4 + 4) else { return nil }
        guard let data = Data(base64Encoded: text), data.count <= limit else { throw wrong(key) }
        return data.isEmpty ? nil : Array(data)
    }

    /// The name of one file.
    mutating func fileName(_ key: String) throws(JournalError) -> String? {
        guard let name = try textIfAny(key, limit: 255), !name.isEmpty else { return nil }
        guard MediaPath.isComponent(name) else { throw wrong(key) }
        return name
    }

    mutating func path(_ key: String) throws(JournalError) -> MediaPath? {
        guard let text = try textIfAny(key, limit: 1024), !text.isEmpty else { return nil }
        guard let path = MediaPath(text) else { throw wrong(key) }
        return path
    }

    /// The hexadecimal digits of a SHA-256, in small letters.
    mutating func digest(_ key: String) throws(JournalError) -> String? {
        guard let text = try textIfAny(key, limit: 64), !text.isEmpty else { return nil }
        guard let bytes = Hexadecimal.decode(text), bytes.count == 32 else { throw wrong(key) }
        return Hexadecimal.encode(bytes)
    }

    /// A CRC-32 as a whole number.
    mutating func checksum(_ key: String) throws(JournalError) -> UInt32? {
        switch take(key) {
        case nil, .null: return nil
        case let value?:
            guard let number = value.integerValue, let sum = UInt32(exactly: number) else { throw wrong(key) }
            return sum
        }
    }

    func wrong(_ member: String) -> JournalError { .badRecord(kind, member: member) }

    /// The years -9999 to 9999, near enough.
    private static let moments: ClosedRange<Int64> = -377_705_116_800_000...253_402_300_799_999
}
