/// Where the fields of a kind other than `message` stand.
public enum SignalForm: Hashable, Sendable {
    /// Beside `type` and `to`, the documented form.
    case topLevel
    /// Inside the payload of a `message`: some programs send it so, and one relay forwards nothing else.
    case nested
}
