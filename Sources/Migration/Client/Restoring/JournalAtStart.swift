import Generations
import Journal
import Kernel
import MigrationRestore

/// The journal where generations are replaced: at a start of the program, before the phone opens it, so there is nothing to close and nothing to
/// open.
struct JournalAtStart: LiveData {
    let phone: MigratingPhone
    let work: BlockingWork

    func pause() async throws {}
    func resume() async throws {}

    /// Asks the journal that runs. One that rests has closed its database, which is opened for the length of the question.
    func changes(sinceMilliseconds moment: Int64) async throws -> Int? {
        let journal = try phone.journal
        do {
            return try await journal.changes(sinceMilliseconds: moment)
        } catch JournalError.resting {
            guard let current = try journal.generations.current() else { return nil }
            let folder = journal.generations.url(of: current.folder)
            return try await work.run {
                let store = try JournalStore(generation: folder)
                let count = Result { try store.changesHere(since: moment) }
                try store.close()
                return try count.get()
            }
        }
    }
}
