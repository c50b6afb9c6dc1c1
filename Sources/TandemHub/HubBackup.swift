import Capabilities
import Foundation
import GRDB
import Kernel
import Storage

/// A copy of all that a hub keeps, made while it runs: its databases as they are at one moment each, then the files that these name.
struct HubBackup: Sendable {
    let state: StateFolder
    let database: any DatabaseWriter
    let schema: Schema
    let stores: FeatureStores
    let features: FeatureSet

    struct Done: Hashable, Sendable {
        var databases: Int
        var files: Int
        var bytes: Int64
    }

    /// - Parameter path: An absolute one, of a folder that is not there yet, or is empty.
    /// - Throws: ``HubError/notAbsolute(_:)``, ``HubError/notEmpty(_:)``, ``HubError/damagedCopy(_:)``; what the disk says.
    func run(to path: String) async throws -> Done {
        guard path.hasPrefix("/") else { throw HubError.notAbsolute(path) }
        let target = URL(fileURLWithPath: path)
        let work = BlockingWork("hub backup", width: 1, urgency: .bulk)
        let copies = try await work.run { [self] in try copyDatabases(to: target) }
        try await features.copyFiles(below: target.appending(path: "features"))
        let (files, bytes) = try await work.run { [state] in
            for (source, name) in [(state.keysURL, "keys"), (state.configurationURL, "config.json")]
            where FileManager.default.fileExists(atPath: source.path) {
                try FileManager.default.copyItem(at: source, to: target.appending(path: name))
            }
            for copy in copies {
                guard try StateDatabase.check(copy.url, schema: copy.schema).isSound else {
                    throw HubError.damagedCopy(copy.url.path)
                }
            }
            return try Self.size(of: target)
        }
        return Done(databases: copies.count, files: files, bytes: bytes)
    }

    private func copyDatabases(to target: URL) throws -> [(url: URL, schema: Schema)] {
        let files = FileManager.default
        if let names = try? files.contentsOfDirectory(atPath: target.path), !names.isEmpty {
            throw HubError.notEmpty(target.path)
        }
        try StateFolder.makeClosedFolder(target)
        var copies: [(url: URL, schema: Schema)] = []
        let own = target.appending(path: "tandem.sqlite")
        try StateDatabase.copy(database, to: own)
        copies.append((own, schema))
        for store in stores.own {
            // In memory there is nothing to bring back.
            guard let url = store.url else { continue }
            let folder = target.appending(path: "features").appending(path: store.schema.name)
            try StateFolder.makeClosedFolder(folder)
            let copy = folder.appending(path: url.lastPathComponent)
            try StateDatabase.copy(store.database, to: copy)
            copies.append((copy, store.schema))
        }
        return copies
    }

    private static func size(of folder: URL) throws -> (files: Int, bytes: Int64) {
        let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys) else {
            return (0, 0)
        }
        var (files, bytes) = (0, Int64(0))
        for case let url as URL in walk {
            let values = try url.resourceValues(forKeys: Set(keys))
            guard values.isRegularFile == true else { continue }
            (files, bytes) = (files + 1, bytes + Int64(values.fileSize ?? 0))
        }
        return (files, bytes)
    }
}
