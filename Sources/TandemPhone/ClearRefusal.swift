public import Rights

/// Why a command was not sent to a computer that cannot seal. The description is shown to the person.
public enum ClearRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The person has not allowed it for this computer.
    case notAllowed(computer: String, right: Right, meaning: String)
    /// Only a relay reaches the computer now.
    case overRelay(computer: String, method: String)
    /// It was sent, and a server says that the computer is not there.
    case away(computer: String)
    /// Commands that wait on disk are repeated until they are answered, and this computer would do each repeat again.
    case cannotWait(computer: String)

    public var description: String {
        switch self {
        case .notAllowed(let computer, let right, let meaning):
            """
            \(computer) was paired without sealing: whoever carries its messages can read and change them, and with \
            \(right.rawValue) could \(meaning) there. If you trust the network between, allow it with: \
            tandem devices allow '\(computer)' \(right.rawValue) --role phone
            """
        case .overRelay(let computer, let method):
            """
            \(method) was not sent: \(computer) cannot seal, and is reached through a relay, which could change what is \
            sent. Use it in the computer's own network, or pair with a program that seals.
            """
        case .away(let computer):
            "\(computer) is not connected. Check that it is on; its server may still hand it what was sent."
        case .cannotWait(let computer):
            "Commands for \(computer) cannot wait, because it would do a repeated one twice. Send it when it is there."
        }
    }
}
