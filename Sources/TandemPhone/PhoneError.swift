/// Why the phone cannot do what was asked. The description is shown to the person.
public enum PhoneError: Error, Hashable, Sendable, CustomStringConvertible {
    case nothingPaired
    case unknownComputer(String)
    case severalComputers([String])
    case notSealed(name: String)
    case notPaired(name: String)
    case badAddress(String)

    public var description: String {
        switch self {
        case .nothingPaired:
            "No computer is paired with this phone. Pair one with: tandem pair scan"
        case .unknownComputer(let name):
            "No paired computer is called \(name). See: tandem devices --as phone"
        case .severalComputers(let names):
            "Several computers are paired (\(names.joined(separator: ", "))). Say which with --to."
        case .notSealed(let name):
            "\(name) was paired without sealing, so it takes no commands from here. Pair it again with a current version."
        case .notPaired(let name):
            "\(name) does not know this phone any more. Pair again with: tandem pair scan"
        case .badAddress(let text):
            "\(text) is not the address of a hub. It looks like wss://hub.example.net, or ws://192.168.1.20:9001 at home."
        }
    }
}
