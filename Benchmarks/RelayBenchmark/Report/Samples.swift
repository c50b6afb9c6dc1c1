/// What the rounds measured of one thing, for both servers.
struct Samples {
    var ours: [Double] = []
    var peer: [Double] = []

    /// Ours over the peer's, of the medians.
    var ratio: Double { ours.median / peer.median }
}
