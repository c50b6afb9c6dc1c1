import Commands
package import Control
import Foundation
import Rights
import Storage

/// Keeps who did what, for the owner of the computer.
package protocol AuditLog: Sendable {
    /// Returns at once; the entry is on disk a moment later.
    func record(_ entry: AuditEntry)
    /// Returns when the log is sure to tell of it: a row is on disk. For what is not to be done otherwise.
    ///
    /// - Throws: Why it could not be written down, in a sentence.
    func admit(_ entry: AuditEntry) async throws
    /// The newest first.
    ///
    /// - Parameter page: The `next` of the page before; nil for the newest.
    func entries(after page: Int64?, limit: Int, matching filter: AuditFilter) async throws -> AuditPage
}

extension AuditLog {
    /// The newest first, of all devices.
    package func entries(after page: Int64?, limit: Int) async throws -> AuditPage {
        try await entries(after: page, limit: limit, matching: AuditFilter())
    }

    /// Notes that a device begins something.
    ///
    /// - Returns: The refusal where it could not be written down.
    func refusal(ofBeginning method: String, risk: Risk, _ caller: Caller, date: Date) async -> GateRefusal? {
        do {
            try await admit(AuditEntry(.begun, method, risk: risk, caller, date: date))
            return nil
        } catch {
            return .notLogged(reason: "\(StorageError.telling(error))")
        }
    }
}

/// The filter of entries of the log; nil stands for all.
package struct AuditFilter: Hashable, Sendable {
    /// The outcome of an act.
    package enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        case begun, done, refused, failed
    }

    /// A device's DID.
    package var caller: String?
    package var outcome: Outcome?
    package var actor: AuditEntry.Actor?

    package init(caller: String? = nil, outcome: Outcome? = nil, actor: AuditEntry.Actor? = nil) {
        self.caller = caller
        self.outcome = outcome
        self.actor = actor
    }
}

/// Some of the log, the newest first.
package struct AuditPage: Codable, Hashable, Sendable {
    package var entries: [AuditEntry]
    /// Where the next page begins; nil when there is none.
    @OrNull package var next: Int64?

    package init(entries: [AuditEntry], next: Int64?) {
        self.entries = entries
        self.next = next
    }
}
