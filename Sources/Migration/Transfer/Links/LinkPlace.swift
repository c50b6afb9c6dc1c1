/// Where the other phone is reached: an address in the local network, or a room at a hub.
public enum LinkPlace: Hashable, Sendable, CustomStringConvertible {
    case address(LinkAddress)
    case room(RelayPlace)

    /// - Parameter text: `host:port`, or a hub's address and a room: ``RelayPlace``.
    /// - Throws: ``MigrationTransferError/badAddress(what:)``.
    public init(_ text: String) throws(MigrationTransferError) {
        if text.hasPrefix("wss://") || text.hasPrefix("ws://") {
            self = .room(try RelayPlace(text))
        } else {
            self = .address(try LinkAddress(text))
        }
    }

    public var description: String {
        switch self {
        case .address(let address): address.description
        case .room(let place): place.description
        }
    }
}
