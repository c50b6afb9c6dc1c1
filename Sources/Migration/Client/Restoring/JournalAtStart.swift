import MigrationRestore

/// The journal where generations are replaced: at a start of the program, before the phone opens it, so there is nothing to close and nothing to
/// open. Nobody counts what was written since: the offer to go back says so by saying nothing.
struct JournalAtStart: LiveData {
    func pause() async throws {}
    func resume() async throws {}
    func changes(sinceMilliseconds: Int64) async throws -> Int? { nil }
}
