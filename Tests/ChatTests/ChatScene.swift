import Accounts
import Foundation
import Kernel
import Testing

@testable import Chat

/// Two people, a third one, and the conversation of the two.
struct ChatScene: Sendable {
    let ada: UserID
    let bob: UserID
    let cy: UserID
    /// Of Ada and Bob.
    let conversation: ConversationID

    init() throws {
        ada = try #require(UserID(7))
        bob = try #require(UserID(9))
        cy = try #require(UserID(11))
        conversation = try #require(ConversationID(ada, bob))
    }

    /// A message as Ada's device holds it.
    func message(
        _ id: String,
        from sender: UserID? = nil,
        at place: Int64? = nil,
        time: Int64 = 0,
        status: MessageStatus = .success,
        _ payload: MessagePayload? = nil
    ) -> ChatMessage {
        let sender = sender ?? bob
        var message = ChatMessage(
            id: id,
            from: sender,
            to: sender == ada ? bob : ada,
            as: ada,
            createTime: time,
            status: status,
            payload ?? .text(id)
        )
        message.sequence = place
        return message
    }

    /// The same as something that came.
    func item(
        _ id: String,
        from sender: UserID? = nil,
        at place: Int64,
        time: Int64 = 0,
        _ payload: MessagePayload? = nil
    )
        -> IncomingItem
    {
        .message(message(id, from: sender, at: place, time: time, payload))
    }

    func data(_ id: String, from sender: UserID, at place: Int64, _ payload: MessagePayload) -> MessageData {
        MessageData(
            clientMessageID: id,
            serverMessageID: "s\(place)",
            createTime: 1000 + place,
            sendTime: 1_790_000_000_000 + place,
            from: sender,
            to: sender == ada ? bob : ada,
            contentType: payload.contentType,
            element: payload.element,
            sequence: place
        )
    }

    /// Ada's timeline of the conversation, with its newest page loaded.
    func timeline(_ items: [IncomingItem] = [], isEnd: Bool = true) throws -> MessageTimeline {
        var timeline = try #require(MessageTimeline(conversation, me: ada))
        let newest = timeline.beginLoading()
        timeline.finishLoading(try #require(newest), HistoryPage(items, isEnd: isEnd))
        return timeline
    }

    func answer(_ id: String, at place: Int64?, time: Int64 = 5000) -> SendMessageAnswer {
        SendMessageAnswer(serverMessageID: "server-\(id)", clientMessageID: id, sendTime: time, sequence: place)
    }
}

/// Waits for the first value that a test wants; the suite's time limit bounds it.
func first<Value>(_ values: LatestValue<Value>, where wants: (Value) -> Bool) async throws -> Value {
    for await value in values.values() where wants(value) { return value }
    throw CancellationError()
}
