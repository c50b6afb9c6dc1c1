import Accounts
import Chat
public import Control
import Foundation
import Kernel

/// The control methods of a phone's conversations. Without an account the list says so, and everything else is refused.
public struct ChatRoutes: Sendable {
    private let current: @Sendable () async -> ChatSession?
    /// Writes exports, beside which nothing else waits.
    private let work = BlockingWork("tandem.chat", width: 1, urgency: .bulk)

    /// - Parameter session: The session now; nil while nobody is signed in.
    public init(session: @escaping @Sendable () async -> ChatSession?) { current = session }

    public var all: [ControlRoute] { list + conversations + messages + media + people + following }

    /// - Throws: ``ChatError/noAccount``.
    private func session() async throws(ChatError) -> ChatSession {
        guard let session = await current() else { throw .noAccount }
        return session
    }

    /// The repository, and a conversation of its account.
    ///
    /// - Throws: ``ChatError/noAccount``, ``ChatError/notYours``.
    private func chat(_ conversation: String) async throws(ChatError) -> (ChatRepository, ConversationID) {
        let repository = try await session().repository
        guard let id = ConversationID(conversation), id.peer(of: repository.account.user) != nil else {
            throw .notYours
        }
        return (repository, id)
    }

    // MARK: The list

    private var list: [ControlRoute] {
        [
            ControlRoute(ChatControl.list) { _ in
                guard let session = await current() else {
                    return ChatControl.Standing(state: .signedOut, me: nil, conversations: [], unread: 0, requests: 0)
                }
                return try await session.repository.list()
            },
            ControlRoute(ChatControl.open) { person in
                let session = try await session()
                return try await session.repository.open(person.person, safety: session.safety)
            },
        ]
    }

    private var conversations: [ControlRoute] {
        [
            ControlRoute(ChatControl.pin) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.pin(id, asked.on)
            },
            ControlRoute(ChatControl.mute) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.mute(id, asked.on)
            },
            ControlRoute(ChatControl.hide) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.hide(id)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.clear) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.clear(id)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.draft) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.draft(id, asked.text)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.block) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.block(id, asked.on)
            },
            ControlRoute(ChatControl.report) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.report(id, message: asked.id, reason: asked.reason)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.answer) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.answer(id, accepts: asked.accept)
            },
        ]
    }

    // MARK: Messages

    private var messages: [ControlRoute] {
        [
            ControlRoute(ChatControl.history) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.history(
                    of: id,
                    before: asked.before,
                    limit: asked.limit ?? ChatLimits.page
                )
            },
            ControlRoute(ChatControl.send) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.send(asked.text, in: id, id: asked.id)
            },
            ControlRoute(ChatControl.quote) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.quote(asked, in: id)
            },
            ControlRoute(ChatControl.resend) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.resend(asked.id, in: id)
            },
            ControlRoute(ChatControl.discard) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.discard(asked.id, in: id)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.recall) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await repository.recall(asked.id, in: id)
            },
            ControlRoute(ChatControl.remove) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.remove(asked.id, in: id)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.read) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.read(id, upTo: asked.upTo)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.typing) { asked in
                let (repository, id) = try await chat(asked.conversation)
                try await repository.type(in: id, asked.on)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.search) { asked in try await session().repository.search(asked) },
        ]
    }

    // MARK: Media

    private var media: [ControlRoute] {
        [
            ControlRoute(ChatControl.sendMedia) { asked in
                let (repository, id) = try await chat(asked.conversation)
                return try await sendMedia(asked, by: repository, in: id)
            },
            ControlRoute(ChatControl.media) { asked in
                let (repository, id) = try await chat(asked.conversation)
                let index = asked.index ?? 0
                guard index >= 0 else { throw ChatError.malformed("index") }
                return try await session().media.file(of: repository.media(asked.id, in: id), at: index)
            },
            ControlRoute(ChatControl.flash) { asked in
                let (repository, id) = try await chat(asked.conversation)
                let file = try await session().media.openFlash(repository.media(asked.id, in: id))
                try await repository.noteFlashOpened(asked.id, in: id)
                return file
            },
        ]
    }

    /// The files are in the outbox's folder before the row is shown.
    private func sendMedia(
        _ asked: ChatControl.Media,
        by repository: ChatRepository,
        in id: ConversationID
    ) async throws -> ChatControl.MessageEntry {
        let message = try asked.id.map(ChatRepository.checked) ?? UUID.randomText()
        if let known = try await repository.known(message, in: id) { return known }
        let desk = try await session().media
        let media = try await desk.prepare(asked, id: message, in: id)
        do {
            return try await repository.send(.media(media), in: id, id: message)
        } catch {
            await desk.release(media, id: message, in: id)
            throw error
        }
    }

    // MARK: People

    private var people: [ControlRoute] {
        [
            ControlRoute(ChatControl.link) { _ in
                let session = try await session()
                return await session.repository.link(chain: session.safety?.ownChain())
            },
            ControlRoute(ChatControl.contacts) { _ in try await session().repository.contacts() },
            ControlRoute(ChatControl.safety) { asked in
                let (_, id) = try await chat(asked.conversation)
                guard let desk = try await session().safety else { return ChatControl.Safety(SealStanding(), of: id) }
                return ChatControl.Safety(try await desk.safety(of: id), of: id)
            },
            ControlRoute(ChatControl.verify) { asked in
                let (_, id) = try await chat(asked.conversation)
                return ChatControl.Safety(try await safety().verify(id, asked.on), of: id)
            },
            ControlRoute(ChatControl.agree) { asked in
                let (_, id) = try await chat(asked.conversation)
                return ChatControl.Safety(try await safety().agree(id, to: asked.to), of: id)
            },
        ]
    }

    /// - Throws: ``ChatError/notSealed`` without keys.
    private func safety() async throws(ChatError) -> any SafetyDesk {
        guard let desk = try await session().safety else { throw .notSealed }
        return desk
    }

    // MARK: Following

    private var following: [ControlRoute] {
        [
            ControlRoute(ChatControl.follow) { asked, report in
                let repository = try await session().repository
                let id = try asked.conversation.map { text throws(ChatError) in
                    guard let id = ConversationID(text) else { throw .notYours }
                    return id
                }
                try await repository.follow(id, report)
                return NoControlAnswer()
            },
            ControlRoute(ChatControl.export) { asked in
                let session = try await session()
                let export = ConversationExport(repository: session.repository, media: session.media, work: work)
                return try await export.write(to: asked.folder)
            },
        ]
    }
}

extension ChatControl.Safety {
    init(_ standing: SealStanding, of id: ConversationID) {
        self.init(
            conversation: id.text,
            isSealed: standing.isSealed,
            number: standing.number,
            code: standing.code,
            isVerified: standing.isVerified,
            trouble: standing.trouble
        )
    }
}
