package import Control
import GRDB
import Kernel
import Storage

/// How much a hub's conversations are, for who runs it: numbers, and nothing of what anybody wrote or to whom.
package struct ChatFigures: Sendable {
    package static let messages = ControlMethod<Query, Answer>(
        "chat.messages",
        summary: "How many messages there are, by days, and what they and their files take. No contents."
    )

    package struct Query: Codable, Hashable, Sendable {
        package static let limits = 1...366
        package static let standard = 7

        /// How many days, the newest first; nil for a week.
        package var days: Int?

        package init(days: Int? = nil) { self.days = days }
    }

    /// A day of UTC.
    package struct Day: Codable, Hashable, Sendable {
        /// Milliseconds since 1970 at its beginning.
        package var at: Int64
        package var messages: Int64
    }

    package struct Answer: Codable, Hashable, Sendable {
        /// Those with messages, the newest first.
        package var days: [Day]
        /// All that were ever sent and are not of deleted accounts alone.
        package var messages: Int64
        package var conversations: Int64
        /// First messages of strangers that wait.
        package var requests: Int64
        package var openReports: Int64
        /// Files, and their bytes.
        package var files: Int64
        package var fileBytes: Int64
        package var databaseBytes: Int64
        /// What an app's backend is still to be told.
        package var webhookWaiting: Int64
    }

    let database: any DatabaseReader
    let time: any TimeSource

    var route: ControlRoute {
        ControlRoute(Self.messages) { [self] query in
            let days = query.days ?? Query.standard
            guard Query.limits.contains(days) else {
                throw ControlError.badParameter(name: "days", expected: "1 to \(Query.limits.upperBound)")
            }
            let today = time.date.millisecondsSince1970 / 86_400_000
            do {
                return try await database.read { try Self.answer(since: today - Int64(days) + 1, in: $0) }
            } catch {
                throw StorageError.telling(error)
            }
        }
    }

    private static func answer(since day: Int64, in database: Database) throws -> Answer {
        func number(_ request: SQL) throws -> Int64 { try database.value(request) ?? 0 }
        return Answer(
            days: try database.rows("SELECT day, messages FROM chat_day WHERE day >= \(day) ORDER BY day DESC").map {
                Day(at: $0["day"] as Int64 * 86_400_000, messages: $0["messages"])
            },
            // Places have no gaps.
            messages: try number("SELECT coalesce(sum(maxSeq), 0) FROM chat_conversation"),
            conversations: try number("SELECT count(*) FROM chat_conversation WHERE maxSeq > 0"),
            requests: try number(
                "SELECT count(*) FROM chat_conversation WHERE stage = \(ConversationStage.requested.rawValue)"
            ),
            openReports: try number("SELECT count(*) FROM chat_report WHERE closedAt IS NULL"),
            files: try number("SELECT count(*) FROM blobObject WHERE state = 'stored'"),
            fileBytes: try number("SELECT coalesce(sum(bytes), 0) FROM blobObject WHERE state = 'stored'"),
            databaseBytes: try number("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"),
            webhookWaiting: try number("SELECT count(*) FROM chat_outbox")
        )
    }
}
