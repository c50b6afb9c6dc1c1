import Foundation
import Kernel

/// What a JSON value is made of, as `Tests/Page/contract.json` says it of each method's parameters and answer.
indirect enum ContractShape: Hashable {
    /// No record says.
    case unknown
    case any
    case null
    case string
    case boolean
    case integer
    case number
    case list(ContractShape)
    /// - Parameter others: The shape of every member that has no name here; nil: there are no others.
    case object([String: Member], others: ContractShape?)
    /// One of several, each of another kind.
    case either([ContractShape])

    struct Member: Hashable {
        var shape: ContractShape
        var presence: Presence
    }

    /// How a member stands in the values that were seen, from the surest.
    enum Presence: Comparable {
        /// The type cannot be read without it.
        case required
        /// All have it, and the type would take its absence for null.
        case present
        /// Some lack it.
        case absent
    }

    /// A shape of values of which no type says more: members may be missing, and there may be others.
    init(of recorded: JSONValue) {
        switch recorded {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .number: self = .number
        case .string: self = .string
        case .array(let elements):
            self = .list(elements.reduce(ContractShape.unknown) { $0.merged(ContractShape(of: $1)) })
        case .object(let members):
            self = .object(
                members.mapValues { Member(shape: ContractShape(of: $0), presence: .absent) },
                others: .any
            )
        }
    }

    /// A shape of parameters of which no type says more.
    ///
    /// - Parameter needs: Whether a value without this member is refused.
    init(ofParameters recorded: [JSONValue], needs: (_ member: String) -> Bool) {
        let merged = recorded.reduce(ContractShape.unknown) { $0.merged(ContractShape(of: $1)) }
        guard case .object(var members, others: _) = merged else {
            self = merged
            return
        }
        for name in members.keys where needs(name) { members[name]?.presence = .required }
        self = .object(members, others: nil)
    }

    /// The shape of a type that is not made of others; nil for one that is.
    static func scalar<Value>(_ type: Value.Type) -> ContractShape? {
        if type == JSONValue.self { return .any }
        if type == String.self || type == URL.self || type == Data.self { return .string }
        if type == Bool.self { return .boolean }
        if type == Double.self || type == Float.self { return .number }
        if type is any FixedWidthInteger.Type { return .integer }
        return nil
    }

    /// The shape of all values that either describes.
    func merged(_ other: ContractShape) -> ContractShape {
        var merged: [ContractShape] = []
        for part in parts + other.parts {
            if let index = merged.firstIndex(where: { $0.kind == part.kind }) {
                merged[index] = merged[index].joined(part)
            } else {
                merged.append(part)
            }
        }
        if merged.contains(.any) { return .any }
        guard merged.count > 1 else { return merged.first ?? .unknown }
        return .either(merged.sorted { $0.kind < $1.kind })
    }

    /// As it stands in the file.
    var json: JSONValue {
        switch self {
        case .unknown, .any: return "any"
        case .null: return "null"
        case .string: return "string"
        case .boolean: return "boolean"
        case .integer: return "integer"
        case .number: return "number"
        case .list(let element): return .array([element.json])
        case .object(let members, let others):
            var json: [String: JSONValue] = [:]
            for (name, member) in members { json[member.mayBeMissing ? name + "?" : name] = member.shape.json }
            if let others { json["*"] = others.json }
            return .object(json)
        case .either(let parts):
            let words = parts.compactMap { $0.json.stringValue }
            return words.count == parts.count
                ? .string(words.joined(separator: "|")) : .object(["|": .array(parts.map(\.json))])
        }
    }

    private enum Kind: Comparable {
        case any, object, list, string, number, boolean, null
    }

    private var kind: Kind {
        switch self {
        case .unknown, .any, .either: .any
        case .object: .object
        case .list: .list
        case .string: .string
        case .integer, .number: .number
        case .boolean: .boolean
        case .null: .null
        }
    }

    private var parts: [ContractShape] {
        switch self {
        case .unknown: []
        case .either(let parts): parts
        default: [self]
        }
    }

    /// The shape of all values that this one or another one of the same kind describes.
    private func joined(_ other: ContractShape) -> ContractShape {
        switch (self, other) {
        case (.list(let one), .list(let two)): return .list(one.merged(two))
        case (.object(let one, let rest), .object(let two, let more)):
            var members = one.merging(two) {
                Member(shape: $0.shape.merged($1.shape), presence: max($0.presence, $1.presence))
            }
            for name in Set(one.keys).symmetricDifference(two.keys) { members[name]?.presence = .absent }
            return .object(members, others: rest.map { $0.merged(more ?? .unknown) } ?? more)
        default: return self == other ? self : .number
        }
    }

    fileprivate var isNullable: Bool { parts.contains(.null) }
}

extension ContractShape.Member {
    /// One that is null where there is nothing is always there; one that some lack is not.
    fileprivate var mayBeMissing: Bool {
        switch presence {
        case .required: false
        case .present: !shape.isNullable
        case .absent: true
        }
    }
}
