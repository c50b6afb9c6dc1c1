package import Accounts

/// An error with a code of OpenIM's interface: what a client of that is told. Its description is the sentence in the envelope.
package protocol IMClassifiedError: Error, CustomStringConvertible {
    var imCode: IMErrorCode { get }
    /// Seconds after which the same request may succeed; nil where waiting does not help.
    var retryAfter: Int? { get }
}

extension IMClassifiedError {
    package var retryAfter: Int? { nil }
}
