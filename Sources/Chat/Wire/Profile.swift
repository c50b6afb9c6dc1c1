public import Accounts
public import Kernel

/// A person as others see them. Source: documented `openim-batch`.
public struct Profile: ChatWire {
    public var person: UserID
    public var name: String
    /// An address; empty for none.
    public var avatar: String

    public init(person: UserID, name: String, avatar: String) {
        self.person = person
        self.name = name
        self.avatar = avatar
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "profile")
        person = try members.person("uid", "userID")
        name = members.text("username", "nickname") ?? ""
        avatar = members.text("avatar", "faceURL") ?? ""
        guard name.utf8.count <= ChatLimits.name else { throw .tooLong("username", limit: ChatLimits.name) }
        guard avatar.utf8.count <= ChatLimits.url else { throw .tooLong("avatar", limit: ChatLimits.url) }
    }

    public var wire: JSONValue {
        ["uid": .integer(person.number), "username": .string(name), "avatar": .string(avatar)]
    }
}
