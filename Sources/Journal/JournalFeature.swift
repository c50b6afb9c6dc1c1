package import Capabilities
package import CommandClient
package import Control
import Foundation
package import Generations
import Kernel
import Sections
import Storage
package import Transport

/// A phone's journal: stories with their categories and media, in the current generation of the phone's data.
package final class JournalFeature: PeerFeature {
    /// The maker that a composition lists to have this feature.
    package static func maker(pictures: any JournalPictures) -> PeerFeatureMaker {
        PeerFeatureMaker(FeatureManifest("journal", leaving: leftBehind)) {
            try JournalFeature($0, pictures: pictures)
        }
    }

    private static let leftBehind = [
        LeftBehind(
            .file("store"),
            because: "The journal moves as the package's own records and files, not as a section."
        ),
        LeftBehind(
            .keys(prefix: GenerationStore.keyName),
            because: "The master key is sealed in the package by itself."
        ),
    ]

    /// The journal, for a migration that copies it.
    package let repository: JournalRepository
    /// The generations of the phone's data: a migration adds one.
    package let generations: GenerationStore
    private let routes: JournalRoutes
    /// Work that nobody waits for: words that a restore left for later, files of stories that were purged.
    private let tasks = OwnedTasks()

    /// Opens the current generation, and makes the first one where there is none.
    ///
    /// - Throws: `GenerationsError`, `StateDatabaseError`, ``JournalError``.
    init(_ context: PeerContext, pictures: any JournalPictures) throws {
        let folder = try context.storage.folder()
        let files = try SystemFileSystem(context.storage.state?.url ?? folder)
        generations = try GenerationStore(files: files, keys: FileKeyStore(files), time: context.time)
        let (store, vault) = try Self.open(generations)
        repository = JournalRepository(
            store: store,
            vault: vault,
            pictures: pictures,
            work: BlockingWork("tandem.journal", width: 2),
            time: context.time
        )
        routes = JournalRoutes(repository: repository, folder: folder)
        try Self.removeUnpacked(in: folder)
        tidy()
    }

    private static func open(_ generations: GenerationStore) throws -> (JournalStore, MediaVault) {
        let current = try generations.currentOrFirst { generation in
            try JournalStore(generation: generations.url(of: generation.folder)).close()
        }
        let vault = MediaVault(
            generations.url(of: current.media),
            keys: try MediaKeys(master: generations.masterKey(of: current).bytes)
        )
        return (try JournalStore(generation: generations.url(of: current.folder)), vault)
    }

    /// Records that were written after a moment, in milliseconds since 1970: what going back to an earlier generation would lose.
    package func changes(sinceMilliseconds moment: Int64) async throws -> Int? {
        try await repository.changes(since: moment)
    }

    /// How many records there are of each kind.
    package func counts() async throws -> JournalCounts { try await repository.counts() }

    private func tidy() {
        tasks.add { [repository] in
            // A search does what is left of it, and a later start the rest.
            try? await repository.indexWords()
            try? await repository.removeUnusedFiles()
        }
    }

    /// How a folder is called for what is not encrypted yet.
    static let unpackedPrefix = "import-"

    /// What an import unpacked, or a page put in, when the program ended goes: it is not encrypted.
    private static func removeUnpacked(in folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(unpackedPrefix) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    package var controlRoutes: [ControlRoute] { routes.all }

    package var topics: [ControlTopic] {
        [ControlTopic(JournalControl.topic, changes: { [repository] in repository.changed.subscribe() })]
    }

    /// Only that the database cannot be read; nothing where it can.
    package func checks() async -> [DoctorCheck] {
        do {
            _ = try await repository.store.read { try $0.counts() }
            return []
        } catch JournalError.resting {
            return []
        } catch {
            return [DoctorCheck(name: "journal", failure: error)]
        }
    }

    /// The page's `/api/journal/media`, to read and to add. Source: `docs/page.md`, "The local API".
    package func pageRoutes() throws -> RouteSet {
        let uploads = JournalUploads(repository: repository, folder: routes.folder)
        return RouteSet(http: try JournalPage(repository: repository).routes() + uploads.routes())
    }

    package func close() async {
        await tasks.end()
        repository.changed.finish()
        // A database that is not closed loses nothing: its log is read at the next start.
        try? await repository.close()
    }
}
