public import Accounts
import Foundation
public import Kernel

/// Appends a list of devices to one's own chain. Source: `docs/protocol.md` 2.10.6.
public struct AppendToChain: ChatWire {
    public var user: UserID
    /// An entry as 2.10.1 has it.
    public var entry: JSONValue

    public init(of user: UserID, _ entry: JSONValue) {
        self.user = user
        self.entry = entry
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        entry = try members.object("entry", atMost: ChatLimits.listOfDevices)
    }

    public var wire: JSONValue { ["userID": .string(user.imUserID), "entry": entry] }
}

/// Asks for the lists of people's devices behind those that the asker has.
public struct ChainsRequest: ChatWire {
    public struct Place: Hashable, Sendable {
        public var person: UserID
        /// The number of the newest entry that the asker has, -1 for none.
        public var after: Int64

        public init(_ person: UserID, after: Int64 = -1) {
            self.person = person
            self.after = after
        }
    }

    /// At most ``ChatLimits/people``.
    public var places: [Place]

    public init(_ places: [Place]) { self.places = places }

    public init(wire: JSONValue) throws(ChatError) {
        places = []
        for value in try WireMembers(wire, of: "request").list("users", atMost: ChatLimits.people) {
            let members = try WireMembers(value, of: "users")
            places.append(Place(try members.person("userID"), after: max(-1, members.integer("after") ?? -1)))
        }
    }

    public var wire: JSONValue {
        let users = places.map { place -> JSONValue in
            ["userID": .string(place.person.imUserID), "after": .integer(place.after)]
        }
        return ["users": .array(users)]
    }
}

/// Parts of people's chains; who has none is left out.
public struct Chains: ChatWire {
    public struct Part: Hashable, Sendable {
        public var person: UserID
        /// The number of the newest entry: where the part ends before it, the rest is asked for.
        public var newest: Int64
        /// The hash of entry 0, 32 bytes.
        public var start: [UInt8]
        /// The oldest first.
        public var entries: [JSONValue]

        public init(person: UserID, newest: Int64, start: [UInt8], entries: [JSONValue]) {
            self.person = person
            self.newest = newest
            self.start = start
            self.entries = entries
        }
    }

    public var parts: [Part]

    public init(_ parts: [Part]) { self.parts = parts }

    public init(wire: JSONValue) throws(ChatError) {
        parts = []
        for value in try WireMembers(wire, of: "answer").list("chains", atMost: ChatLimits.people) {
            let members = try WireMembers(value, of: "chains")
            guard let newest = members.integer("newest"), newest >= 0 else { throw .malformed("newest") }
            let text = try members.required("start", atMost: 64)
            guard let start = Base64URL.decode(text), start.count == 32 else { throw .malformed("start") }
            parts.append(
                Part(
                    person: try members.person("userID"),
                    newest: newest,
                    start: start,
                    entries: try members.list("entries", atMost: ChatLimits.chainEntries)
                )
            )
        }
    }

    public var wire: JSONValue {
        let chains = parts.map { part -> JSONValue in
            [
                "userID": .string(part.person.imUserID), "newest": .integer(part.newest),
                "start": .string(Base64URL.encode(part.start)), "entries": .array(part.entries),
            ]
        }
        return ["chains": .array(chains)]
    }
}

extension WireMembers {
    /// An object that is not looked into, of at most so many bytes of canonical JSON.
    ///
    /// - Throws: ``ChatError/malformed(_:)``, ``ChatError/tooLong(_:limit:)``.
    func object(_ key: String, atMost limit: Int) throws(ChatError) -> JSONValue {
        guard let value = value(key), case .object = value else { throw .malformed(key) }
        guard value.canonicalBytes.count <= limit else { throw .tooLong(key, limit: limit) }
        return value
    }
}
