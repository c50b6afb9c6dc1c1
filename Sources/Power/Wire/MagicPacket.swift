/// The datagram that wakes a sleeping computer whose network card listens for it. No answer comes: only the computer's return shows that it
/// woke.
public struct MagicPacket: Hashable, Sendable {
    /// The UDP port, discard, to which it is broadcast.
    public static let port = 9

    /// The address of the interface to wake.
    public let address: HardwareAddress

    public init(for address: HardwareAddress) { self.address = address }

    /// The datagram's 102 bytes: six of 255, then the address sixteen times.
    public var bytes: [UInt8] {
        [UInt8](repeating: 255, count: 6) + (0..<16).flatMap { _ in address.bytes }
    }
}
