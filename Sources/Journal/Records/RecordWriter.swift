import Foundation
import Kernel

/// Puts the members of one record together. An optional member without a value is left out.
struct RecordWriter {
    private var members: [String: JSONValue]

    /// - Parameter extra: Members that this version does not know; a known one takes the place of one of the same name.
    init(_ extra: [String: JSONValue]) { members = extra }

    var json: JSONValue { .object(members) }

    mutating func set(_ key: String, _ text: String?) { members[key] = text.map { .string($0) } }
    mutating func set(_ key: String, _ flag: Bool) { members[key] = .bool(flag) }
    mutating func set(_ key: String, _ number: Int64?) { members[key] = number.map { .integer($0) } }
    mutating func set(_ key: String, _ value: JSONValue) { members[key] = value }

    /// A whole number is written as one, as every JSON program reads it back.
    mutating func set(_ key: String, number: Double) {
        members[key] = Int64(exactly: number).map { .integer($0) } ?? .number(number)
    }

    /// Whole seconds, rounded down, and the exact milliseconds beside them.
    mutating func set(_ key: String, moment: Int64) {
        members[key] = .integer(moment / 1000 - (moment % 1000 < 0 ? 1 : 0))
        members[key + "Ms"] = .integer(moment)
    }

    mutating func set(_ key: String, bytes: [UInt8]?) {
        members[key] = bytes.map { .string(Data($0).base64EncodedString()) }
    }
}
