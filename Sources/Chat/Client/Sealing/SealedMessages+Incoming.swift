import Accounts
public import Chat
import ChatSealing
import Kernel
import Logging
import Sealing

extension SealedMessages {
    /// Chains of one person that a message is tried with, the newest first.
    private static let chainLimit = 4

    public func opened(_ data: MessageData, in conversation: ConversationID) async -> OpenedMessage {
        guard let peer = conversation.peer(of: me) else { return OpenedMessage(data, isSealed: false) }
        guard case .sealed(let json) = data.payload else {
            let isUnexpected = await isUnexpectedlyClear(data, with: peer)
            return OpenedMessage(data, isSealed: false, isUnexpectedlyClear: isUnexpected)
        }
        do {
            let payload = try await open(json, data, in: conversation, with: peer)
            var opened = data
            (opened.contentType, opened.element) = (payload.contentType, payload.element)
            return OpenedMessage(opened, isSealed: true)
        } catch {
            return OpenedMessage(data, isSealed: true, trouble: .init(opening: error))
        }
    }

    private func isUnexpectedlyClear(_ data: MessageData, with peer: UserID) async -> Bool {
        // A server's own notices are clear always, and so is what changes other rows.
        guard data.origin == .person, [.text, .custom].contains(data.contentType), !data.payload.isControl,
            let contact = try? await contact(peer), contact.hasSealed, !contact.allowsClear
        else { return false }
        // The hub puts this in place of a view-once picture that is gone; it says nothing in anybody's name.
        if case .flashImage(let photo) = data.payload, photo.isDestroyed { return false }
        return data.sequence > contact.sealedFrom ?? .max
    }

    private func open(
        _ json: JSONValue,
        _ data: MessageData,
        in conversation: ConversationID,
        with peer: UserID
    ) async throws -> MessagePayload {
        let message = try SealedMessage(json)
        guard let sender = data.sender, let other = conversation.peer(of: sender) else {
            throw ChatSealingError.malformed("sendID")
        }
        var bindings = try await bindings(message, data, in: conversation, sender, other)
        if bindings.isEmpty {
            // A list that this device has not seen: the hub has it.
            forgetWhatWasTold(of: [me, peer])
            for person in [me, peer] { _ = try await current(person) }
            bindings = try await self.bindings(message, data, in: conversation, sender, other)
        }
        // What this device sealed is for all others: it keeps the words itself.
        if sender == me, message.sender == identity.did {
            return try await ownWords(message, bindings, data, with: peer)
        }
        let (content, binding) = try await open(message, bindings)
        try await note(message, content, bound: binding, at: data.sequence, with: peer)
        try await rows.add(Self.objects(of: content.payload, in: data))
        return content.payload.withoutAddresses
    }

    /// The words of a message of this device, where its signature says that it is the one that stands here.
    private func ownWords(
        _ message: SealedMessage,
        _ bindings: [MessageBinding],
        _ data: MessageData,
        with peer: UserID
    ) async throws -> MessagePayload {
        guard bindings.contains(where: { (try? message.verify(bound: $0)) != nil }) else {
            throw bindings.isEmpty ? ChatSealingError.unknownList : .badSignature
        }
        guard let kept = try await rows.outgoing(data.clientMessageID) else { throw ChatSealingError.otherDevice }
        try await noteSealed(at: data.sequence, with: peer)
        try await rows.add(Self.objects(of: kept.payload, in: data))
        return kept.payload
    }

    /// The places that the message may belong to: the lists that it names, of chains that were believed.
    private func bindings(
        _ message: SealedMessage,
        _ data: MessageData,
        in conversation: ConversationID,
        _ sender: UserID,
        _ other: UserID
    ) async throws -> [MessageBinding] {
        let senders = try await contact(sender).chains.reversed().prefix(Self.chainLimit)
        let others = try await contact(other).chains.reversed().prefix(Self.chainLimit)
        return senders.compactMap { $0.entry(message.senderList) }.flatMap { list in
            others.compactMap { $0.entry(message.receiverList) }.compactMap { receivers in
                try? MessageBinding(
                    conversation,
                    clientMessageID: data.clientMessageID,
                    senders: list,
                    receivers: receivers
                )
            }
        }
    }

    private func open(
        _ message: SealedMessage,
        _ bindings: [MessageBinding]
    ) async throws -> (SealedContent, MessageBinding) {
        let keys = try await ownKeys().map(\.pair)
        var failure = ChatSealingError.unknownList
        for binding in bindings {
            do {
                return (try message.open(with: keys, bound: binding), binding)
            } catch {
                // A signature that holds with one pair of lists does with no other.
                failure = error
                if error == .otherDevice || error == .damaged { break }
            }
        }
        if failure == .otherDevice, try await rows.wasOwn(message.to.map(\.id)) { throw ChatError.keyGone }
        throw failure
    }

    private func noteSealed(at sequence: Int64, with peer: UserID) async throws {
        let contact = try await contact(peer)
        guard sequence > 0, !contact.hasSealed || sequence < contact.sealedFrom ?? .max else { return }
        try await change(peer) { contact in
            contact.hasSealed = true
            contact.sealedFrom = min(contact.sealedFrom ?? sequence, sequence)
        }
    }

    private func note(
        _ message: SealedMessage,
        _ content: SealedContent,
        bound binding: MessageBinding,
        at sequence: Int64,
        with peer: UserID
    ) async throws {
        try await noteSealed(at: sequence, with: peer)
        var history = try await contact(peer).history
        let findings = history.note(message, content, bound: binding)
        let noted = history
        try await change(peer) { $0.history = noted }
        // Pages of history come from the newest to the oldest, so what is late says little; it is for who looks for a fault.
        for finding in findings where finding != .repeated {
            logger.info("a sealed message out of its order", metadata: ["finding": "\(finding)"])
        }
    }
}

extension ChatControl.SealTrouble {
    /// What a message says that was not opened.
    init(opening error: any Error) {
        switch error {
        case ChatError.keyGone: self = .keyGone
        case ChatSealingError.otherDevice: self = .otherDevice
        case ChatSealingError.badSignature, ChatSealingError.notListed: self = .badSignature
        case ChatSealingError.unknownList: self = .unknownList
        // Without the hub the list cannot be had; the message is opened when it is loaded again.
        case let error as ChatError where error.isTransport: self = .unknownList
        default: self = .damaged
        }
    }
}

extension MessagePayload {
    /// Without addresses: one that the sender chose would tell them who looks at it, and from where.
    fileprivate var withoutAddresses: MessagePayload {
        switch self {
        case .image(var image):
            (image.url, image.expireAt) = (nil, nil)
            return .image(image)
        case .multiImage(var images):
            (images.urls, images.expireAt) = ([], nil)
            return .multiImage(images)
        case .voice(var voice):
            (voice.url, voice.expireAt) = (nil, nil)
            return .voice(voice)
        default: return self
        }
    }
}
