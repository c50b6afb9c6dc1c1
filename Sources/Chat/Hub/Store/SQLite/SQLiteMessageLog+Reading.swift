package import Accounts
package import Chat
import GRDB
import Storage

extension SQLiteMessageLog {
    package func messages(
        in conversation: ConversationID,
        for person: UserID,
        range: ClosedRange<Int64>,
        newestFirst: Bool,
        limit: PageLimit
    ) async throws -> MessagePage {
        try await reading {
            try $0.messages(in: conversation, for: person, range: range, newestFirst: newestFirst, limit: limit)
        }
    }

    package func messages(
        in parts: [MessageRange],
        for person: UserID,
        newestFirst: Bool,
        byteLimit: Int
    ) async throws -> [MessagePage] {
        try await reading {
            try $0.messages(in: parts, for: person, newestFirst: newestFirst, byteLimit: byteLimit)
        }
    }

    package func message(
        _ target: MessageTarget,
        in conversation: ConversationID,
        for person: UserID
    ) async throws -> StoredMessage {
        try await reading { try $0.message(target, in: conversation, for: person) }
    }

    package func search(
        _ words: SearchQuery,
        in conversation: ConversationID?,
        for person: UserID,
        from place: SearchPlace?,
        limit: SearchLimit
    ) async throws -> SearchPage {
        try await reading { try $0.search(words, in: conversation, for: person, from: place, limit: limit) }
    }

    package func summary(of conversation: ConversationID, for person: UserID) async throws -> ConversationSummary {
        try await reading { try $0.summary(at: $0.existingPlace(of: person, in: conversation)) }
    }

    package func conversations(of person: UserID, page: ListPage) async throws -> ConversationList {
        try await reading { try $0.conversations(of: person, page: page) }
    }

    package func seqs(of person: UserID) async throws -> [ConversationSeqs] {
        try await reading { try $0.seqs(of: person) }
    }

    package func acquaintances(of person: UserID, among people: [UserID]) async throws -> Set<UserID> {
        try await reading { try $0.acquaintances(of: person, among: people) }
    }

    package func events(of person: UserID, after number: Int64, limit: Int) async throws -> EventPage {
        try await reading { try $0.events(of: person, after: number, limit: limit) }
    }

    package func blocked(by person: UserID) async throws -> [UserID] {
        try await reading { try $0.blocked(by: person) }
    }

    package func reports(after id: Int64?, isOpen: Bool, limit: Int) async throws -> [Report] {
        try await reading { try $0.reports(after: id, isOpen: isOpen, limit: limit) }
    }

    package func flash(
        of lease: String,
        person: UserID,
        device: String,
        at now: Int64
    ) async throws -> LeasedFlash {
        try await reading { try $0.flash(of: lease, person: person, device: device, at: now) }
    }

    package func access(to objectKey: String, of person: UserID) async throws -> ObjectAccess {
        try await reading { try $0.access(to: objectKey, of: person) }
    }

    package func unfinishedDeletions() async throws -> [UserID] {
        try await reading { reading in
            let numbers: [Int64] = try reading.database.values(
                "SELECT person FROM chat_person WHERE deletedAt IS NOT NULL AND isErased = 0 ORDER BY person"
            )
            return numbers.compactMap { UserID($0) }
        }
    }
}
