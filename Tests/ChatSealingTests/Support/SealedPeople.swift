import Accounts
import Chat
import Kernel
import Sealing
import Testing

@testable import ChatSealing

/// A device of a person, with its chat key.
struct SealedDevice {
    let identity: Identity
    let key: ChatKeyPair
    let bundle: KeyBundle

    init(at now: Int64 = SealedPeople.now) throws {
        identity = Identity()
        key = try ChatKeyPair(madeAt: now)
        bundle = try key.bundle(signedBy: identity)
    }
}

/// Two people with two devices each, and one whom neither knows.
struct SealedPeople {
    static let now: Int64 = 1_790_000_000_000

    let ada: [SealedDevice]
    let bob: [SealedDevice]
    let mallory: SealedDevice
    let adas: AccountChain
    let bobs: AccountChain
    let conversation: ConversationID

    init() throws {
        ada = try [SealedDevice(), SealedDevice()]
        bob = try [SealedDevice(), SealedDevice()]
        mallory = try SealedDevice()
        let (seven, nine) = (try #require(UserID(7)), try #require(UserID(9)))
        adas = try Self.chain(of: seven, ada)
        bobs = try Self.chain(of: nine, bob)
        conversation = try #require(ConversationID(seven, nine))
    }

    static func chain(of user: UserID, _ devices: [SealedDevice]) throws -> AccountChain {
        let first = try AccountChain.first(of: user, by: devices[0].identity, named: "phone", at: now)
        return try devices.dropFirst().reduce(first) { chain, device in
            try chain.adding(ListedDevice(device.identity.did, name: "laptop", since: now), by: devices[0].identity)
        }
    }

    /// A message from Ada to Bob.
    func binding(_ id: String = "one", senders: ChainEntry? = nil, receivers: ChainEntry? = nil) throws
        -> MessageBinding
    {
        try MessageBinding(
            conversation,
            clientMessageID: id,
            senders: senders ?? adas.newest,
            receivers: receivers ?? bobs.newest
        )
    }

    var bundles: [KeyBundle] { [ada[1], bob[0], bob[1]].map(\.bundle) }

    func sealed(_ text: String, id: String = "one", count: Int64? = nil) throws -> SealedMessage {
        try SealedMessage.seal(
            SealedContent(.text(text), count: count),
            bound: binding(id),
            for: bundles,
            from: ada[0].identity
        )
    }
}
