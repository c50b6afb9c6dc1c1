public import Accounts
public import Kernel

/// Asks about some people.
public struct PeopleRequest: ChatWire {
    /// At most ``ChatLimits/people``.
    public var people: [UserID]

    public init(_ people: [UserID]) { self.people = people }

    public init(wire: JSONValue) throws(ChatError) {
        people = try WireMembers(wire, of: "request").people("userIDs")
    }

    public var wire: JSONValue { ["userIDs": .people(people)] }
}

/// Who is connected.
public struct OnlineStatuses: ChatWire {
    /// One person.
    public struct Status: Hashable, Sendable {
        public var person: UserID
        public var isOnline: Bool
        /// The platforms of the connected devices by their numbers: 1 iOS, 2 Android, 3 Windows, 4 macOS, 5 web, 7 Linux.
        public var platforms: [Int]

        public init(person: UserID, isOnline: Bool, platforms: [Int] = []) {
            self.person = person
            self.isOnline = isOnline
            self.platforms = platforms
        }

        init(_ value: JSONValue) throws(ChatError) {
            let members = try WireMembers(value, of: "status")
            person = try members.person("userID")
            isOnline = members.flag("status") ?? false
            platforms = try members.list("detailPlatformStatus", atMost: ChatLimits.people).compactMap {
                WireMembers.integer($0["platformID"]).flatMap { Int(exactly: $0) }
            }
        }

        var wire: JSONValue {
            [
                "userID": .string(person.imUserID), "status": isOnline ? 1 : 0,
                "detailPlatformStatus": .array(platforms.map { ["platformID": .whole($0)] }),
            ]
        }
    }

    public var statuses: [Status]

    public init(_ statuses: [Status]) { self.statuses = statuses }

    /// Reads the bare list of existing servers, and one under `statuses`.
    public init(wire: JSONValue) throws(ChatError) {
        let list = wire.arrayValue ?? wire["statuses"]?.arrayValue
        guard let list else { throw .malformed("statuses") }
        guard list.count <= ChatLimits.people else { throw .tooMany("statuses", limit: ChatLimits.people) }
        statuses = []
        for value in list { statuses.append(try Status(value)) }
    }

    public var wire: JSONValue { .array(statuses.map(\.wire)) }
}
