import Accounts
public import Kernel

/// Names and faces, as existing servers answer them.
public struct UsersInfo: ChatWire {
    public var profiles: [Profile]

    public init(_ profiles: [Profile]) { self.profiles = profiles }

    /// A row that names no person is left out.
    public init(wire: JSONValue) throws(ChatError) {
        let list = try WireMembers(wire, of: "answer").list("usersInfo", atMost: ChatLimits.people)
        profiles = list.compactMap { try? Profile(wire: $0) }
    }

    public var wire: JSONValue {
        let rows = profiles.map { profile -> JSONValue in
            [
                "userID": .string(profile.person.imUserID), "nickname": .string(profile.name),
                "faceURL": .string(profile.avatar), "ex": "",
            ]
        }
        return ["usersInfo": .array(rows)]
    }
}
