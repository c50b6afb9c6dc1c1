import Accounts
import AccountsHub
import Chat
import Foundation
import Kernel

/// What people with a session can ask of their conversations.
struct ChatRequests: Sendable {
    let service: ChatService
    let accounts: Accounts
    let media: ShownMedia
    /// Nil where no app's backend is told.
    let webhook: WebhookSender?

    var all: [ServedRequest] { messages + reading + conversations + people + chatKeys + handovers }

    // MARK: Messages

    private var messages: [ServedRequest] {
        [
            ServedRequest(ChatEndpoints.send) { [self] request, asker in
                try await send(
                    request.payload,
                    to: request.recipient,
                    clientMessageID: request.clientMessageID,
                    isSilent: false,
                    by: asker
                )
            },
            ServedRequest(IMEndpoints.send) { [self] request, asker in
                try asker.check(is: request.sender)
                return try await send(
                    request.payload,
                    to: request.recipient,
                    // Programs that send none cannot repeat a request, so each of theirs is a message of its own.
                    clientMessageID: request.clientMessageID ?? UUID().uuidString.lowercased(),
                    isSilent: request.isWithoutPush,
                    by: asker
                )
            }
            .beginning(IMEndpoints.send) { [self] request, asker, done in
                try asker.check(is: request.sender)
                return try begin(request, by: asker, done)
            },
            ServedRequest(ChatEndpoints.revoke) { [service] request, asker in
                let target = MessageTarget.client(id: request.clientMessageID, sender: asker.person)
                _ = try await service.recall(target, in: request.conversation, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(IMEndpoints.revoke) { [service] request, asker in
                try asker.check(is: request.user)
                let target: MessageTarget =
                    switch request.target {
                    case .sequence(let seq): .seq(seq)
                    case .clientMessageID(let id): .client(id: id, sender: asker.person)
                    }
                _ = try await service.recall(target, in: request.conversation, by: asker.chat)
                return NoMembers()
            },
            // The signal is another part of the app's: its backend is told, where there is one.
            ServedRequest(ChatEndpoints.openIM) { [webhook] request, asker in
                try await webhook?.note(signal: request.receiveID, openedBy: asker.person)
                return NoMembers()
            },
            ServedRequest(IMEndpoints.deleteMessages) { [service] request, asker in
                try asker.check(is: request.user)
                try await service.delete(request.sequences, in: request.conversation, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(IMEndpoints.clear) { [service] request, asker in
                try asker.check(is: request.user)
                guard !request.isForPeer else { throw ChatHubError.malformed("deleteSyncOpt.IsSyncOther") }
                for id in request.conversations { _ = try await service.clear(id, by: asker.chat) }
                return NoMembers()
            },
        ]
    }

    private func send(
        _ payload: MessagePayload,
        to recipient: Recipient,
        clientMessageID: String,
        isSilent: Bool,
        by asker: Asker
    ) async throws -> SendMessageAnswer {
        let conversation = try recipient.conversation(from: asker.person)
        if payload.contentType == .typing {
            try await service.type(in: conversation, by: asker.chat)
            return SendMessageAnswer(
                serverMessageID: "",
                clientMessageID: clientMessageID,
                sendTime: service.now,
                sequence: nil
            )
        }
        let ack = try await service.send(
            try MessageFacts(payload, isSilent: isSilent),
            contentType: Int32(payload.contentType.rawValue),
            content: payload.element.canonicalBytes,
            clientMessageID: clientMessageID,
            to: conversation,
            by: asker.chat
        )
        return SendMessageAnswer(ack)
    }

    /// Begins to send a message of a program that names it. What is not kept, and what has no name, is waited for.
    private func begin(
        _ request: SendIMMessage,
        by asker: Asker,
        _ done: @escaping @Sendable (Result<SendMessageAnswer, any Error>) -> Void
    ) throws -> Bool {
        guard let id = request.clientMessageID, request.payload.contentType != .typing else { return false }
        return try service.begin(
            try MessageFacts(request.payload, isSilent: request.isWithoutPush),
            contentType: Int32(request.payload.contentType.rawValue),
            content: request.payload.element.canonicalBytes,
            clientMessageID: id,
            to: try request.recipient.conversation(from: asker.person),
            by: asker.chat
        ) { ack in done(ack.map { SendMessageAnswer($0) }) }
    }

    // MARK: Reading

    private var reading: [ServedRequest] {
        [
            ServedRequest(IMEndpoints.newestSequences) { [service] request, asker in
                try asker.check(is: request.user)
                let all = try await service.seqs(for: asker.chat)
                return NewestSequences(
                    newest: Dictionary(uniqueKeysWithValues: all.map { ($0.conversation, $0.maxSeq) }),
                    lowest: Dictionary(uniqueKeysWithValues: all.map { ($0.conversation, $0.minSeq) })
                )
            },
            ServedRequest(IMEndpoints.pull) { [self] request, asker in
                try asker.check(is: request.user)
                return PulledMessages(try await pull(request.parts, order: request.order, for: asker))
            },
            ServedRequest(IMEndpoints.readSequences) { [service] request, asker in
                try asker.check(is: request.user)
                let wanted = Set(request.conversations)
                let all = try await service.seqs(for: asker.chat).filter {
                    wanted.isEmpty || wanted.contains($0.conversation)
                }
                return ReadSequences(
                    Dictionary(
                        uniqueKeysWithValues: all.map {
                            let place = ReadSequences.Place(
                                newest: $0.maxSeq,
                                read: $0.readSeq,
                                newestTime: $0.maxSeqTime
                            )
                            return ($0.conversation, place)
                        }
                    )
                )
            },
            ServedRequest(IMEndpoints.markConversationRead) { [service] request, asker in
                try asker.check(is: request.user)
                let seq = max(request.readSequence, request.sequences.max() ?? 0)
                _ = try await service.markRead(request.conversation, upTo: seq, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(IMEndpoints.markMessagesRead) { [service] request, asker in
                try asker.check(is: request.user)
                guard let seq = request.sequences.max() else { return NoMembers() }
                _ = try await service.markRead(request.conversation, upTo: seq, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(ChatEndpoints.received) { [service] request, asker in
                try asker.check(is: request.user)
                _ = try await service.markReceived(request.conversation, upTo: request.sequence, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(ChatEndpoints.sync) { [self] request, asker in
                try asker.check(is: request.user)
                return try await sync(request, for: asker)
            },
            ServedRequest(ChatEndpoints.search) { [service, media] request, asker in
                let found = try await service.search(
                    request.text,
                    in: request.conversation,
                    from: request.place.map { SearchPlace(conversation: $0.conversation, beforeSeq: $0.before) },
                    for: asker.chat
                )
                return FoundMessages(
                    try await media.adding(to: found.hits.map { MessageData($0) }, for: asker.person),
                    next: found.next.map { SearchMessages.Place($0.conversation, before: $0.beforeSeq) }
                )
            },
        ]
    }

    private func pull(
        _ parts: [PullRequest.Part],
        order: PullRequest.Order,
        for asker: Asker
    ) async throws -> [ConversationID: PulledMessages.Part] {
        let isNewestFirst = order == .descending
        let ranges = parts.map { part in
            ChatService.PullRange(
                part.conversation,
                begin: part.range.lowerBound,
                end: part.range.upperBound,
                count: part.count
            )
        }
        let pages = try await service.pull(ranges, newestFirst: isNewestFirst, for: asker.chat)
        var answers: [ConversationID: PulledMessages.Part] = [:]
        // A conversation that is asked for twice is answered once: the first part of it.
        for (part, page) in zip(parts, pages) where answers[part.conversation] == nil {
            var answer = PulledMessages.Part(page, of: part.range, isNewestFirst: isNewestFirst)
            answer.messages = try await media.adding(to: answer.messages, for: asker.person)
            answers[part.conversation] = answer
        }
        return answers
    }

    /// Events, places and messages are read one after the other, in this order: what comes in between is told twice, never left out.
    private func sync(_ request: SyncRequest, for asker: Asker) async throws -> SyncAnswer {
        let events = try await service.events(after: request.event, for: asker.chat)
        let seqs = try await service.seqs(for: asker.chat)
        let behind = seqs.compactMap { place -> PullRequest.Part? in
            guard let last = request.sequences[place.conversation] else { return nil }
            let first = max(last + 1, place.minSeq)
            return first <= place.maxSeq ? PullRequest.Part(place.conversation, first...place.maxSeq) : nil
        }
        let parts = Array(behind.prefix(ChatHubLimits.conversations))
        return SyncAnswer(
            event: events.newest,
            needsReload: events.needsResync,
            events: events.entries.compactMap { ChatEvent($0.change, number: $0.number) },
            places: Dictionary(
                uniqueKeysWithValues: seqs.map {
                    let place = SyncAnswer.Place(
                        newest: $0.maxSeq,
                        lowest: $0.minSeq,
                        read: $0.readSeq,
                        newestTime: $0.maxSeqTime
                    )
                    return ($0.conversation, place)
                }
            ),
            parts: try await pull(parts, order: .ascending, for: asker)
        )
    }
}

extension SendMessageAnswer {
    fileprivate init(_ ack: MessageAck) {
        self.init(
            serverMessageID: ack.serverMessageID,
            clientMessageID: ack.clientMessageID,
            sendTime: ack.sendTime,
            sequence: ack.seq
        )
    }
}
