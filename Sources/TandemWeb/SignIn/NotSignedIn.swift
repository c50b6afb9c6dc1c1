package import Kernel

/// A browser asked without a session that counts. It is told whose page this is, so that it can name the command that makes a link for it.
package struct NotSignedIn: ClassifiedError, Hashable {
    /// The role of the page, as `tandem page --role` takes it.
    package let role: String

    package var facts: FailureFacts { .kind(.signedOut, reason: "notSignedIn", ["role": .string(role)]) }
    package var description: String { "This browser is not signed in. Get a link with: tandem page --role \(role)" }
}
