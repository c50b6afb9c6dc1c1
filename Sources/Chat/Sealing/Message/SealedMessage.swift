import Chat
import Crypto
import Foundation
public import Kernel
public import Sealing

/// A message that only the devices of two people open: the envelope, version 1. Source: `docs/protocol.md` 2.10.3.
public struct SealedMessage: Hashable, Sendable {
    /// Devices that a message is sealed for: those of two full lists, but for the sending one.
    public static let recipientLimit = 2 * ChainEntry.deviceLimit - 1
    static let keyCount = 32
    private static let tagCount = 16
    private static let label = "tandem-chat-sig-1"
    /// Of the documented payload.
    public static let type = "sealed"

    /// The number of the sender's list of devices.
    public let senderList: Int
    public let receiverList: Int
    /// The device that sent it.
    public let sender: DID
    public let to: [WrappedKey]
    let body: [UInt8]
    let signature: [UInt8]
    /// The hub's objects that belong to the message, so that it keeps them as long. Not signed: the content itself says which they are.
    public var objects: [String] = []
    /// The hub's object of a view-once picture; the hub takes it out before it hands the message over. Not signed, as ``objects``.
    public var flash: String?

    private init(senderList: Int, receiverList: Int, sender: DID, to: [WrappedKey], body: [UInt8], signature: [UInt8]) {
        self.senderList = senderList
        self.receiverList = receiverList
        self.sender = sender
        self.to = to
        self.body = body
        self.signature = signature
    }

    // MARK: The wire

