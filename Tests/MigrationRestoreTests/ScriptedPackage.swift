import Generations
import Kernel
import MigrationRestore

@testable import MigrationContainer

/// A package's content, handed to a sink as a reader of sealed bytes does it.
struct ScriptedPackage: Sendable {
    static let key = [UInt8](repeating: 0x42, count: 32)

    var records: [MigrationEntity: [JSONValue]] = [
        .settings: [["key": "theme"], ["key": "language"]], .categories: [["id": "c1"]],
        .stories: [["id": "s1"], ["id": "s2"], ["id": "s3"]], .media: [["id": "m1"], ["id": "m2"]],
        .relations: [["storyId": "s1", "categoryId": "c1"]],
    ]
    /// Each begins with the key's first byte, by which it opens.
    var files: [(path: String, bytes: [UInt8])] = [
        ("Images/2026/03/a.heic", [0x42] + [UInt8](repeating: 1, count: 99)),
        ("Images/2026/03/a_thumb.jpg", [0x42, 2, 3]),
        ("Videos/2025/12/b.mov", [0x42] + [UInt8](repeating: 4, count: 1299)),
    ]
    var masterKey = key
    var broken: [BrokenMedium] = []
    var isListed = true

    func manifest() throws -> Manifest {
        let bytes = files.reduce(0) { $0 + $1.bytes.count }
        var stats: [String: JSONValue] = [:]
        for entity in MigrationEntity.allCases {
            if let name = entity.statsKey { stats[name] = ["count": .integer(Int64(records[entity]?.count ?? 0))] }
        }
        var manifest = try Manifest([
            "backupId": "7d1f0a52", "appVersion": "1.2.0", "schemaVersion": 1, "createdAt": 1_790_000_000,
            "entityStats": .object(stats),
            "mediaStats": ["totalFiles": .integer(Int64(files.count)), "totalBytes": .integer(Int64(bytes))],
            "integrity": ["zipSize": 0, "zipSHA256": "", "hashAlgorithm": "SHA256"],
            "options": ["hasBrokenMedia": .bool(!broken.isEmpty), "brokenMediaCount": .integer(Int64(broken.count))],
        ])
        manifest.brokenMedia = broken
        return manifest
    }

    func plan(binding: [UInt8] = [1, 2, 3], archiveBytes: UInt64 = 4000) throws -> RestorePlan {
        RestorePlan(manifest: try manifest(), binding: binding, archiveBytes: archiveBytes)
    }

    /// - Parameter pieces: Bytes of a file that come at a time.
    func read(into sink: any RestoreSink, pieces: Int = 600) throws -> PackageContents {
        let manifest = try manifest()
        try sink.begin(manifest)
        try sink.take(masterKey: masterKey)
        for entity in MigrationEntity.allCases {
            for record in records[entity] ?? [] { try sink.take(record, of: entity) }
        }
        for file in files {
            try sink.beginFile(file.path, size: UInt64(file.bytes.count))
            for start in stride(from: 0, to: file.bytes.count, by: pieces) {
                try sink.take(fileBytes: Array(file.bytes[start..<min(start + pieces, file.bytes.count)]))
            }
            try sink.endFile()
        }
        return PackageContents(
            manifest: manifest,
            digests: PackageDigests(zipSHA256: "", encSHA256: ""),
            recordCounts: records.mapValues(\.count),
            hasFileList: isListed
        )
    }
}
