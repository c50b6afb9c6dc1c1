import Foundation
import Kernel
import MigrationContainer
import Testing

@testable import Journal

/// A journal's records and sealed files, as the source of a package.
struct PackedJournal: BackupSource {
    static let key = [UInt8](repeating: 7, count: 32)
    static let path = "Images/2026/03/m1.jpg"

    let folder: URL
    let records: [MigrationEntity: [JSONValue]] = [
        .settings: [["key": "theme", "type": "string", "value": "dark", "updatedAt": 1]],
        .categories: [
            ["id": "c1", "name": "Travel", "createdAt": 1, "level": 1],
            ["id": "c2", "name": "Sea", "createdAt": 1, "level": 2, "parentId": "c1"],
        ],
        .stories: [
            ["id": "s1", "createdAt": 1, "content": "*words* of the sea", "syncStatus": "synced", "later": "kept"],
            ["id": "s2", "createdAt": 2, "content": "more", "syncStatus": "synced"],
        ],
        .media: [
            [
                "id": "m1", "type": "image", "fileName": "m1.jpg", "encryptionKeyId": "k1", "createdAt": 1,
                "fileSize": 0,
                "storyId": "s1", "relativePath": .string(path),
            ],
            [
                "id": "m2", "type": "image", "fileName": "m2.jpg", "encryptionKeyId": "k2", "createdAt": 1,
                "fileSize": 0,
                "storyId": "s2",
            ],
        ],
        .relations: [["storyId": "s1", "categoryId": "c2"]],
    ]

    /// - Parameter folder: Where the sealed file is made.
    init(in folder: URL) throws {
        self.folder = folder
        let path = try #require(MediaPath(Self.path))
        _ = try MediaVault(folder, keys: MediaKeys(master: Self.key)).save(
            Array("a picture".utf8),
            to: path,
            keyId: "k1"
        )
    }

    func readRecords(
        of entity: MigrationEntity,
        after key: String?,
        _ take: (BackupRecord) throws -> Bool
    ) throws {
        let first = key.flatMap { Int($0) }.map { $0 + 1 } ?? 0
        for (number, value) in (records[entity] ?? []).enumerated().dropFirst(first) {
            guard try take(BackupRecord(key: "\(number)", value: value)) else { return }
        }
    }

    func readMedia(_ take: (BackupMedium) throws -> Void) throws {
        try take(BackupMedium(path: Self.path, mediaID: "m1", size: nil, digest: nil))
        try take(BackupMedium(path: "Images/2026/03/m2.jpg", mediaID: "m2", size: nil, digest: nil))
    }

    func open(_ medium: BackupMedium) throws -> any BackupFile {
        try SystemBackupFile(path: folder.appending(path: medium.path).path)
    }

    func masterKey() throws -> [UInt8] { Self.key }
}
