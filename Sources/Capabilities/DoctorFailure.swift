public import Kernel

/// A failure that a check of a machine can be made of: one that something can be done about.
public protocol DoctorFailure: Error {
    /// A command that the person at the computer can type against it; nil where none helps by itself.
    var mend: String? { get }
    /// The case, for a page that says it in its own language: see ``DoctorCheck/reason``.
    var reason: String { get }
    /// Values for a sentence about it, such as a name or a number.
    var values: [String: JSONValue] { get }
}
