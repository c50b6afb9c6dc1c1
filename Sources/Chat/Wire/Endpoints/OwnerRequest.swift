public import Accounts
public import Kernel

/// A request about everything of one person, who is the asker.
public struct OwnerRequest: ChatWire {
    public var user: UserID

    public init(_ user: UserID) { self.user = user }

    public init(wire: JSONValue) throws(ChatError) {
        user = try WireMembers(wire, of: "request").person("ownerUserID", "userID")
    }

    public var wire: JSONValue { ["ownerUserID": .string(user.imUserID), "userID": .string(user.imUserID)] }
}
