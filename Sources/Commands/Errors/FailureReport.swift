public import Kernel

/// A failure as a page gets it: what it is about, its sentence, the right that is missing, and the error's case where it names that.
public struct FailureReport: Hashable, Sendable {
    /// The kind of failure, which tells a program how to handle it.
    public let kind: FailureKind
    /// The sentence for the person.
    public let message: String
    /// Nil where none is missing, or which one is not known.
    public let right: String?
    /// The name of the error's case, as in `FailureFacts`, or the documented word of a computer's answer; nil for an error without one.
    public let reason: String?
    /// The values that belong to ``reason``.
    public let values: [String: JSONValue]

    /// - Parameter right: The right that what was asked needs.
    public init(_ error: any Error, right: String? = nil) {
        let facts = (error as? any ClassifiedError)?.facts
        // Every error of ours has a sentence for the person; its kind adds nothing to that.
        kind = facts?.kind ?? (error is CancellationError ? .cancelled : .refused)
        message = error is CancellationError ? "It was ended before it was done." : "\(error)"
        self.right = kind == .notAllowed ? right : nil
        reason = facts?.reason ?? (error as? RemoteFailure)?.word
        values = facts?.values ?? [:]
    }

    /// An object with `code` and `message`; `right` where one is missing; `reason` and `values` where the error names its case.
    public var json: JSONValue {
        var error: [String: JSONValue] = ["code": .string(kind.rawValue), "message": .string(message)]
        error["right"] = right.map(JSONValue.string)
        if let reason {
            error["reason"] = .string(reason)
            error["values"] = .object(values)
        }
        return .object(error)
    }

    /// The status of HTTP that fits.
    public var status: Int {
        switch kind {
        case .signedOut: 401
        case .notAllowed: 403
        case .unknownMethod, .notFound: 404
        case .exists, .refused, .cancelled: 409
        case .expired: 410
        case .tooLarge: 413
        case .badRequest: 400
        case .internal: 500
        case .away, .offline, .gone: 503
        case .full: 507
        }
    }
}
