public import Kernel

/// Why a computer cannot be woken. The description is shown to the person.
public enum WakeError: ClassifiedError, Hashable {
    /// The computer never told its network addresses to this phone.
    case unknownAddress(String)
    /// No other computer is paired that could send the packet.
    case noOther(String)
    case itself(String)

    public var facts: FailureFacts {
        switch self {
        case .unknownAddress, .noOther: .kind(.notFound)
        case .itself: .kind(.badRequest)
        }
    }

    public var description: String {
        switch self {
        case .unknownAddress(let name):
            """
            This phone does not know the network addresses of \(name). They are told while it is reached, once it allows this phone: \
            tandem devices allow PHONE power
            """
        case .noOther(let name):
            "No other computer is paired with this phone that could wake \(name). One in the same network has to send the packet."
        case .itself(let name): "\(name) cannot wake itself. Name another computer in its network."
        }
    }
}
