/// The kind of a failure, for a program that acts on it. The sentence for the person is the error's description.
public enum FailureKind: String, Hashable, Sendable, CaseIterable {
    /// The asker's session is over.
    case signedOut = "signed-out"
    /// The role's program does not run.
    case gone
    /// This device has no network, or no server answers.
    case offline
    /// The other device is not reached.
    case away
    /// A right is missing.
    case notAllowed = "not-allowed"
    /// The other side, or a person there, said no.
    case refused
    case expired
    case badRequest = "bad-request"
    case unknownMethod = "unknown-method"
    case tooLarge = "too-large"
    /// A disk has no room.
    case full
    case notFound = "not-found"
    case exists
    case cancelled
    case `internal`
}

/// An error whose facts are known: what a program, a page and a refused device are told of it. Each module has one table of them.
public protocol ClassifiedError: Error, CustomStringConvertible {
    /// The facts of this case.
    var facts: FailureFacts { get }
}
