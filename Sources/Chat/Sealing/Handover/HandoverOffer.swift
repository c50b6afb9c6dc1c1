public import Accounts
import Chat
import Foundation
public import Kernel
public import Sealing

/// An offer of one device of an account to another: where the index of what it read of sealed conversations is, and its key for that device alone.
/// Source: `docs/protocol.md` 2.10.7.
public struct HandoverOffer: Hashable, Sendable {
    /// The canonical text of an offer, in bytes.
    public static let byteLimit = 4 << 10
    public static let idCount = 16
    /// Milliseconds for which a hub keeps an offer: seven days.
    public static let lifetime: Int64 = 7 * 86_400_000
    private static let label = "tandem-chat-handover-1"
    private static let signatureLabel = "tandem-chat-handover-sig-1"

    /// 16 random bytes.
    public let id: [UInt8]
    public let user: UserID
    /// The number of the list that has both devices.
    public let list: Int
    /// That list's hash, 32 bytes.
    public let listHash: [UInt8]
    public let sender: DID
    public let receiver: DID
    /// The sealed index at the hub.
    public let index: SealedPart
    /// When it was made, in milliseconds since 1970 by the sender's clock.
    public let made: Int64
    let wrapped: WrappedKey
    /// Ed25519, 64 bytes.
    public let signature: [UInt8]

    /// Reads an offer and checks its form and its signature. Whether its devices are to be believed says the account's chain: ``check(in:at:)``.
    ///
    /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``, ``ChatSealingError/badSignature``.
    public init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(
            json,
            of: "offer",
            required: [
                "at", "ct", "enc", "entry", "from", "id", "index", "kid", "n", "sha256", "sig", "size", "to", "uid",
                "v",
            ]
        )
        _ = try members.integer("v", in: 1...1)
        id = try members.bytes("id", count: Self.idCount)
        guard let user = UserID(try members.integer("uid", in: UserID.range)) else { throw .malformed("uid") }
        self.user = user
        list = Int(try members.integer("n", in: 0...Int64(AccountChain.entryLimit - 1)))
        listHash = try members.bytes("entry", count: 32)
        sender = try members.device("from")
        receiver = try members.device("to")
        guard sender != receiver else { throw .malformed("to") }
        made = try members.integer("at", in: ChainEntry.times)
        index = SealedPart(
            object: try members.text("index", atMost: ChatLimits.objectKey),
            hash: try members.bytes("sha256", count: 32),
            size: Int(try members.integer("size", in: 1...Int64(HandoverIndex.byteLimit)))
        )
        wrapped = try WrappedKey(
            .object(members.values.filter { ["kid", "enc", "ct"].contains($0.key) })
        )
        signature = try members.bytes("sig", count: 64)
        guard json.canonicalBytes.count <= Self.byteLimit else { throw .tooLarge("offer", limit: Self.byteLimit) }
        let text = SignedText.bytes(Self.signatureLabel, .object(members.values.filter { $0.key != "sig" }))
        try SignedText.verify(signature, of: text, by: sender)
    }

    public var json: JSONValue { unsigned.adding("sig", .bytes(signature)) }

    private var unsigned: JSONValue {
        Self.json(id, user, list: (list, listHash), from: sender, to: receiver, index, wrapped, at: made)
    }

    private static func json(
        _ id: [UInt8],
        _ user: UserID,
        list: (number: Int, hash: [UInt8]),
        from sender: DID,
        to receiver: DID,
        _ index: SealedPart,
        _ wrapped: WrappedKey,
        at made: Int64
    ) -> JSONValue {
        let json: JSONValue = [
            "v": 1, "id": .bytes(id), "uid": .integer(user.number), "n": .integer(Int64(list.number)),
            "entry": .bytes(list.hash), "from": .string(sender.text), "to": .string(receiver.text),
            "index": .string(index.object), "sha256": .bytes(index.hash), "size": .integer(Int64(index.size)),
            "at": .integer(made),
        ]
        guard case .object(let key) = wrapped.json else { return json }
        return key.reduce(json) { $0.adding($1.key, $1.value) }
    }

    // MARK: Making

    /// - Parameters:
    ///   - id: 16 random bytes, which no other offer has.
    ///   - entry: The newest list, which has both devices.
    ///   - bundle: A key of the receiving device that is in use.
    ///   - key: Opens the index, 32 bytes.
    /// - Throws: ``ChatSealingError/notListed``, ``ChatSealingError/keyNotInUse``; what the cryptographic library says.
    public static func make(
        _ id: [UInt8],
        list entry: ChainEntry,
        for bundle: KeyBundle,
        index: SealedPart,
        key: [UInt8],
        from sender: Identity,
        at now: Int64
    ) throws -> HandoverOffer {
        guard entry.has(sender.did), entry.has(bundle.did) else { throw ChatSealingError.notListed }
        guard bundle.isInUse(at: now) else { throw ChatSealingError.keyNotInUse }
        let info = binding(id, entry.user, from: sender.did, to: bundle.did, entry.hash, index.hash)
        let json = json(
            id,
            entry.user,
            list: (entry.number, entry.hash),
            from: sender.did,
            to: bundle.did,
            index,
            try WrappedKey.wrap(key, for: bundle, info: info),
            at: now
        )
        let signature = try sender.sign(SignedText.bytes(signatureLabel, json))
        return try HandoverOffer(json.adding("sig", .bytes(signature)))
    }

    private static func binding(
        _ id: [UInt8],
        _ user: UserID,
        from sender: DID,
        to receiver: DID,
        _ listHash: [UInt8],
        _ indexHash: [UInt8]
    ) -> [UInt8] {
        Array(label.utf8) + [0]
            + LengthValue.encode(id) + LengthValue.encode(user.imUserID) + LengthValue.encode(sender.text)
            + LengthValue.encode(receiver.text) + LengthValue.encode(listHash) + LengthValue.encode(indexHash)
    }

    // MARK: Taking

    /// Whether the account's own chain has both devices as the offer says, and has the sender still.
    ///
    /// - Parameter now: Milliseconds since 1970. A clock that is a day behind the sender's is taken.
    /// - Throws: ``ChatSealingError/unknownList``, ``ChatSealingError/notListed``, ``ChatSealingError/keyNotInUse`` for an offer that is too old.
    public func check(in chain: AccountChain, at now: Int64) throws(ChatSealingError) {
        guard chain.newest.user == user, let entry = chain.entry(list), entry.hash == listHash else {
            throw .unknownList
        }
        guard entry.has(sender), entry.has(receiver), chain.newest.has(sender), chain.newest.has(receiver) else {
            throw .notListed
        }
        guard (made - ChatKeyLife.skew...made + Self.lifetime).contains(now) else { throw .keyNotInUse }
    }

    /// The index's key, once ``check(in:at:)`` has passed.
    ///
    /// - Parameter keys: The receiving device's, newer ones and older ones.
    /// - Throws: ``ChatSealingError/otherDevice`` where none of the keys is meant, ``ChatSealingError/damaged``.
    public func open(with keys: [ChatKeyPair]) throws(ChatSealingError) -> [UInt8] {
        guard let pair = keys.first(where: { $0.id == wrapped.id }) else { throw .otherDevice }
        let key = try wrapped.unwrap(
            with: pair,
            info: Self.binding(id, user, from: sender, to: receiver, listHash, index.hash)
        )
        guard key.count == SealedMedia.keyCount else { throw .damaged }
        return key
    }
}
