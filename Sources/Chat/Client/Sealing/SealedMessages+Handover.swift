import Accounts
import Chat
import ChatSealing
import Kernel
import Sealing

/// What keys have to do with history that one device of the account hands to another.
extension SealedMessages {
    /// The newest list, and a key of a device in it that something may be sealed for.
    ///
    /// - Throws: `ChatError/deviceNotAdded` where this device is not in the list, `ChatError/notThatDevice` where the other is not,
    ///   `ChatSealingError/keyNotInUse`; `ChatError` where the hub is not reached.
    func handoverTarget(_ device: DID) async throws -> (list: ChainEntry, bundle: KeyBundle) {
        forgetWhatWasTold(of: [me])
        let contact = try await current(me)
        guard contact.trouble == nil, let newest = contact.chain?.newest, newest.has(identity.did) else {
            throw ChatError.deviceNotAdded
        }
        guard device != identity.did, newest.has(device) else { throw ChatError.notThatDevice }
        let now = now
        let bundle = try await keyBundles(of: [me]).filter { $0.did == device && $0.isInUse(at: now) }
            .max { $0.made < $1.made }
        guard let bundle else { throw ChatSealingError.keyNotInUse }
        return (newest, bundle)
    }

    /// Whether a device is in the own list, as far as it is known.
    func isListed(_ device: DID) async throws -> Bool { try await contact(me).chain?.newest.has(device) ?? false }

    /// The key of an offer's index, once the own chain has both of its devices.
    ///
    /// - Throws: `ChatSealingError` for an offer that does not hold; `ChatError` where the hub is not reached.
    func handoverKey(of offer: HandoverOffer) async throws -> [UInt8] {
        var contact = try await current(me)
        // The list that has this device may be newer than what it knows.
        if contact.chain?.entry(offer.list) == nil { contact = try await refreshed(me) }
        guard contact.trouble == nil, let chain = contact.chain else { throw ChatSealingError.unknownList }
        try offer.check(in: chain, at: now)
        return try await offer.open(with: ownKeys().map(\.pair))
    }

    /// A message as it is handed over, with what opens its files.
    ///
    /// - Returns: Nil for what stays on this device: a view-once picture, or a file that has no object at the hub.
    func handed(_ message: MessageRecord) async throws -> HandoverPage.Message? {
        guard let sequence = message.sequence else { return nil }
        let payload = message.payload
        var files: [HandoverPage.Message.File] = []
        for name in payload.objectKeys {
            guard name.hasPrefix(Self.prefix) else { return nil }
            guard let object = try await rows.object(name) else { continue }
            files.append(HandoverPage.Message.File(name: name, object: object))
        }
        return HandoverPage.Message(
            in: message.conversation,
            from: message.key.sender,
            id: message.key.clientMessageID,
            sequence: sequence,
            payload,
            files: files
        )
    }

    /// Keeps what opens the files of a page's messages; what is known stays.
    func keepFiles(of page: HandoverPage) async throws {
        let files = page.messages.flatMap { message in
            let names = Set(message.payload.objectKeys)
            // A name that its own message does not have could stand for another message's file.
            return message.files.filter { names.contains($0.name) && $0.name.hasPrefix(Self.prefix) }
        }
        try await rows.add(files.map { ($0.name, $0.object) })
    }
}

extension MessagePayload {
    /// The keys of the objects that are shown with it.
    fileprivate var objectKeys: [String] {
        switch self {
        case .image(let image): [image.objectKey]
        case .voice(let voice): [voice.objectKey]
        case .multiImage(let images): images.objectKeys
        default: []
        }
    }
}
