public import Foundation

/// The reason why a server cannot be used now.
public struct SignalProblem: Hashable, Sendable {
    /// A sentence for the person.
    public let reason: String
    /// When the first failure since the last success happened.
    public let since: Date

    public init(reason: String, since: Date) {
        self.reason = reason
        self.since = since
    }
}
