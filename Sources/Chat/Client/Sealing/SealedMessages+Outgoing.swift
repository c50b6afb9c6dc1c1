import Accounts
public import Chat
import ChatSealing
import Kernel
import Logging
import Sealing

extension SealedMessages: MessageSealing {
    /// Looks for a key of somebody who was never sealed for, half a second apart.
    private static var patience: Int { 6 }

    /// What the hub has to see stays as it is: that a view-once picture was viewed, and what is sealed already.
    public func outgoing(_ request: SendMessage) async throws -> SendMessage {
        if request.payload.isControl { return request }
        if case .sealed = request.payload { return request }
        let conversation = try request.recipient.conversation(from: me)
        guard let peer = conversation.peer(of: me) else { throw ChatError.notYours }
        let kept = try await rows.outgoing(request.clientMessageID)
        if let sealed = kept?.sealed { return Self.request(request, sealed) }
        var own = try await current(me)
        if own.chain == nil {
            // The first list is made with the first message at the latest.
            await align()
            own = try await contact(me)
        }
        let other = try await current(peer)
        if let trouble = own.trouble ?? other.trouble, trouble != .clear { throw ChatError(sealing: trouble) }
        guard let mine = own.chain, let theirs = other.chain else {
            return try await clear(request, other, isSealed: other.hasSealed)
        }
        guard mine.newest.has(identity.did) else {
            guard other.allowsClear else { throw ChatError.deviceNotAdded }
            return request
        }
        let binding = try MessageBinding(
            conversation,
            clientMessageID: request.clientMessageID,
            senders: mine.newest,
            receivers: theirs.newest
        )
        let bundles = try await bundles(for: binding, peer, isFirst: !other.hasSealed)
        guard bundles.contains(where: { theirs.newest.has($0.did) }) else {
            return try await clear(request, other, isSealed: true)
        }
        // A message that is sealed anew keeps its count: nothing of it was stored.
        let count: Int64
        if let kept { count = kept.count } else { count = try await change(peer) { $0.sent += 1 }.sent }
        let (content, objects, flash) = Self.parts(of: request.payload, count: count)
        var sealed = try SealedMessage.seal(content, bound: binding, for: bundles, from: identity)
        (sealed.objects, sealed.flash) = (objects, flash)
        try await rows.keep(
            request.clientMessageID,
            SealedContent(request.payload, count: nil),
            sealed,
            count: count,
            at: now
        )
        try await change(peer) { contact in
            contact.hasSealed = true
            contact.allowsClear = false
            if contact.trouble == .clear { contact.trouble = nil }
        }
        return Self.request(request, sealed.json)
    }

    /// The keys that a message goes to. A device publishes its key right behind its first list: the first message to a person waits a moment for it.
    private func bundles(for binding: MessageBinding, _ peer: UserID, isFirst: Bool) async throws -> [KeyBundle] {
        for attempt in 1... {
            let bundles = SealedMessage.bundles(
                among: try await keyBundles(of: [me, peer]),
                bound: binding,
                from: identity.did,
                at: now
            )
            let isMeant = bundles.contains { binding.receivers.has($0.did) }
            guard isFirst, !isMeant, attempt < Self.patience, await time.pause(for: .milliseconds(500)) else {
                return bundles
            }
        }
        return []
    }

    private static func request(_ request: SendMessage, _ sealed: JSONValue) -> SendMessage {
        SendMessage(
            to: request.recipient,
            .sealed(sealed),
            clientMessageID: request.clientMessageID,
            receiveID: request.receiveID
        )
    }

    /// A conversation of two people with lists, and one that was sealed once, is clear by a deliberate act alone.
    private func clear(_ request: SendMessage, _ other: SealingContact, isSealed: Bool) async throws -> SendMessage {
        guard isSealed, !other.allowsClear else { return request }
        try await change(other.person) { $0.trouble = .clear }
        throw ChatError.onlyClear
    }

    /// The content, the keys of the hub's objects, and that of a view-once picture.
    private static func parts(
        of payload: MessagePayload,
        count: Int64
    ) -> (content: SealedContent, objects: [String], flash: String?) {
        switch payload {
        // Its receiver knows the key, too, which opens nothing: the hub hands the object out by the message, once.
        case .flashImage(let photo): return (SealedContent(payload, count: count), [], photo.objectKey)
        case .image(let image): return (SealedContent(payload, count: count), [image.objectKey], nil)
        case .multiImage(let images): return (SealedContent(payload, count: count), images.objectKeys, nil)
        case .voice(let voice): return (SealedContent(payload, count: count), [voice.objectKey], nil)
        case .text, .flashViewed, .signalQuote, .sealed, .unknown:
            return (SealedContent(payload, count: count), [], nil)
        }
    }

    /// The hub refused a message because of old lists: it is sealed anew, under the same id.
    public func outdated(_ request: SendMessage) async {
        guard let peer = try? request.recipient.conversation(from: me).peer(of: me) else { return }
        forgetWhatWasTold(of: [me, peer])
        do { try await rows.forgetSealed(request.clientMessageID) } catch {
            // It is refused again, then.
            logger.error("a sealed message was not taken back", metadata: ["reason": "\(error)"])
        }
    }

    /// The hub has the message.
    public func acknowledged(_ request: SendMessage) async {
        do { try await rows.noteSent(request.clientMessageID) } catch {
            // It is kept for longer than it has to be.
            logger.error("a sealed message was not noted as sent", metadata: ["reason": "\(error)"])
        }
    }
}

extension ChatError {
    init(sealing trouble: ChatControl.SealTrouble) {
        self =
            switch trouble {
            case .restarted: .keysBeganAnew
            case .clear: .onlyClear
            default: .keysForked
            }
    }
}
