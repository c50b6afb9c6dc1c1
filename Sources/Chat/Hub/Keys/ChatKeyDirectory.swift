package import Accounts
package import ChatSealing
package import Kernel

/// What the hub keeps of sealed conversations: lists of devices and public chat keys. It can check all of it, and make none.
package protocol ChatKeyDirectory: Sendable {
    /// Appends an entry to the person's chain; one that is the newest already changes nothing.
    ///
    /// - Throws: ``ChatHubError``: `notContinuation`, `personUnknown`, `limitReached`.
    func append(_ entry: ChainEntry, of person: UserID, origin: String?) async throws
    /// Keeps a key beside the newest one of its device, which is in the newest list or waits to be added to it.
    ///
    /// - Throws: ``ChatHubError``: `unlistedDevice` where there is no list, `personUnknown`.
    func publish(_ bundle: KeyBundle, of person: UserID, origin: String?) async throws
    /// The chains of people that have one, in the order of the request.
    ///
    /// - Parameter people: Each with the newest number that the asker has, -1 for none.
    func chains(of people: [(person: UserID, after: Int64)]) async throws -> [KeptChain]
    /// The keys of devices in the newest entries, the newest first for each; of the asker also of devices that wait to be added.
    func bundles(of people: [UserID], for asker: UserID) async throws -> [UserID: [JSONValue]]
}
