/// Why the bridge cannot do what its owner asked. The description is shown to the person: what happened, then what to do.
package enum BridgeError: Error, Hashable, Sendable, CustomStringConvertible {
    case off
    case tooManyTokens(limit: Int)
    case unknownToken(String)
    case severalTokens([String])
    case notForTokens(String, allowed: [String])
    /// - Parameter isTaken: Whether another program has the port.
    case cannotListen(address: String, port: Int, reason: String, isTaken: Bool)
    case notListening

    package var description: String {
        switch self {
        case .off:
            "The bridge is off. Start the computer's side with --bridge 0.0.0.0:9099, or set bridge in config.json."
        case .tooManyTokens(let limit):
            "There are \(limit) tokens already. Take back those that are not used: tandem bridge token list"
        case .unknownToken(let name): "No token is called \(name). See: tandem bridge token list"
        case .severalTokens(let ids):
            "Several tokens have that name. Use one of the ids: \(ids.joined(separator: ", "))"
        case .notForTokens(let name, let allowed):
            "A token cannot have \(name). "
                + (allowed.isEmpty
                    ? "This computer has nothing that tokens may have."
                    : "Use one or more of: \(allowed.joined(separator: ", ")).")
        case .cannotListen(let address, let port, let reason, let isTaken):
            "The bridge does not listen on port \(port) of \(address): \(reason). It is tried again each half minute. "
                + (isTaken
                    ? "Another program uses the port. Choose another one: --bridge \(address):PORT"
                    : "Choose where it listens with --bridge ADDRESS:PORT.")
        case .notListening:
            "The bridge does not listen yet, so there is nothing to scan. See: tandem bridge status"
        }
    }
}
