import Archives
import Crypto
import Foundation
import Kernel
import MigrationContainer
import Pictures
import Testing

@testable import Journal
@testable import MigrationJournal

@Suite("A journal as a package takes it", .timeLimit(.minutes(3)))
struct JournalBackupTests {
    /// A journal with two stories and two files, one of which is gone.
    private func withJournal(_ body: (JournalRepository, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "jb-\(UUID.randomText())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a test's leftovers harm nobody
        let repository = JournalRepository(
            store: try JournalStore(generation: folder),
            vault: MediaVault(folder.appending(path: "Media"), keys: try MediaKeys(master: PackedJournal.key)),
            pictures: NoPictures(),
            work: BlockingWork("journal-backup-test", width: 1),
            time: SystemTime()
        )
        try await body(repository, folder)
        try await repository.close()
    }

    @Test("its files have the sums that were computed when they were saved, and one that is gone is told by its place")
    func media() async throws {
        try await withJournal { repository, folder in
            let story = try await repository.add(StoryDraft(content: "a")).story
            var media: [Medium] = []
            for number in 0..<2 {
                let file = folder.appending(path: "f\(number).txt")
                try Data("text \(number)".utf8).write(to: file)
                media.append(try await repository.attach(file.path, to: story.id))
            }
            let vault = try repository.vault
            try FileManager.default.removeItem(at: vault.url(try #require(media[1].path)))
            let backup = JournalBackup(try JournalSnapshot(repository))
            var named: [BackupMedium] = []
            try backup.readMedia { named.append($0) }
            #expect(
                Set(named.map(\.mediaID)) == Set(media.map(\.id)) && named.map(\.path) == named.map(\.path).sorted()
            )
            let whole = try #require(named.first { $0.mediaID == media[0].id })
            let size = try #require(whole.size)
            let bytes = try backup.open(whole).read(at: 0, count: Int(size) + 1)
            var checksum = CRC32()
            checksum.update(bytes)
            #expect(UInt64(bytes.count) == size)
            #expect(whole.digest == MediumDigest(sha256: Array(SHA256.hash(data: bytes)), crc32: checksum.value))
            let gone = try #require(named.first { $0.mediaID == media[1].id })
            #expect(throws: BackupFileError.notFound) { try backup.open(gone) }
            #expect(try backup.masterKey() == PackedJournal.key)
        }
    }

    @Test("#17: a file that no record names comes along, and one of a purged story does not")
    func unnamed() async throws {
        try await withJournal { repository, folder in
            let purged = try await repository.add(StoryDraft(content: "gone")).story
            let file = folder.appending(path: "f.txt")
            try Data("text".utf8).write(to: file)
            let medium = try await repository.attach(file.path, to: purged.id)
            let orphan = folder.appending(path: "Media/Files/2020/01/orphan.bin")
            try FileManager.default.createDirectory(
                at: orphan.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("nobody's".utf8).write(to: orphan)
            // A reading that is alive keeps the files of what is purged meanwhile.
            let held = try JournalSnapshot(repository)
            _ = try await repository.setRemoved(purged.id, true)
            _ = try await repository.purge(purged.id)
            var named: [String] = []
            try JournalBackup(try JournalSnapshot(repository)).readMedia { named.append($0.path) }
            #expect(named == ["Files/2020/01/orphan.bin"])
            let path = try #require(medium.path)
            #expect(try held.namedFiles().map(\.path) == [path])
            #expect(try repository.vault.size(of: path) != nil)
        }
    }

    @Test("its records go on behind any of them, in the same order, whatever is written meanwhile")
    func records() async throws {
        try await withJournal { repository, _ in
            for number in 0..<3 { _ = try await repository.add(StoryDraft(content: "\(number)")) }
            _ = try await repository.set("push.token", type: "string", value: "secret")
            let backup = JournalBackup(try JournalSnapshot(repository))
            var keys: [String] = []
            try backup.readRecords(of: .stories, after: nil) { record in
                keys.append(record.key)
                return true
            }
            _ = try await repository.add(StoryDraft(content: "later"))
            #expect(keys.count == 3)
            for (index, key) in keys.enumerated() {
                var rest: [String] = []
                try backup.readRecords(of: .stories, after: key) { record in
                    rest.append(record.key)
                    return true
                }
                #expect(rest == Array(keys.dropFirst(index + 1)))
            }
            try backup.readRecords(of: .settings, after: nil) { _ in
                Issue.record("a setting of this device alone")
                return true
            }
        }
    }
}

/// No file is a picture.
private struct NoPictures: PhotoEncoder, PictureEncoder {
    func dimensions(of picture: [UInt8]) async throws -> PictureDimensions { throw PictureError.notAPicture }

    func encode(
        _ picture: [UInt8],
        as format: PictureFormat,
        quality: Int,
        maxWidth: Int?
    ) async throws -> EncodedPicture { throw PictureError.notAPicture }

    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        throw PictureError.notAPicture
    }

    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
        throw PictureError.notAPicture
    }
}
