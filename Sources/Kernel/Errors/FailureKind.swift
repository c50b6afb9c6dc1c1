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

/// An error that has a kind.
public protocol ClassifiedError: Error {
    /// The kind, by which a program decides what to do.
    var failureKind: FailureKind { get }
}

/// An error that also names its case, so that a page can say it in its own language.
public protocol NamedFailure: ClassifiedError {
    /// The case, for example `codeExpired`.
    var reason: String { get }
    /// Values for a sentence about the failure, such as a name or a number.
    var values: [String: JSONValue] { get }
}
