/// Somebody who uses the server as it is meant, beside the strangers.
protocol Victim {
    /// After the flood: what it cost them.
    func figures() throws -> [Figure]
}
