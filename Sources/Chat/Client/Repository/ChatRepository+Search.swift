import Accounts
import Chat
import Foundation
import Kernel
import Storage

/// Finding messages by their words. Sealed ones are found on this device alone: the hub has no words of them.
extension ChatRepository {
    /// Where a search goes on, as an opaque text for the asker.
    private struct Place: Codable {
        /// On this device: below a time and a row.
        var time: Int64?
        var row: Int64?
        /// At the hub: in a conversation below a place; neither for its beginning.
        var conversation: String?
        var before: Int64?

        init(_ place: ChatReading.SearchPlace) {
            time = place.time
            row = place.row
        }

        init(hub place: SearchMessages.Place?) {
            conversation = place?.conversation.text
            before = place?.before
        }

        /// - Throws: ``ChatError/malformed(_:)`` for a text that is none.
        init(_ text: String) throws(ChatError) {
            guard text.utf8.count <= 1024, let bytes = Base64URL.decode(text),
                let place = try? JSONValue(parsing: bytes).decode(as: Place.self)
            else { throw .malformed("before") }
            self = place
        }

        var text: String? { (try? JSONValue(encoding: self)).map { Base64URL.encode($0.canonicalBytes) } }

        var local: ChatReading.SearchPlace? {
            guard let time, let row else { return nil }
            return ChatReading.SearchPlace(time: time, row: row)
        }

        var hub: SearchMessages.Place? {
            guard let id = conversation.flatMap(ConversationID.init), let before, before > 0 else { return nil }
            return SearchMessages.Place(id, before: before)
        }
    }

    /// Answers of the hub that one search asks for at most: each looks at a bounded part of the history.
    private static let hubSteps = 5

    /// Messages with all of the words, the newest first: those of this device, then clear ones of conversations whose history is not wholly here.
    ///
    /// - Throws: ``ChatError/tooLong(_:limit:)``, ``ChatError/malformed(_:)``.
    public func search(_ search: ChatControl.Search) async throws -> ChatControl.Found {
        guard search.text.utf8.count <= ChatLimits.query else {
            throw ChatError.tooLong("text", limit: ChatLimits.query)
        }
        let id = try search.conversation.map { try self.id($0) }
        let limit = min(max(1, search.limit ?? 20), 100)
        let place = try search.before.map { text throws(ChatError) in try Place(text) }
        guard let words = SearchWords(search.text) else { return ChatControl.Found(messages: [], next: nil) }
        guard place == nil || place?.local != nil else {
            return try await searchHub(search.text, in: id, from: place?.hub, limit: limit)
        }
        let found = try await stored.read { reading -> [MessageRecord] in
            let record = try id.map { try reading.conversation($0) }
            // A conversation that is not here has nothing here.
            if record != nil, record == .some(nil) { return [] }
            return try reading.search(words, in: record ?? nil, before: place?.local, limit: limit + 1)
        }
        let shown = Array(found.prefix(limit))
        if found.count > limit, let last = shown.last, let row = last.row {
            let next = Place(ChatReading.SearchPlace(time: last.searchTime, row: row)).text
            return ChatControl.Found(messages: shown.map { feed.entry($0) }, next: next)
        }
        let isElsewhere = try await hasOlder(in: id)
        return ChatControl.Found(
            messages: shown.map { feed.entry($0) },
            next: isElsewhere && isConnected ? Place(hub: nil).text : nil
        )
    }

    /// - Throws: ``ChatError/notYours`` for a text that is no conversation of this person.
    func id(_ text: String) throws(ChatError) -> ConversationID {
        guard let id = ConversationID(text), id.peer(of: me) != nil else { throw .notYours }
        return id
    }

    /// Whether some history is not wholly here.
    private func hasOlder(in id: ConversationID?) async throws -> Bool {
        try await stored.read { reading in
            guard let id else { return try reading.conversations().contains { !$0.reachesBack } }
            return try reading.conversation(id).map { !$0.reachesBack } ?? false
        }
    }

    private func searchHub(
        _ text: String,
        in id: ConversationID?,
        from start: SearchMessages.Place?,
        limit: Int
    ) async throws -> ChatControl.Found {
        var entries: [ChatControl.MessageEntry] = []
        var place = start
        for _ in 0..<Self.hubSteps {
            let answer = try await server.ask(ChatEndpoints.search, SearchMessages(text, in: id, from: place))
            entries += try await unknown(answer.messages)
            place = answer.next
            if place == nil || entries.count >= limit { break }
        }
        return ChatControl.Found(messages: entries, next: place.flatMap { Place(hub: $0).text })
    }

    /// Those that a search of this device does not find: what is here was found there.
    private func unknown(_ messages: [MessageData]) async throws -> [ChatControl.MessageEntry] {
        let (mapper, me) = (IMMessageMapper(me: me), me)
        return try await stored.read { reading -> [MessageRecord] in
            try messages.compactMap { data in
                guard let id = mapper.conversation(of: data), let sender = data.sender else { return nil }
                let key = MessageKey(sender: sender, clientMessageID: data.clientMessageID)
                if let record = try reading.conversation(id), try reading.message(key, in: record) != nil { return nil }
                guard case .message = mapper.item(data, in: id) else { return nil }
                return MessageRecord(data, key, in: id, [])
            }
        }.map { ChatEntries.message($0, progress: 0, for: me) }
    }
}