    /// Reads an envelope. Its form is checked; nothing in it is believed before ``open(with:bound:)``.
    ///
    /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``.
    public init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(
            json,
            of: Self.type,
            required: ["body", "from", "list", "sig", "to", "type", "v"],
            optional: ["flash", "objects"]
        )
        guard try members.text("type", atMost: 16) == Self.type else { throw .malformed("type") }
        _ = try members.integer("v", in: 1...1)
        let numbers = try members.list("list", atMost: 2).compactMap { number -> Int? in
            guard case .integer(let number) = number, (0..<Int64(AccountChain.entryLimit)).contains(number) else {
                return nil
            }
            return Int(number)
        }
        guard numbers.count == 2 else { throw .malformed("list") }
        var to: [WrappedKey] = []
        for wrapped in try members.list("to", atMost: Self.recipientLimit) { to.append(try WrappedKey(wrapped)) }
        guard !to.isEmpty, Set(to.map(\.id)).count == to.count else { throw .malformed("to") }
        self.init(
            senderList: numbers[0],
            receiverList: numbers[1],
            sender: try members.device("from"),
            to: to,
            body: try members.bytes("body", atMost: SealedContent.byteLimit + Self.tagCount),
            signature: try members.bytes("sig", count: 64)
        )
        guard body.count > Self.tagCount else { throw .malformed("body") }
        try readObjects(members)
    }

    private mutating func readObjects(_ members: StrictMembers) throws(ChatSealingError) {
        if members.values["flash"] != nil { flash = try members.text("flash", atMost: ChatLimits.objectKey) }
        guard members.values["objects"] != nil else { return }
        for key in try members.list("objects", atMost: ChatLimits.pictures) {
            guard case .string(let key) = key, key.utf8.count <= ChatLimits.objectKey else {
                throw .malformed("objects")
            }
            objects.append(key)
        }
    }

    public var json: JSONValue {
        var json: JSONValue = [
            "type": .string(Self.type), "v": 1,
            "list": [.integer(Int64(senderList)), .integer(Int64(receiverList))], "from": .string(sender.text),
            "to": .array(to.map(\.json)), "body": .bytes(body), "sig": .bytes(signature),
        ]
        if !objects.isEmpty { json = json.adding("objects", .array(objects.map { .string($0) })) }
        if let flash { json = json.adding("flash", .string(flash)) }
        return json
    }

    // MARK: Sealing

    /// Seals a message for every device of both people but the sending one.
    ///
    /// - Parameters:
    ///   - bundles: One of each device that has one in use; see ``bundles(among:bound:from:at:)``.
    /// - Throws: ``ChatSealingError/notListed`` where the sender or a bundle's device is not in the lists,
    ///   ``ChatSealingError/nobodyToSealFor``, ``ChatSealingError/tooLarge(_:limit:)``; what the cryptographic library says.
    public static func seal(
        _ content: SealedContent,
        bound binding: MessageBinding,
        for bundles: [KeyBundle],
        from sender: Identity
    ) throws -> SealedMessage {
        try seal(content, bound: binding, for: bundles, from: sender, key: RandomBytes.make(keyCount)) {
            try WrappedKey.wrap($0, for: $1, info: $2)
        }
    }

    /// - Parameters:
    ///   - key: The message's key, which is never used twice: 32 random bytes.
    ///   - wrap: Wraps the key for a bundle with the message's binding. Vectors have their own.
    static func seal(
        _ content: SealedContent,
        bound binding: MessageBinding,
        for bundles: [KeyBundle],
        from sender: Identity,
        key: [UInt8],
        wrap: (_ key: [UInt8], _ bundle: KeyBundle, _ info: [UInt8]) throws -> WrappedKey
    ) throws -> SealedMessage {
        let devices = Set(binding.devices(besides: sender.did))
        guard binding.senders.has(sender.did), bundles.allSatisfy({ devices.contains($0.did) }) else {
            throw ChatSealingError.notListed
        }
        // A message that its receiver has no device for would be one that only its sender reads.
        guard bundles.contains(where: { binding.receivers.has($0.did) }) else { throw ChatSealingError.nobodyToSealFor }
        guard Set(bundles.map(\.id)).count == bundles.count else { throw ChatSealingError.malformed("to") }
        let data = binding.data(from: sender.did)
        let body = try AES.GCM.seal(
            SealedPadding.pad(content.bytes),
            using: SymmetricKey(data: key),
            nonce: try zeroNonce,
            authenticating: data
        )
        let to = try bundles.map { try wrap(key, $0, data) }
        let bytes = Array(body.ciphertext) + Array(body.tag)
        return SealedMessage(
            senderList: binding.senders.number,
            receiverList: binding.receivers.number,
            sender: sender.did,
            to: to,
            body: bytes,
            signature: try sender.sign(signedText(data, to, bytes))
        )
    }

    /// Of each device that a message goes to the newest bundle in use; devices without one get no key.
    public static func bundles(
        among bundles: [KeyBundle],
        bound binding: MessageBinding,
        from sender: DID,
        at now: Int64
    ) -> [KeyBundle] {
        binding.devices(besides: sender).compactMap { device in
            bundles.filter { $0.did == device && $0.isInUse(at: now) }.max { $0.made < $1.made }
        }
    }

    /// One nonce does for a key that seals one message.
    private static var zeroNonce: AES.GCM.Nonce {
        get throws { try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)) }
    }

    private static func signedText(_ data: [UInt8], _ to: [WrappedKey], _ body: [UInt8]) -> [UInt8] {
        // Each part has its length, so that no byte can be moved from one into the other.
        SignedText.bytes(
            label,
            Hashing.sha256(
                LengthValue.encode(data) + LengthValue.encode(to.flatMap(\.bytes)) + LengthValue.encode(body)
            )
        )
    }

    // MARK: Opening

    /// Checks that the message is its sender's, for this place and these lists. Nothing is opened.
    ///
    /// - Throws: ``ChatSealingError/unknownList`` for other lists than those of `binding`, ``ChatSealingError/notListed``,
    ///   ``ChatSealingError/badSignature``.
    public func verify(bound binding: MessageBinding) throws(ChatSealingError) {
        guard binding.senders.number == senderList, binding.receivers.number == receiverList else { throw .unknownList }
        guard binding.senders.has(sender) else { throw .notListed }
        try SignedText.verify(signature, of: Self.signedText(binding.data(from: sender), to, body), by: sender)
    }

    /// Verifies the message, then opens it.
    ///
    /// - Parameter keys: This device's, newer ones and older ones.
    /// - Throws: As ``verify(bound:)``; ``ChatSealingError/otherDevice`` where none of the keys is meant, ``ChatSealingError/damaged``.
    public func open(with keys: [ChatKeyPair], bound binding: MessageBinding) throws(ChatSealingError) -> SealedContent
    {
        try verify(bound: binding)
        let data = binding.data(from: sender)
        for wrapped in to {
            guard let pair = keys.first(where: { $0.id == wrapped.id }) else { continue }
            return try content(with: wrapped.unwrap(with: pair, info: data), data)
        }
        throw .otherDevice
    }

    private func content(with key: [UInt8], _ data: [UInt8]) throws(ChatSealingError) -> SealedContent {
        guard key.count == Self.keyCount else { throw .damaged }
        let padded: [UInt8]
        do {
            let box = try AES.GCM.SealedBox(
                nonce: try Self.zeroNonce,
                ciphertext: body.dropLast(Self.tagCount),
                tag: body.suffix(Self.tagCount)
            )
            padded = Array(try AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: data))
        } catch {
            throw .damaged
        }
        return try SealedContent(try SealedPadding.content(of: padded))
    }
}
