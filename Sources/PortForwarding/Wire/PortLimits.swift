import Kernel

/// The bounds of forwarded ports. Source: `docs/protocol.md`, "Ports".
package enum PortLimits {
    package static let ports: ClosedRange<Int> = 1...65535
    /// The bytes of one connection that may be under way in one direction: what its reader has not taken. Also the most that is kept of it.
    package static let window = 512 << 10
    /// The frames of one connection that may wait for one before them: far more than are worked on at a time.
    package static let earlyPieces = 4096
    /// The bytes in one frame.
    package static let frameBytes = 64 << 10
    /// The connections of one phone to one computer at a time.
    package static let streams = 64
    /// How often the phone tells of a connection on which nothing goes that it still has it.
    package static let hold = Duration.seconds(600)
    /// A connection of which the computer heard nothing for so long ends: its phone is gone.
    package static let idle = Duration.seconds(3600)
    /// Connections to a computer that was not reached for so long end, as TCP gives up a line that carries nothing.
    package static let away = Duration.seconds(900)
    /// How long a program on the computer may take to accept a connection.
    package static let dialing = Duration.seconds(10)
    /// For how long it counts who listened on a port.
    package static let lookingLasts = Duration.seconds(1)
    /// How long a phone waits for the computer to open a connection.
    package static let opening = Duration.seconds(20)
    /// The entries in a computer's list of ports.
    package static let grants = 64
    /// The bytes of a port's name.
    package static let nameBytes = 64
}
