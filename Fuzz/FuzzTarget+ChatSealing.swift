import Accounts
import Chat
import ChatSealing
import Kernel
import Sealing

extension FuzzTarget {
    private static let device = Identity()

    /// A list of devices from a hub: nothing is believed that no device signed, and what is believed is written as it was read.
    static let accountChain = FuzzTarget(name: "account-chain") { bytes in
        guard let json = try? JSONValue(parsing: bytes) else { return }
        let entries = (json.arrayValue ?? [json]).prefix(AccountChain.entryLimit).compactMap { try? ChainEntry($0) }
        for entry in entries where (try? ChainEntry(entry.json)) != entry { finding("an entry that changes") }
        guard let chain = try? AccountChain(Array(entries)) else { return }
        guard chain.entries == Array(entries), chain.news(in: chain) == .same else { finding("a chain that changes") }
        // Seeds are signed; no input holds a signature of the fuzzer's own device.
        if chain.entries.contains(where: { $0.signer == device.did }) { finding("an entry that nobody signed") }
    }

    static let keyBundle = FuzzTarget(name: "key-bundle") { bytes in
        guard let json = try? JSONValue(parsing: bytes), let bundle = try? KeyBundle(json) else { return }
        guard (try? KeyBundle(bundle.json)) == bundle else { finding("a bundle that changes") }
        if bundle.did == device.did { finding("a bundle that nobody signed") }
    }

    /// A sealed message from a hub: nothing opens that nobody sealed.
    static let sealedMessage = FuzzTarget(name: "sealed-message") { bytes in
        guard let json = try? JSONValue(parsing: bytes), let message = try? SealedMessage(json) else { return }
        guard (try? SealedMessage(message.json)) == message else { finding("a message that changes") }
        guard message.to.count <= SealedMessage.recipientLimit else { finding("more recipients than devices") }
        guard let places else { finding("no lists could be made") }
        if (try? message.open(with: [places.key], bound: places.binding)) != nil {
            finding("a message opened that nobody sealed")
        }
    }

    /// Sealed media from a hub, in pieces: nothing opens that nobody sealed. The seed is an empty file under this key.
    static let sealedMedia = FuzzTarget(name: "sealed-media") { bytes in
        var opener = MediaOpener(key: [UInt8](repeating: 0x51, count: 32), limit: 1 << 16)
        var opened: [UInt8] = []
        do {
            for piece in stride(from: 0, to: bytes.count, by: 37) {
                opened += try opener.open(bytes[piece..<min(piece + 37, bytes.count)])
            }
            try opener.finish()
        } catch {
            return
        }
        guard opened.isEmpty else { finding("media opened that nobody sealed") }
    }

    /// What another device of an account hands over: pages and indexes keep to their bounds, and no offer is believed that nobody signed.
    static let handover = FuzzTarget(name: "handover") { bytes in
        guard let json = try? JSONValue(parsing: bytes) else { return }
        if let page = try? HandoverPage(json) {
            guard (try? HandoverPage(page.json)) == page else { finding("a page that changes") }
            guard page.messages.count <= HandoverPage.messageLimit else { finding("a page over its limit") }
            for message in page.messages {
                if case .flashImage = message.payload { finding("a view-once picture that is handed over") }
            }
        }
        if let index = try? HandoverIndex(json) {
            guard (try? HandoverIndex(index.json)) == index else { finding("an index that changes") }
            guard index.messages <= HandoverIndex.messageLimit, index.pages.count <= HandoverIndex.pageLimit,
                index.pages.reduce(0, { $0 + $1.part.size }) <= HandoverIndex.sizeLimit
            else { finding("an index over its limits") }
        }
        if let offer = try? HandoverOffer(json) {
            guard (try? HandoverOffer(offer.json)) == offer else { finding("an offer that changes") }
            if offer.sender == device.did { finding("an offer that nobody signed") }
        }
    }

    private static let places: (binding: MessageBinding, key: ChatKeyPair)? = {
        guard let ada = UserID(7), let bob = UserID(9), let conversation = ConversationID(ada, bob),
            let adas = try? AccountChain.first(of: ada, by: device, named: "phone", at: 1),
            let bobs = try? AccountChain.first(of: bob, by: Identity(), named: "phone", at: 1),
            let binding = try? MessageBinding(
                conversation,
                clientMessageID: "id",
                senders: adas.newest,
                receivers: bobs.newest
            ), let key = try? ChatKeyPair(madeAt: 1)
        else { return nil }
        return (binding, key)
    }()
}
