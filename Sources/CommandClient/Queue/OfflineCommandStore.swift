package import Foundation

/// Keeps commands that wait. Only the process that opened a store sends from it: what was on its way is pending again.
///
/// Each change is one step, on disk when the call returns.
package protocol OfflineCommandStore: Sendable {
    /// Oldest first: the order they were added in, whatever the clock said.
    func all() async throws -> [OfflineCommand]
    /// Adds a command, in place of another where `capacity` are kept: the oldest pending, else the oldest failed.
    /// A command whose id is kept already changes nothing.
    ///
    /// - Returns: The command that had to go.
    func add(_ command: OfflineCommand, capacity: Int) async throws -> OfflineCommand?
    /// Changes the command with this id, if there is one.
    @discardableResult
    func update(_ id: UUID, _ change: @escaping @Sendable (inout OfflineCommand) -> Void) async throws
        -> OfflineCommand?
    /// - Returns: What was removed.
    @discardableResult
    func remove(_ id: UUID) async throws -> OfflineCommand?
    /// - Parameter desktopID: Nil for every computer's.
    /// - Returns: How many were removed.
    @discardableResult
    func removeAll(for desktopID: String?) async throws -> Int
    /// The list now, then the list after each change; a slow reader misses lists, never the last one.
    func list() -> AsyncStream<[OfflineCommand]>
}
