import Control
import Foundation
import Journal
import Kernel

/// A journal in a folder of its own, which is asked as commands ask it.
struct MeasuredJournal {
    let repository: JournalRepository
    private let control: ControlTable
    private let folder: URL

    /// - Parameter folder: Of a generation, which may have been built before.
    init(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        repository = JournalRepository(
            store: try JournalStore(generation: folder),
            vault: try Self.vault(folder),
            pictures: NoPictures(),
            work: BlockingWork("journal-benchmark", width: 2),
            time: SystemTime()
        )
        control = ControlTable(JournalRoutes(repository: repository, folder: folder).all)
        self.folder = folder
    }

    static func vault(_ folder: URL) throws -> MediaVault {
        MediaVault(folder.appending(path: "Media"), keys: try MediaKeys(master: [UInt8](repeating: 7, count: 32)))
    }

    func bring(_ path: URL) async throws -> JournalControl.Imported {
        try await control.call(JournalControl.importing, .init(path: path.path))
    }

    func export(to path: URL) async throws -> JournalControl.Exported {
        try await control.call(JournalControl.exporting, .init(folder: path.path))
    }

    func list() async throws -> Int { try await control.call(JournalControl.list, .init()).stories.count }

    func search(_ words: String) async throws -> Int {
        try await control.call(JournalControl.search, .init(words: words)).stories.count
    }
}
