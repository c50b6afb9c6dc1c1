public import Accounts
public import Kernel

/// Asks who has an account's name. Ours.
public struct FindPerson: ChatWire {
    /// As ``AccountName`` has it: at most ``ChatLimits/name`` bytes here.
    public var name: String

    public init(_ name: String) { self.name = name }

    public init(wire: JSONValue) throws(ChatError) {
        name = try WireMembers(wire, of: "request").required("name", atMost: ChatLimits.name)
    }

    public var wire: JSONValue { ["name": .string(name)] }
}

/// The person of a name. Without one the server refuses with ``IMErrorCode/userNotFound``.
public struct FoundPerson: ChatWire {
    public var person: UserID
    /// The account's name.
    public var name: String
    public var nickname: String
    /// Empty for none.
    public var avatar: String

    public init(_ person: UserID, name: String, nickname: String, avatar: String = "") {
        self.person = person
        self.name = name
        self.nickname = nickname
        self.avatar = avatar
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        person = try members.person("userID", "uid")
        name = members.text("name") ?? ""
        nickname = members.text("nickname") ?? ""
        avatar = members.text("avatar") ?? ""
        for (text, what) in [(name, "name"), (nickname, "nickname")] {
            guard text.utf8.count <= ChatLimits.name else { throw .tooLong(what, limit: ChatLimits.name) }
        }
        guard avatar.utf8.count <= ChatLimits.url else { throw .tooLong("avatar", limit: ChatLimits.url) }
    }

    public var wire: JSONValue {
        [
            "uid": .integer(person.number), "userID": .string(person.imUserID), "name": .string(name),
            "nickname": .string(nickname), "avatar": .string(avatar),
        ]
    }
}
