/// Whoever has the current generation open: the journal.
package protocol LiveData: Sendable {
    /// Ends all writing and closes the database.
    func pause() async throws
    /// Opens whichever generation is current. It follows every ``pause()``, also where that or the change threw.
    func resume() async throws
    /// Records written since a moment, in milliseconds since 1970-01-01T00:00:00Z; nil where nobody knows.
    func changes(sinceMilliseconds: Int64) async throws -> Int?
}
