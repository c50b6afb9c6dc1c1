import Foundation
import Kernel
import MigrationContainer
import Sections

/// A phone's sections as the files that a package reads. Headers and rows are written down once, so that every byte of them can be made again for as
/// long as the package is sent, also after a start of the program; a section's own files are read where they are, since the phone rests.
struct SectionFiles: Codable, Hashable, Sendable {
    private struct Part: Codable, Hashable, Sendable {
        var section: BackupSection
        /// Paths of files that lie elsewhere, by their path below the section.
        var places: [String: String]
    }

    static let headerName = "header.json"
    static let rowsName = "rows.jsonl"

    private let root: URL
    private var parts: [Part] = []

    /// Writes the sections down. Blocks.
    ///
    /// - Parameter root: A folder for them; what an earlier export left there is removed.
    /// - Throws: `SectionError`, what SQLite and the disk say.
    init(_ snapshots: [SectionSnapshot], in root: URL) throws {
        self.root = root
        try MigrationPlaces.remove(root)
        try StateFolder.makeClosedFolder(root)
        for snapshot in snapshots { parts.append(try Self.write(snapshot, below: root)) }
    }

    var sections: [BackupSection] { parts.map(\.section) }

    /// - Throws: `BackupFileError`.
    func open(_ path: String, of section: BackupSection) throws -> any BackupFile {
        guard let part = parts.first(where: { $0.section == section }), section.paths.contains(path) else {
            throw BackupFileError.notFound
        }
        return try SystemBackupFile(
            path: part.places[path] ?? root.appending(path: section.name).appending(path: path).path
        )
    }

    private static func write(_ snapshot: SectionSnapshot, below root: URL) throws -> Part {
        let name = snapshot.header.name
        let folder = root.appending(path: name, directoryHint: .isDirectory)
        try StateFolder.makeClosedFolder(folder)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let header = try MigrationPlaces.makeFile(folder.appending(path: headerName))
        try header.write(contentsOf: try encoder.encode(snapshot.header))
        try header.close()
        let rows = try MigrationPlaces.makeFile(folder.appending(path: rowsName))
        try snapshot.readRows { try rows.write(contentsOf: Data($0)) }
        try rows.close()
        var places: [String: String] = [:]
        for file in snapshot.files {
            switch file.content {
            case .disk(let url): places[file.path] = url.path
            case .memory(let bytes):
                let url = folder.appending(path: file.path)
                try StateFolder.makeClosedFolder(url.deletingLastPathComponent())
                let handle = try MigrationPlaces.makeFile(url)
                try handle.write(contentsOf: Data(bytes))
                try handle.close()
            }
        }
        let paths = [headerName, rowsName] + snapshot.files.map(\.path)
        let section = BackupSection(name: name, version: snapshot.header.version, paths: paths)
        return Part(section: section, places: places)
    }
}
