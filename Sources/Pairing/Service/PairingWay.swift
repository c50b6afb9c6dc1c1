import Foundation

/// One address to try.
struct PairingWay: Hashable, Sendable {
    var way: PairingAttempt.Way
    var address: SignalingAddress
}

/// How many seconds to wait for the other side.
struct PairingPatience: Hashable, Sendable {
    /// For its first sign of life.
    var first: TimeInterval
    /// For its word, once it has shown that it is there: a person has to decide.
    var afterAnswer: TimeInterval
}
