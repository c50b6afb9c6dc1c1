/// The facts of a failure, for programs: one row of a module's table of errors. The sentence for the person is the error's description.
public struct FailureFacts: Hashable, Sendable {
    /// The kind, by which a program of this machine decides what to do.
    public let kind: FailureKind
    /// The code with which a device is refused, one of JSON-RPC's. Nil for a failure without one, which is an internal error to a device.
    public let code: Int?
    /// The documented word that a refused device is told in place of the sentence.
    public let word: String?
    /// The case, for example `codeExpired`, for a page that says it in its own language; nil where the page shows the sentence.
    public let reason: String?
    /// Values for a sentence about the failure, such as a name or a number.
    public let values: [String: JSONValue]
    /// Whether the other device is away: nothing was sent, and the same call may work later. What is under way waits for it; a person who
    /// begins something is told. More than the kind ``FailureKind/away``: a call without an answer is of that kind, and may have been done.
    public let isAbsence: Bool

    /// A failure without a code: what devices ask for does not end in it, or it is an internal error to them.
    public static func kind(
        _ kind: FailureKind,
        reason: String? = nil,
        _ values: [String: JSONValue] = [:],
        isAbsence: Bool = false
    ) -> FailureFacts {
        FailureFacts(kind: kind, code: nil, word: nil, reason: reason, values: values, isAbsence: isAbsence)
    }

    /// A failure with which a device is refused.
    ///
    /// - Parameters:
    ///   - code: Source: `docs/protocol.md`, "Command envelopes".
    ///   - kind: The kind for this machine's own programs.
    ///   - reason: The documented word where nothing else is given.
    public static func code(
        _ code: Int,
        kind: FailureKind = .refused,
        word: String? = nil,
        reason: String? = nil,
        _ values: [String: JSONValue] = [:]
    ) -> FailureFacts {
        FailureFacts(kind: kind, code: code, word: word, reason: reason ?? word, values: values, isAbsence: false)
    }
}
