import Archives
import Control
import Crypto
import Foundation
import HomeTesting
import Journal
import Kernel
import MigrationClient
import MigrationContainer
import MigrationRestore
import TandemPhone
import Testing

@Suite("A package of version 1", .timeLimit(.minutes(2)))
struct LegacyMoveTests {
    private static let key = [UInt8](repeating: 0xA7, count: 32)

    /// As a program of that version packs a folder: below a name, with a list of contents that says nothing of files.
    private static func sealed(schema: Int = 1) throws -> Data {
        let manifest = """
            {"appVersion":"1.0.0","backupId":"b","createdAt":1767312000,"entityStats":{"CategoryEntity":{"count":0},
            "MediaEntity":{"count":0},"SettingEntity":{"count":0},"StoryEntity":{"count":1}},
            "integrity":{"hashAlgorithm":"SHA256","zipSHA256":"\(String(repeating: "0", count: 64))","zipSize":7},
            "mediaStats":{"totalBytes":0,"totalFiles":0},
            "options":{"brokenMediaCount":0,"hasBrokenMedia":false},"schemaVersion":\(schema)}
            """
        let story = """
            [{"id":"6f1f7a0e-1c6b-4f0e-9d53-0d1e6a3b5c7d","title":"Rigi","content":"words","plainTextContent":"words",
            "createdAt":1767312000,"updatedAt":1767312000,"timestamp":1767312000,"isDeleted":false,"syncStatus":0,
            "latitude":0,"longitude":0,"horizontalAccuracy":-1,"verticalAccuracy":-1}]
            """
        let entries: [(String, [UInt8])] = [
            ("coredata/stories.json", Array(story.utf8)), ("coredata/categories.json", Array("[]".utf8)),
            ("coredata/media.json", Array("[]".utf8)), ("coredata/settings.json", Array("[]".utf8)),
            ("coredata/relations_story_categories.json", Array("[]".utf8)),
            ("security/master_key.bin", [UInt8](repeating: 4, count: 32)), ("manifest.json", Array(manifest.utf8)),
        ]
        var archive: [UInt8] = []
        let writer = try ZipWriter { archive += $0 }
        for (name, body) in entries {
            let name = try ArchiveName("Backup-b/\(name)")
            try writer.begin(name, size: UInt64(body.count), method: .deflated, modified: .distantPast)
            try writer.write(body)
        }
        try writer.finish()
        return try #require(try AES.GCM.seal(archive, using: SymmetricKey(data: key)).combined)
    }

    @Test("#9: it is restored from a file by its key, as its journal's data; a password or another key opens nothing")
    func restore() async throws {
        try await MoveFolders.with { folder, _, newState in
            let file = folder.appending(path: "v1.enc")
            try Self.sealed().write(to: file)
            let key = Hexadecimal.encode(Self.key)
            try await Home.run(computers: [], phones: []) { home in
                let did = try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    for (password, error) in [
                        ("correct horse battery", ContainerError.notAPackage),
                        (Hexadecimal.encode([UInt8](repeating: 1, count: 32)), ContainerError.wrongPassword),
                    ] {
                        _ = try await new.control.call(
                            MigrationControl.restore,
                            .init(path: file.path, password: password)
                        )
                        await #expect(throws: error) { _ = try await new.reaches { $0.step == .ready } }
                    }
                    _ = try await new.control.call(
                        MigrationControl.restore,
                        .init(path: file.path, password: key.uppercased())
                    )
                    let ready = try await new.reaches { $0.step == .ready }
                    #expect(ready.report?.counts["stories"] == 1)
                    _ = try await new.control.call(MigrationControl.agree, .init())
                    return new.phone.did
                }
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    let titles = try await new.stories()
                    #expect(titles == ["Rigi"])
                    #expect(new.phone.did == did, "such a package holds nothing else of a phone")
                }
            }
        }
    }

    @Test(
        "#9 #23: one that is longer than 256 MiB is refused by its size, and one with newer data with the advice to update"
    )
    func refused() async throws {
        try await MoveFolders.with { folder, _, newState in
            let (long, newer) = (folder.appending(path: "long.enc"), folder.appending(path: "newer.enc"))
            #expect(FileManager.default.createFile(atPath: long.path, contents: nil))
            let handle = try FileHandle(forWritingTo: long)
            try handle.truncate(atOffset: UInt64(LegacyPackage.maximumByteCount) + 1)
            try handle.close()
            try Self.sealed(schema: 9).write(to: newer)
            try await Home.run(computers: [], phones: []) { home in
                try await MovingPhone.run("New phone", in: newState, of: home) { new in
                    for (file, error) in [
                        (long, ContainerError.tooLarge),
                        (newer, .needsAppUpdate(theirs: 9, ours: MigrationSchema.current)),
                    ] {
                        _ = try await new.control.call(
                            MigrationControl.restore,
                            .init(path: file.path, password: Hexadecimal.encode(Self.key))
                        )
                        await #expect(throws: error) { _ = try await new.reaches { $0.step == .ready } }
                    }
                }
            }
        }
    }
}
