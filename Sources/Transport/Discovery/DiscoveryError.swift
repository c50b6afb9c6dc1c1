/// Why devices on this network do not find each other by themselves. What happened, then what to do.
public enum DiscoveryError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformedDeviceID
    case malformedPort
    case didTooLong
    case malformedRecord(field: String)
    case systemBusMissing
    case daemonNotRunning
    case daemonLost
    case refused(reason: String)

    public var description: String {
        switch self {
        case .malformedDeviceID:
            "A device id is 1 to 128 letters, digits, dots, colons, hyphens and underscores. Check the device's keys."
        case .malformedPort:
            "A service needs a port between 1 and 65535. Start the listener before advertising it."
        case .didTooLong:
            "This identity is too long to be advertised, which has room for 251 bytes. Pair by QR code or digits."
        case .malformedRecord(let field):
            "Another device advertises itself with a damaged \(field). Update Tandem there."
        case .systemBusMissing:
            "This machine has no D-Bus system bus, so devices cannot find each other on the network by themselves. "
                + "Pair by QR code or digits, or install dbus and avahi-daemon."
        case .daemonNotRunning:
            "avahi-daemon is not running, so devices cannot find each other on the network by themselves. "
                + "Start it: sudo apt install avahi-daemon && sudo systemctl start avahi-daemon."
        case .daemonLost:
            "avahi-daemon went away. Devices find each other again as soon as it is back."
        case .refused(let reason):
            "avahi-daemon refused: \(reason). Check its configuration in /etc/avahi/avahi-daemon.conf."
        }
    }
}
