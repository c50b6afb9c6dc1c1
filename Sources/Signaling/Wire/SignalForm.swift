/// The place of the fields of a kind other than `message`.
public enum SignalForm: Hashable, Sendable {
    /// The fields stand beside `type` and `to`, the documented form.
    case topLevel
    /// The fields stand inside the payload of a `message`. Some programs send it so, and one relay forwards nothing else.
    case nested
}
