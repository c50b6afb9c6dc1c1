public import Accounts
public import Kernel

/// Offers one's history to another device of the account. Source: `docs/protocol.md` 2.10.7.
public struct OfferHandover: ChatWire {
    public var user: UserID
    /// An offer as 2.10.7 has it.
    public var offer: JSONValue
    /// The keys of all objects that the offer is about; at most ``ChatLimits/handoverObjects``.
    public var objects: [String]

    public init(of user: UserID, _ offer: JSONValue, objects: [String]) {
        self.user = user
        self.offer = offer
        self.objects = objects
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        offer = try members.object("offer", atMost: ChatLimits.handoverOffer)
        objects = []
        for value in try members.list("objects", atMost: ChatLimits.handoverObjects) {
            guard let key = value.stringValue, (1...ChatLimits.objectKey).contains(key.utf8.count) else {
                throw .malformed("objects")
            }
            objects.append(key)
        }
        guard !objects.isEmpty, Set(objects).count == objects.count else { throw .malformed("objects") }
    }

    public var wire: JSONValue {
        ["userID": .string(user.imUserID), "offer": offer, "objects": .texts(objects)]
    }
}

/// Asks for the offers of the account's devices to each other.
public struct HandoversRequest: ChatWire {
    public var user: UserID

    public init(of user: UserID) { self.user = user }

    public init(wire: JSONValue) throws(ChatError) {
        user = try WireMembers(wire, of: "request").person("userID")
    }

    public var wire: JSONValue { ["userID": .string(user.imUserID)] }
}

/// The offers that a hub keeps of an account, the oldest first.
public struct Handovers: ChatWire {
    public var offers: [JSONValue]

    public init(_ offers: [JSONValue]) { self.offers = offers }

    public init(wire: JSONValue) throws(ChatError) {
        offers = try WireMembers(wire, of: "answer").list("offers", atMost: ChatLimits.handovers)
    }

    public var wire: JSONValue { ["offers": .array(offers)] }
}

/// An offer was taken, or is not wanted any more: the hub lets go of it and of its objects.
public struct EndHandover: ChatWire {
    private static let idCount = 16

    public var user: UserID
    /// 16 bytes.
    public var id: [UInt8]

    public init(of user: UserID, _ id: [UInt8]) {
        self.user = user
        self.id = id
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        guard let id = Base64URL.decode(try members.required("id", atMost: 32)), id.count == Self.idCount else {
            throw .malformed("id")
        }
        self.id = id
    }

    public var wire: JSONValue { ["userID": .string(user.imUserID), "id": .string(Base64URL.encode(id))] }
}
