import Generations
import Kernel
import MigrationContainer
import MigrationRestore

/// Databases that are the text of their records, written through the port so that its faults strike them.
struct ScriptedDatabases: DatabaseBuilding {
    /// What is wrong with it on purpose.
    enum Fault: Sendable {
        case losesStories
        case staysOpen
    }

    var fault: Fault?

    func begin(_ generation: Generation, files: any FileSystemPort) throws -> any DatabaseBuild {
        ScriptedDatabase(generation, files, try files.open(generation.database, .create), fault)
    }

    func probe(_ generation: Generation, files: any FileSystemPort, key: MasterKey) throws -> MediaProbe {
        var (opened, failed) = (0, 0)
        try ScriptedDatabase.walk(generation.media, files) { path in
            let file = try files.open(path, .read)
            if try file.read(1, at: 0).first == key.bytes[0] { opened += 1 } else { failed += 1 }
        }
        return MediaProbe(opened: opened, failed: failed)
    }
}

final class ScriptedDatabase: DatabaseBuild {
    private let generation: Generation
    private let files: any FileSystemPort
    private let file: any StoreFile
    private let fault: ScriptedDatabases.Fault?
    private var end: UInt64 = 0
    private var counts: [MigrationEntity: Int] = [:]

    init(
        _ generation: Generation,
        _ files: any FileSystemPort,
        _ file: any StoreFile,
        _ fault: ScriptedDatabases.Fault?
    ) {
        self.generation = generation
        self.files = files
        self.file = file
        self.fault = fault
    }

    private func append(_ text: String) throws {
        let bytes = Array((text + "\n").utf8)
        try file.write(bytes, at: end)
        end += UInt64(bytes.count)
    }

    func add(_ record: JSONValue, of entity: MigrationEntity) throws {
        guard !(fault == .losesStories && entity == .stories && counts[.stories] == 1) else { return }
        counts[entity, default: 0] += 1
        try append(entity.rawValue + String(decoding: record.canonicalBytes, as: UTF8.self))
    }

    func finish(key: MasterKey) throws -> DatabaseOutcome {
        var paths: [String] = []
        try Self.walk(generation.media, files) { paths.append($0.text) }
        try append("\(paths.count) files")
        if fault == .staysOpen { _ = try files.open(generation.folder.appending("db.sqlite-wal"), .create) }
        return DatabaseOutcome(
            counts: counts,
            lost: [LostMedium(mediaID: "m9", fileName: "z.heic", reason: "FILE_NOT_FOUND", storyID: "s1")],
            lostCount: 1
        )
    }

    static func walk(_ folder: StorePath, _ files: any FileSystemPort, _ take: (StorePath) throws -> Void) throws {
        for name in try files.names(in: folder, limit: 1000) {
            let path = folder.appending(try StorePath(name))
            if try files.status(of: path)?.kind == .folder { try walk(path, files, take) } else { try take(path) }
        }
    }
}
