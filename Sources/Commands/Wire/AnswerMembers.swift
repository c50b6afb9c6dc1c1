package import Kernel

/// An answer's members, read one by one. Programs call some of them differently and leave out others: what is not there under any of its
/// names, or is not what it should be, is nil.
package struct AnswerMembers: Sendable {
    /// Where they are looked for, the first place first.
    private let places: [[String: JSONValue]]

    /// - Parameter topic: The member that holds them once more, for programs that put them there or beside it.
    /// - Throws: ``RemoteError/malformedResult`` for anything but an object.
    package init(_ answer: JSONValue, under topic: String? = nil) throws(RemoteError) {
        guard let members = answer.objectValue else { throw .malformedResult }
        let nested = topic.flatMap { members[$0]?.objectValue }
        places = [nested, members].compactMap(\.self)
    }

    /// Null is nothing. A bare `nil` would be read as a ``JSONValue`` here, and a null would come back as a value.
    package func value(_ names: String...) -> JSONValue? { first(names) { $0 == .null ? JSONValue?.none : $0 } }

    package func text(_ names: String...) -> String? { first(names, \.stringValue) }

    package func flag(_ names: String...) -> Bool? { first(names, \.boolValue) }

    package func integer(_ names: String...) -> Int64? { first(names, \.integerValue) }

    /// A count of things or a size, which is never below 0.
    package func count(_ names: String...) -> Int? {
        first(names) { $0.integerValue.flatMap { $0 < 0 ? nil : Int(exactly: $0) } }
    }

    package func bytes(_ names: String...) -> UInt64? {
        first(names) { $0.integerValue.flatMap(UInt64.init(exactly:)) }
    }

    package func number(_ names: String...) -> Double? { first(names, \.finiteNumber) }

    /// - Parameter limit: What follows is left out.
    package func list(_ names: String..., limit: Int = 1000) -> [JSONValue]? {
        first(names, \.arrayValue).map { Array($0.prefix(limit)) }
    }

    /// The texts of a list; what is none is left out.
    package func texts(_ name: String, limit: Int = 1000) -> [String]? {
        list(name, limit: limit)?.compactMap(\.stringValue)
    }

    /// The members of an object that is a member.
    package func members(_ name: String) -> AnswerMembers? { value(name).flatMap { try? AnswerMembers($0) } }

    private func first<Value>(_ names: [String], _ read: (JSONValue) -> Value?) -> Value? {
        for place in places {
            for name in names {
                if let value = place[name].flatMap(read) { return value }
            }
        }
        return nil
    }
}

extension JSONValue {
    /// An object of the members that have a value.
    package static func known(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues(\.self))
    }

    /// Nil for anything else.
    package var finiteNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value) where value.isFinite: value
        default: nil
        }
    }
}
