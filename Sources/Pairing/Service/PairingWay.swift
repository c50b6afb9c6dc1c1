import Foundation

/// An address to try.
struct PairingWay: Hashable, Sendable {
    var way: PairingAttempt.Way
    var address: SignalingAddress
}

/// The longest waits for the other side, in seconds.
struct PairingPatience: Hashable, Sendable {
    /// The wait for its first message.
    var first: TimeInterval
    /// The wait for its decision once it has answered, because a person has to decide.
    var afterAnswer: TimeInterval
}
