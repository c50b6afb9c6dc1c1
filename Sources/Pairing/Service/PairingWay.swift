/// An address to try.
struct PairingWay: Hashable, Sendable {
    var way: PairingAttempt.Way
    var address: SignalingAddress
}
