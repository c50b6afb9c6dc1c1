package import Accounts
package import Kernel

/// An error with a code of OpenIM's interface: what a client of that is told. Its description is the sentence in the envelope.
package protocol IMClassifiedError: Error, CustomStringConvertible {
    var imCode: IMErrorCode { get }
    /// The case as one word, for clients that say it in the person's own language; nil where the sentence has to do.
    var imReason: String? { get }
    /// Seconds after which the same request may succeed; nil where waiting does not help.
    var retryAfter: Int? { get }
    /// What the asker needs to do it right the next time; nil mostly.
    var data: JSONValue? { get }
}

extension IMClassifiedError {
    package var imReason: String? { nil }

    package var retryAfter: Int? { nil }
    package var data: JSONValue? { nil }
}
