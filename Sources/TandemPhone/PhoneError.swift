/// Why the phone cannot do what was asked. The description is shown to the person.
public enum PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no computer to ask.
    case nothingPaired
    /// No paired computer has this id or name.
    case unknownComputer(String)
    /// The computers that were meant: no name was given, or several have it.
    case severalComputers([String])
    /// The rights of a phone at a computer that seals are set there, not here.
    case sealed(name: String)
    /// The computer removed this phone.
    case notPaired(name: String)
    /// Not the address of a hub, `ws://` or `wss://`.
    case badAddress(String)
    /// This phone runs without the feature.
    case noFeature(String)
    /// Every server says that the computer is not there, and it is not on this network.
    case away(name: String)
    /// No server answers through which the computer could be reached.
    case unreachable(name: String)

    public var description: String {
        switch self {
        case .nothingPaired:
            "No computer is paired with this phone. Pair one with: tandem pair scan"
        case .unknownComputer(let name):
            "No paired computer is called \(name). See: tandem devices --role phone"
        case .severalComputers(let names):
            "Several computers are paired (\(names.joined(separator: ", "))). Say which with --computer."
        case .sealed(let name):
            "\(name) seals what it says, so what this phone may do there is allowed there, with: tandem devices allow"
        case .notPaired(let name):
            "\(name) does not know this phone any more. Pair again with: tandem pair scan"
        case .away(let name):
            "\(name) is away: no server knows it now, and it is not on this network. Turn it on; what may wait is done when it is back, with: tandem call --queue"
        case .unreachable(let name):
            "No server through which \(name) could be reached answers. Check this device's network (tandem status); what may wait is done later, with: tandem call --queue"
        case .noFeature(let name):
            "This phone runs without \(name). Start it with a version that has it."
        case .badAddress(let text):
            "\(text) is not the address of a hub. It looks like wss://hub.example.net, or ws://192.168.1.20:9001 at home."
        }
    }
}
