package import Capabilities
package import CommandClient
package import Control
import Foundation
package import Generations
import Kernel
import Sections
import Storage

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

    /// Opens the current generation, and makes the first one where there is none.
    ///
    /// - Throws: `GenerationsError`, `StateDatabaseError`, ``JournalError``.
    init(_ context: PeerContext, pictures: any JournalPictures) throws {
        let folder = try context.storage.folder()
        let files = try SystemFileSystem(context.storage.state?.url ?? folder)
        generations = try GenerationStore(files: files, keys: FileKeyStore(files), time: context.time)
        let store = generations
        let current = try store.currentOrFirst { generation in
            try JournalStore(generation: store.url(of: generation.folder)).close()
        }
        repository = JournalRepository(
            store: try JournalStore(generation: store.url(of: current.folder)),
            vault: MediaVault(
                store.url(of: current.media),
                keys: try MediaKeys(master: store.masterKey(of: current).bytes)
            ),
            pictures: pictures,
            work: BlockingWork("tandem.journal", width: 2),
            time: context.time
        )
        routes = JournalRoutes(repository: repository, folder: folder)
        try Self.removeUnpacked(in: folder)
    }

    /// What an import unpacked when the program ended goes: it is not encrypted.
    private static func removeUnpacked(in folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("import-") {
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
        } catch {
            return [DoctorCheck(name: "journal", failure: error)]
        }
    }

    package func close() async {
        repository.changed.finish()
        // A database that is not closed loses nothing: its log is read at the next start.
        try? await repository.close()
    }
}
