public import Accounts
public import Kernel

/// Publishes the public half of a device's chat key. Source: `docs/protocol.md` 2.10.6.
public struct PublishChatKey: ChatWire {
    public var user: UserID
    /// A bundle as 2.10.2 has it.
    public var bundle: JSONValue

    public init(of user: UserID, _ bundle: JSONValue) {
        self.user = user
        self.bundle = bundle
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        bundle = try members.object("bundle", atMost: ChatLimits.chatKey)
    }

    public var wire: JSONValue { ["userID": .string(user.imUserID), "bundle": bundle] }
}

/// Asks for the chat keys of people's devices.
public struct ChatKeysRequest: ChatWire {
    /// At most ``ChatLimits/people``.
    public var people: [UserID]

    public init(_ people: [UserID]) { self.people = people }

    public init(wire: JSONValue) throws(ChatError) {
        people = try WireMembers(wire, of: "request").people("userIDs")
    }

    public var wire: JSONValue { ["userIDs": .people(people)] }
}

/// Chat keys by person; who has none is left out.
public struct ChatKeys: ChatWire {
    public var bundles: [UserID: [JSONValue]]

    public init(_ bundles: [UserID: [JSONValue]]) { self.bundles = bundles }

    public init(wire: JSONValue) throws(ChatError) {
        bundles = [:]
        for value in try WireMembers(wire, of: "answer").list("bundles", atMost: ChatLimits.people) {
            let members = try WireMembers(value, of: "bundles")
            bundles[try members.person("userID")] = try members.list("bundles", atMost: ChatLimits.chatKeys)
        }
    }

    public var wire: JSONValue {
        let people = bundles.sorted { $0.key < $1.key }.map { person, bundles -> JSONValue in
            ["userID": .string(person.imUserID), "bundles": .array(bundles)]
        }
        return ["bundles": .array(people)]
    }
}
