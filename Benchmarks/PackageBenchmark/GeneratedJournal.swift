import Archives
import Crypto
import Foundation
import Kernel
import MigrationContainer

/// A journal of made-up stories, and of files on disk.
struct GeneratedJournal: BackupSource {
    private let folder: URL
    private let storyCount: Int
    private let media: [BackupMedium]

    init(folder: URL, fileCount: Int, fileSize: Int, storyCount: Int, sparse: UInt64, isDigested: Bool) throws {
        self.folder = folder
        self.storyCount = storyCount
        var media: [BackupMedium] = []
        var generator = SystemRandomNumberGenerator()
        var body = (0..<fileSize).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        for index in 0..<fileCount {
            if !body.isEmpty { body[0] = UInt8(truncatingIfNeeded: index) }
            let path = "\(index).heic"
            try Data(body).write(to: folder.appending(path: path))
            var checksum = CRC32()
            checksum.update(body)
            let digest = MediumDigest(sha256: Array(SHA256.hash(data: body)), crc32: checksum.value)
            media.append(
                BackupMedium(path: path, mediaID: "m", size: UInt64(fileSize), digest: isDigested ? digest : nil)
            )
        }
        if sparse > 0 {
            let file = folder.appending(path: "sparse.mov")
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: sparse)
            try handle.close()
            media.append(BackupMedium(path: "sparse.mov", mediaID: "m", size: sparse, digest: nil))
        }
        self.media = media
    }

    func readRecords(
        of entity: MigrationEntity,
        after key: String?,
        _ take: (BackupRecord) throws -> Bool
    ) throws {
        guard entity == .stories else { return }
        for index in (key.flatMap { Int($0) } ?? -1) + 1..<storyCount {
            let value = JSONValue.object([
                "id": .string("0b9e0c6e-7f0e-4a53-9a5e-\(index)"), "title": .string("Day \(index)"),
                "content": .string(String(repeating: "We went to the lake and back. ", count: 35)),
                "createdAt": .integer(1_767_000_000 + Int64(index)), "latitude": .number(31.2304),
                "longitude": .number(121.4737), "isDeleted": .bool(false), "mood": .null,
            ])
            guard try take(BackupRecord(key: String(index), value: value)) else { return }
        }
    }

    func readMedia(_ take: (BackupMedium) throws -> Void) throws {
        for medium in media { try take(medium) }
    }

    func open(_ medium: BackupMedium) throws -> any BackupFile {
        try SystemBackupFile(path: folder.appending(path: medium.path).path)
    }

    func masterKey() throws -> [UInt8] { [UInt8](repeating: 1, count: 32) }
}
