/// Whoever has the current generation open: the journal, and with it the rest of a phone.
package protocol LiveData: Sendable {
    /// Ends all writing and closes the database. What is written until then is in the generation that is about to be replaced.
    func pause() async throws
    /// Opens whichever generation is current. It is called after every ``pause()``, also where the commit failed.
    func resume() async throws
    /// Records written since a moment, in milliseconds since 1970-01-01T00:00:00Z; nil where nobody knows.
    func changes(sinceMilliseconds: Int64) async throws -> Int?
}
