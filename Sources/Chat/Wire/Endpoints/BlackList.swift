public import Accounts
public import Kernel

/// Blocks a person, or takes the block away.
public struct BlackEntry: ChatWire {
    public var owner: UserID
    public var blocked: UserID

    public init(of owner: UserID, _ blocked: UserID) {
        self.owner = owner
        self.blocked = blocked
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        owner = try members.person("ownerUserID")
        blocked = try members.person("blackUserID")
    }

    public var wire: JSONValue {
        ["ownerUserID": .string(owner.imUserID), "blackUserID": .string(blocked.imUserID)]
    }
}

/// Asks for a page of the people whom the asker blocks.
public struct BlackListRequest: ChatWire {
    public var user: UserID
    /// From 1.
    public var pageNumber: Int
    /// 1 to ``ChatLimits/people``.
    public var pageSize: Int

    public init(_ user: UserID, pageNumber: Int = 1, pageSize: Int = ChatLimits.people) {
        self.user = user
        self.pageNumber = pageNumber
        self.pageSize = pageSize
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID", "ownerUserID")
        let page = WireMembers(members.value("pagination")?.objectValue ?? [:])
        pageNumber = Int(min(max(1, page.integer("pageNumber") ?? 1), Int64(Int32.max)))
        pageSize = Int(min(max(1, page.integer("showNumber") ?? 100), Int64(ChatLimits.people)))
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID),
            "pagination": ["pageNumber": .whole(pageNumber), "showNumber": .whole(pageSize)],
        ]
    }
}

/// A page of the people whom the asker blocks.
public struct BlackList: ChatWire {
    public var people: [UserID]
    /// Of all pages.
    public var total: Int

    public init(_ people: [UserID], total: Int) {
        self.people = people
        self.total = total
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        people = []
        for value in try members.list("blacks", atMost: ChatLimits.people) {
            people.append(
                try WireMembers(value["blackUserInfo"] ?? value, of: "blacks").person("userID", "blackUserID")
            )
        }
        total = Int(min(max(0, members.integer("total") ?? Int64(people.count)), Int64(Int32.max)))
    }

    public var wire: JSONValue {
        [
            "blacks": .array(people.map { ["blackUserInfo": ["userID": .string($0.imUserID)]] }),
            "total": .whole(total),
        ]
    }
}
