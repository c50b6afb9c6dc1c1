public import Accounts
public import Kernel

/// The people whose presence a connection follows from now on, and no others any more.
public struct WatchedPeople: ChatWire {
    /// At most ``ChatLimits/people``.
    public var people: [UserID]

    public init(_ people: [UserID]) { self.people = people }

    public init(wire: JSONValue) throws(ChatError) {
        people = try WireMembers(wire, of: "request").people("subscribeUserID", "userIDs")
    }

    public var wire: JSONValue { ["subscribeUserID": .people(people)] }
}
