/// Where connections with the other phone come from. Which side dials is independent of which side sends (rule #3).
public protocol MigrationLinks: Sendable {
    /// Whether this side dials. The side that dials makes the session's id.
    var dials: Bool { get }

    /// The next connection: one attempt of a side that dials, or the wait for the next one that is accepted.
    ///
    /// - Throws: ``MigrationTransferError/linkLost`` when the attempt failed, ``MigrationTransferError/badAddress(what:)``, and `CancellationError`.
    func next() async throws -> any MigrationLink

    /// Whoever was at the other end of the last link did not prove to be the other phone: the next attempt begins with another way, where there is one.
    func passOver() async
}

extension MigrationLinks {
    public func passOver() async {}
}
