/// Seen from the phone. Raw values are the wire's.
public enum TransferDirection: String, Hashable, Sendable, Codable {
    case upload, download

    package var prefix: String {
        switch self {
        case .upload: "up_"
        case .download: "dn_"
        }
    }
}
