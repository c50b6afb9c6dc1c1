public import Accounts
public import Kernel
public import Sealing

/// One list of an account's devices, signed by one of them. Source: `docs/protocol.md` 2.10.1.
public struct ChainEntry: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
        /// The account's first list.
        case first
        case added
        case removed
        /// All devices were lost: the chain begins anew.
        case lost
    }

    /// Devices of one account.
    public static let deviceLimit = 32
    /// The canonical text of an entry, in bytes.
    public static let byteLimit = 16 << 10
    /// Milliseconds since 1970, up to what a program in JavaScript reads without loss.
    static let times: ClosedRange<Int64> = 0...9_007_199_254_740_991
    private static let label = "tandem-chat-entry-1"

    public let user: UserID
    /// The place in the chain, from 0.
    public let number: Int
    /// The hash of the entry before. Of entry 0 with the reason `lost` that of the newest entry that the person's hub had; nil of a first one.
    public let previous: [UInt8]?
    /// 1 to 32, none twice.
    public let devices: [ListedDevice]
    public let reason: Reason
    public let signer: DID
    /// Ed25519, 64 bytes.
    public let signature: [UInt8]
    /// SHA-256 of the signed text, without the signature: one list has one hash, however often it is signed.
    public let hash: [UInt8]

    /// Reads an entry and checks its form and its signature, not its place in a chain: ``AccountChain`` does that.
    ///
    /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``, ``ChatSealingError/badSignature``.
    public init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(
            json,
            of: "entry",
            required: ["devices", "n", "prev", "reason", "sig", "signer", "uid", "v"]
        )
        _ = try members.integer("v", in: 1...1)
        guard let user = UserID(try members.integer("uid", in: UserID.range)) else { throw .malformed("uid") }
        self.user = user
        number = Int(try members.integer("n", in: 0...Int64(AccountChain.entryLimit - 1)))
        let previous = try members.bytes("prev", atMost: 32)
        guard previous.isEmpty || previous.count == 32 else { throw .malformed("prev") }
        self.previous = previous.isEmpty ? nil : previous
        guard let reason = Reason(rawValue: try members.text("reason", atMost: 16)) else { throw .malformed("reason") }
        self.reason = reason
        var devices: [ListedDevice] = []
        for device in try members.list("devices", atMost: Self.deviceLimit) { devices.append(try ListedDevice(device)) }
        guard !devices.isEmpty, Set(devices.map(\.did)).count == devices.count else { throw .malformed("devices") }
        self.devices = devices
        signer = try members.device("signer")
        signature = try members.bytes("sig", count: 64)
        try Self.check(number, reason, self.previous, devices, signer)
        let text = SignedText.bytes(Self.label, .object(members.values.filter { $0.key != "sig" }))
        guard text.count <= Self.byteLimit else { throw .tooLarge("entry", limit: Self.byteLimit) }
        try SignedText.verify(signature, of: text, by: signer)
        hash = Hashing.sha256(text)
    }

    /// A chain begins with one device, which signs for itself, and only there.
    private static func check(
        _ number: Int,
        _ reason: Reason,
        _ previous: [UInt8]?,
        _ devices: [ListedDevice],
        _ signer: DID
    ) throws(ChatSealingError) {
        let isStart = reason == .first || reason == .lost
        guard isStart == (number == 0) else { throw .malformed("reason") }
        guard (previous == nil) == (reason == .first) else { throw .malformed("prev") }
        guard !isStart || devices.map(\.did) == [signer] else { throw .malformed("devices") }
    }

    /// Makes and signs an entry.
    ///
    /// - Throws: As ``init(_:)``; what the cryptographic library says.
    static func signed(
        _ user: UserID,
        number: Int,
        previous: [UInt8]?,
        devices: [ListedDevice],
        reason: Reason,
        by identity: Identity
    ) throws -> ChainEntry {
        let json: JSONValue = [
            "v": 1, "uid": .integer(user.number), "n": .integer(Int64(number)), "prev": .bytes(previous ?? []),
            "devices": .array(devices.map(\.json)), "reason": .string(reason.rawValue),
            "signer": .string(identity.did.text),
        ]
        let signature = try identity.sign(SignedText.bytes(label, json))
        return try ChainEntry(json.adding("sig", .bytes(signature)))
    }

    public var json: JSONValue {
        [
            "v": 1, "uid": .integer(user.number), "n": .integer(Int64(number)), "prev": .bytes(previous ?? []),
            "devices": .array(devices.map(\.json)), "reason": .string(reason.rawValue),
            "signer": .string(signer.text), "sig": .bytes(signature),
        ]
    }

    /// Checks that this is the next entry of the chain whose newest is `last`.
    ///
    /// - Throws: ``ChatSealingError/notContinuation`` unless it follows on it and changes what its reason says;
    ///   ``ChatSealingError/notListed`` for one that is signed by another device than `last` lists; ``ChatSealingError/tooLarge(_:limit:)``.
    public func checkFollows(_ last: ChainEntry) throws(ChatSealingError) {
        guard last.number + 1 < AccountChain.entryLimit else {
            throw .tooLarge("chain", limit: AccountChain.entryLimit)
        }
        guard user == last.user, number == last.number + 1, previous == last.hash else { throw .notContinuation }
        guard last.has(signer) else { throw .notListed }
        let (before, after) = (Set(last.devices), Set(devices))
        let isSaid =
            switch reason {
            case .added: before.isStrictSubset(of: after)
            case .removed: after.isStrictSubset(of: before)
            case .first, .lost: false
            }
        guard isSaid else { throw .notContinuation }
    }

    public func has(_ device: DID) -> Bool { devices.contains { $0.did == device } }
}
