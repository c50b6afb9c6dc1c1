import Commands
import GRDB

@testable import CommandServer

/// A log on a full disk: nothing can be written down.
struct FullAuditLog: AuditLog {
    func record(_ entry: AuditEntry) {}
    func admit(_ entry: AuditEntry) async throws { throw DatabaseError(resultCode: .SQLITE_FULL) }
    func entries(after page: Int64?, limit: Int, matching filter: AuditFilter) async throws -> AuditPage {
        AuditPage(entries: [], next: nil)
    }
}
