import Accounts
import Chat
package import Control
import Kernel

/// What the hub's operator can ask of its conversations. Nothing of it shows what people write, but for a message that somebody reported.
package struct ChatHubControl: Sendable {
    package static let reports = ControlMethod<Query, Page>(
        "chat.reports",
        summary: "List what people of this hub reported, the newest first."
    )
    package static let closeReport = ControlMethod<Target, NoControlParameters>(
        "chat.closeReport",
        summary: "Note that a report was looked at."
    )

    package struct Query: Codable, Hashable, Sendable {
        /// Reports before this one; nil for the newest.
        package var before: Int64?
        /// Those that were looked at, too.
        package var isAll: Bool?

        enum CodingKeys: String, CodingKey {
            case before
            case isAll = "all"
        }

        package init(before: Int64? = nil, isAll: Bool? = nil) {
            self.before = before
            self.isAll = isAll
        }
    }

    package struct Target: Codable, Hashable, Sendable {
        package var id: Int64

        package init(id: Int64) { self.id = id }
    }

    package struct Entry: Codable, Hashable, Sendable {
        package var id: Int64
        /// Nil once the reporter's account is gone.
        package var reporter: String?
        package var reported: String
        package var reason: String
        /// The words of the reported message; nil without one, and for what has none.
        package var message: String?
        /// Milliseconds since 1970.
        package var at: Int64
        package var closedAt: Int64?
    }

    package struct Page: Codable, Hashable, Sendable {
        package var reports: [Entry]
    }

    /// Reports of one answer.
    static let pageLimit = 100

    let service: ChatService

    var routes: [ControlRoute] {
        [
            ControlRoute(Self.reports) { [service] query in
                let found = try await service.log.reports(
                    before: query.before,
                    onlyOpen: query.isAll != true,
                    limit: Self.pageLimit
                )
                return Page(reports: found.map { Entry($0) })
            },
            ControlRoute(Self.closeReport) { [service] target in
                try await service.log.closeReport(target.id, at: service.now)
                return NoControlParameters()
            },
        ]
    }
}

extension ChatHubControl.Entry {
    init(_ report: Report) {
        let text = (try? JSONValue(parsing: report.content))?["content"]?.stringValue
        self.init(
            id: report.id,
            reporter: report.reporter?.imUserID,
            reported: report.reported.imUserID,
            reason: report.reason,
            message: text,
            at: report.at,
            closedAt: report.closedAt
        )
    }
}
