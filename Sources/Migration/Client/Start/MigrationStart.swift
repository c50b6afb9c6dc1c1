import Foundation
import Generations
package import Kernel
import MigrationRestore
import Sections

/// What a phone's program does before it opens its state: it puts into place what was restored, or goes back to what was replaced, where the person
/// decided so; and it finishes what an earlier start began. Nobody has the journal, the databases or the keys open then.
///
/// The pointer to the generation is the commit. Before it everything is prepared that takes room on the disk; behind it names are only renamed, at
/// this start or a later one, until none is left.
package enum MigrationStart {
    /// Does nothing for a phone that never restored anything. Blocks.
    ///
    /// - Throws: `StateFolderError` while another program has the folder, `GenerationsError` for a store that cannot be read, and what keeps names from
    ///   being renamed behind the commit: the phone would be half of each, so it does not start. What fails before the commit is no error: the
    ///   phone starts with the data that it had, and `tandem migrate status` says why.
    package static func settle(_ folder: StateFolder, time: any TimeSource = .system) throws {
        let pointer = folder.url.appending(path: "store/CURRENT")
        guard FileManager.default.fileExists(atPath: pointer.path) else { return }
        let lock = try FolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        let files = try SystemFileSystem(folder.url)
        let store = try GenerationStore(files: files, keys: FileKeyStore(files), time: time)
        // A start that ended behind the commit goes on, before anything else.
        try finish(folder, store)
        let places = try MigrationPlaces(folder)
        guard let intent = MigrationPlaces.read(StartIntent.self, from: places.intent) else { return }
        var outcome = StartOutcome(change: intent.change, generation: intent.generation)
        do {
            try commit(intent, folder, store)
        } catch GenerationsError.unsettled {
            // Only the next start knows which of the two the disk has.
            throw GenerationsError.unsettled
        } catch {
            outcome.failure = "\(error)"
        }
        try finish(folder, store)
        if outcome.failure == nil { outcome.replaced = store.kept?.generation.name }
        try MigrationPlaces.write(outcome, to: places.outcome)
        try MigrationPlaces.remove(places.intent)
    }

    private static func commit(_ intent: StartIntent, _ folder: StateFolder, _ store: GenerationStore) throws {
        guard let current = try store.current() else { throw MigrationClientError.nothingReady }
        // Committed by a start that ended before it could note so.
        guard current.id.name != intent.generation else { return }
        let incoming: URL
        switch intent.change {
        case .restore:
            guard let staged = store.staged, staged.phase == .verified, staged.generation.id.name == intent.generation
            else { throw MigrationClientError.nothingReady }
            incoming = PackageRestoring.state(of: staged.generation, in: store)
        case .undo:
            guard let kept = store.kept, kept.generation.name == intent.generation else {
                throw MigrationClientError.nothingToUndo
            }
            incoming = try state(of: kept.generation, in: store)
        }
        let outgoing = PackageRestoring.state(of: current, in: store)
        try StateSwap(state: folder.url, incoming: incoming, outgoing: outgoing).prepare()
        switch intent.change {
        case .restore: _ = try store.commit()
        case .undo: _ = try store.rollback()
        }
    }

    /// Brings the names into place that belong to the current generation; none is left after a start that ended well.
    private static func finish(_ folder: StateFolder, _ store: GenerationStore) throws {
        guard let current = try store.current(), let kept = store.kept else { return }
        try StateSwap(
            state: folder.url,
            incoming: PackageRestoring.state(of: current, in: store),
            outgoing: try state(of: kept.generation, in: store)
        ).perform()
    }

    private static func state(of id: GenerationID, in store: GenerationStore) throws -> URL {
        store.url(
            of: GenerationStore.folder.appending(try StorePath(id.name)).appending(PackageRestoring.stateFolder)
        )
    }
}
