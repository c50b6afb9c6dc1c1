package import Accounts
package import ChatSealing
package import Kernel

/// What the hub keeps of history that one device of an account hands to another: who offers it to whom, and the objects, which it cannot open.
package protocol HandoverDirectory: Sendable {
    /// Keeps an offer and its objects; one that is here already changes nothing, and another to the same device is let go of.
    ///
    /// - Parameters:
    ///   - objects: The keys of objects that the person uploaded.
    ///   - now: Milliseconds since 1970.
    /// - Throws: ``ChatHubError``: `unlistedDevice` unless both devices are in the newest list, `unknownObject`, `limitReached`, `personUnknown`.
    func offer(_ offer: HandoverOffer, objects: [String], of person: UserID, origin: String?, at now: Int64)
        async throws
    /// The offers of the account's devices, the oldest first.
    func handovers(of person: UserID, at now: Int64) async throws -> [JSONValue]
    /// Lets go of an offer; one that is not here changes nothing.
    func endHandover(_ id: [UInt8], of person: UserID, origin: String?) async throws
    /// Lets go of offers whose seven days are over.
    ///
    /// - Returns: How many; fewer than the limit when none is left.
    func sweepHandovers(at now: Int64, limit: Int) async throws -> Int
}
