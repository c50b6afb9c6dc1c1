public import Accounts
public import Kernel

/// The documented request for names and faces.
public struct ProfilesRequest: ChatWire {
    /// At most ``ChatLimits/people``.
    public var people: [UserID]

    public init(_ people: [UserID]) { self.people = people }

    public init(wire: JSONValue) throws(ChatError) {
        people = try WireMembers(wire, of: "request").people("user_ids")
    }

    public var wire: JSONValue { ["user_ids": .array(people.map { .integer($0.number) }), "scene": "list"] }
}

/// Names and faces.
public struct Profiles: ChatWire {
    public var profiles: [Profile]

    public init(_ profiles: [Profile]) { self.profiles = profiles }

    /// A row that names no person is left out: a number 0 is what the app's server writes for an account that is gone. Source: rules B22, L4.
    public init(wire: JSONValue) throws(ChatError) {
        guard let list = wire.arrayValue else { throw .malformed("profiles") }
        guard list.count <= ChatLimits.people else { throw .tooMany("profiles", limit: ChatLimits.people) }
        profiles = list.compactMap { try? Profile(wire: $0) }
    }

    public var wire: JSONValue { .array(profiles.map(\.wire)) }
}
