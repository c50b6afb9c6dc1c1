/// Why blocking work was not taken. The description is shown to the person: what happened, then what to do.
public enum BlockingWorkError: ClassifiedError, Hashable {
    /// The limit on waiting calls is reached, of the device that asks or of all devices.
    case tooMuchWaits

    public var facts: FailureFacts {
        switch self {
        // `FailureCode.busy`, which this module does not know.
        case .tooMuchWaits: .code(-32005)
        }
    }

    public var description: String {
        switch self {
        case .tooMuchWaits:
            "Too much of this kind waits at the computer already. Try again when some of it is done."
        }
    }
}
