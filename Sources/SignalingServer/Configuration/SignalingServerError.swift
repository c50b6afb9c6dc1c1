/// Why the server did not start. The description is shown to the person: what happened, then what to do.
package enum SignalingServerError: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotListen(address: String, port: Int, reason: String)
    case plainOnPublicAddress(String)
    case noTURNSecret(path: String?)
    case stopped

    package var description: String {
        switch self {
        case .cannotListen(let address, let port, let reason):
            "Port \(port) on \(address) could not be opened: \(reason). Stop the other program, or choose another port with --listen."
        case .plainOnPublicAddress(let address):
            "\(address) is a public address and there is no certificate. Give --tls-cert and --tls-key, or listen on a private address."
        case .noTURNSecret(nil):
            "TANDEM_TURN_HOST is set and the secret is not. Set TANDEM_TURN_SECRET or TANDEM_TURN_SECRET_FILE."
        case .noTURNSecret(.some(let path)):
            "The TURN secret in \(path) could not be read. Check TANDEM_TURN_SECRET_FILE and who may read the file."
        case .stopped:
            "The server was shut down. Start it again."
        }
    }
}
