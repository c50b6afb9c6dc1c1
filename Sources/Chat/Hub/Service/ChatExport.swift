package import Accounts
import Chat
import Kernel

/// Everything that the hub keeps of one person's conversations, as lines of JSON: a head, then each conversation before its messages, then
/// what the person blocked. View-once pictures are named without key or address.
package struct ChatExport: Sendable {
    private static let page = 200

    private let log: any MessageLog
    private let person: UserID

    package init(_ log: any MessageLog, of person: UserID) {
        self.log = log
        self.person = person
    }

    /// - Parameter write: Takes one line with its line break, and returns when it wants the next: nothing piles up.
    package func lines(at now: Int64, to write: (_ line: [UInt8]) async throws -> Void) async throws {
        try await write(Self.line(["kind": "chats", "userID": .string(person.imUserID), "exportedAt": .integer(now)]))
        for seqs in try await log.seqs(of: person) {
            let summary = try await log.summary(of: seqs.conversation, for: person)
            try await write(Self.line(Self.value(of: summary)))
            var next = seqs.minSeq
            while next <= seqs.maxSeq {
                let page = try await log.messages(
                    in: seqs.conversation,
                    for: person,
                    range: next...seqs.maxSeq,
                    newestFirst: false,
                    limit: PageLimit(count: Self.page)
                )
                for message in page.messages where message.state != .deleted {
                    try await write(Self.line(Self.value(of: message)))
                }
                guard let last = page.messages.last, !page.isEnd else { break }
                next = last.seq + 1
            }
        }
        for other in try await log.blocked(by: person) {
            try await write(Self.line(["kind": "block", "userID": .string(other.imUserID)]))
        }
    }

    private static func value(of summary: ConversationSummary) -> JSONValue {
        [
            "kind": "conversation",
            "conversationID": .string(summary.conversation.text),
            "peer": .string(summary.peer.imUserID),
            "hasReadSeq": .integer(summary.seqs.readSeq),
            "isPinned": .bool(summary.settings.isPinned),
            "recvMsgOpt": .integer(Int64(summary.settings.receiveOption.rawValue)),
            "draft": summary.settings.draft.map(JSONValue.string) ?? .null,
        ]
    }

    private static func value(of message: StoredMessage) -> JSONValue {
        let state =
            switch message.state {
            case .kept, .opened: "kept"
            case .recalled: "recalled"
            case .destroyed: "destroyed"
            case .deleted: "deleted"
            }
        return [
            "kind": "message",
            "conversationID": .string(message.conversation.text),
            "seq": .integer(message.seq),
            "sendID": .string(message.sender.imUserID),
            "clientMsgID": .string(message.clientMessageID),
            "serverMsgID": .string(message.serverMessageID),
            "contentType": .integer(Int64(message.contentType)),
            "content": .string(String(decoding: message.content, as: UTF8.self)),
            "sendTime": .integer(message.sendTime),
            "state": .string(state),
        ]
    }

    private static func line(_ value: JSONValue) -> [UInt8] { value.canonicalBytes + [0x0A] }
}

extension ChatService {
    /// See ``ChatExport``.
    package func export(of person: UserID, to write: (_ line: [UInt8]) async throws -> Void) async throws {
        try await ChatExport(log, of: person).lines(at: now, to: write)
    }
}
