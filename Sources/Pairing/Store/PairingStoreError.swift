/// Why paired devices cannot be kept.
public enum PairingStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite did not take the setting with which a write survives a power cut.
    case notDurable(path: String)

    public var description: String {
        switch self {
        case .notDurable(let path):
            "The database \(path) cannot promise to keep what is written. Move the state folder to a local disk."
        }
    }
}
