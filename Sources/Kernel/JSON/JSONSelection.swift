/// The members of JSON objects that are wanted: what is passed over is checked, but no values are made of it.
///
/// Lines of agents' histories hold hundreds of kilobytes of which a list wants a few names.
package enum JSONSelection: Sendable {
    /// The value with everything in it.
    case whole
    /// These members of an object; any other value whole.
    case members([Member])

    /// One member by its key.
    package struct Member: Sendable {
        let key: [UInt8]
        let name: String
        let selection: JSONSelection

        /// - Parameter key: ASCII, which no other text is equal to.
        package init(_ key: StaticString, _ selection: JSONSelection = .whole) {
            name = key.description
            self.key = Array(name.utf8)
            self.selection = selection
        }
    }

    /// The selected part of a value.
    package func part(of value: JSONValue) -> JSONValue {
        guard case .members(let wanted) = self, case .object(let members) = value else { return value }
        var kept: [String: JSONValue] = [:]
        for member in wanted { kept[member.name] = members[member.name].map { member.selection.part(of: $0) } }
        return .object(kept)
    }

    /// These members, whole.
    package static func keys(_ keys: [StaticString]) -> JSONSelection { .members(keys.map { Member($0) }) }
}
