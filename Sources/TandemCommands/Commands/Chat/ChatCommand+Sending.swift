import ChatClient
import Control
import Foundation

extension ChatCommand {
    /// Sends a text and prints what becomes of it.
    static func send(
        _ words: String,
        to conversation: ChatControl.ConversationEntry,
        _ global: GlobalOptions,
        _ waiting: ChatWaiting
    ) async throws {
        let client = global.client(for: .phone)
        let id = ChatDelivery.newID()
        let delivery = ChatDelivery(client: client, conversation: conversation.id)
        let wire = try await delivery.run(id, patience: waiting.patience) {
            try await client.call(ChatControl.send.asWire, ChatControl.Text(conversation.id, words, id: id))
        }
        try ChatDelivery.show(wire, in: conversation, json: global.json)
    }

    /// Sends files as one message, says how far it is where a person looks, and prints what becomes of it.
    static func send(
        _ kind: ChatControl.Media.Kind,
        _ files: [String],
        _ options: ChatOptions,
        _ waiting: ChatWaiting
    ) async throws {
        let paths = try files.map(ChatFile.path(typed:))
        let conversation = try await options.conversation()
        let client = options.client
        let console = Running.console
        let isWatched = console.isTerminal(.error) && !options.global.json && waiting.patience != nil
        let id = ChatDelivery.newID()
        let delivery = ChatDelivery(client: client, conversation: conversation.id)
        let wire = try await delivery.run(id, patience: waiting.patience) { progress in
            guard isWatched else { return }
            try console.write(Data("\r\u{1B}[K\(Int(progress * 100)) %".utf8), to: .error)
        } give: {
            let media = ChatControl.Media(conversation.id, kind, paths, id: id)
            return try await client.call(ChatControl.sendMedia.asWire, media)
        }
        if isWatched { try console.write(Data("\r\u{1B}[K".utf8), to: .error) }
        try ChatDelivery.show(wire, in: conversation, json: options.global.json)
    }
}
