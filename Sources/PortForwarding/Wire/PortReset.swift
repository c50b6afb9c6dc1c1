/// Why a forwarded connection was cut. An open set: a reason of a later version is kept as its number.
package struct PortReset: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The program or browser at that end went away.
    package static let closed = PortReset(rawValue: 1)
    /// The right or the port was taken away.
    package static let notAllowed = PortReset(rawValue: 2)
    /// Nothing came or went for ``PortLimits/idle``.
    package static let idle = PortReset(rawValue: 3)
    /// That end does not know the connection: its program began anew.
    package static let unknownStream = PortReset(rawValue: 4)
    /// More was sent than the window allows, or something else that an end never sends.
    package static let badFrame = PortReset(rawValue: 5)
    /// The other end was not reached for ``PortLimits/away``.
    package static let away = PortReset(rawValue: 6)

    /// For the person whose connection it was.
    package var sentence: String {
        switch self {
        case .closed: "The connection was closed at the other end."
        case .notAllowed: "The computer's owner has taken this port away, so the connection was ended."
        case .idle: "Nothing came or went for an hour, so the connection was ended."
        case .away:
            "The other end was not reached for a quarter of an hour, so the connection was ended. Connect again."
        case .unknownStream: "The program at the other end began anew, so the connection was ended. Connect again."
        default: "The connection was ended by the other end. Connect again."
        }
    }
}
