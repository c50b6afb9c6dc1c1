public import Foundation

/// Why a server is of no use now.
public struct SignalProblem: Hashable, Sendable {
    /// A sentence for the person.
    public let reason: String
    /// When the first thing went wrong since all was well.
    public let since: Date

    public init(reason: String, since: Date) {
        self.reason = reason
        self.since = since
    }
}
