import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("A journal that is built of records", .timeLimit(.minutes(3)))
struct BuilderTests {
    /// A generation that is built in a folder of its own.
    private final class Site {
        let folder = FileManager.default.temporaryDirectory.appending(path: "site-\(UUID.randomText())")
        let vault: MediaVault

        init() throws {
            vault = MediaVault(
                folder.appending(path: "Media"),
                keys: try MediaKeys(master: [UInt8](repeating: 7, count: 32))
            )
            try FileManager.default.createDirectory(at: vault.folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func file(_ path: String, _ size: Int) throws {
            let url = vault.folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(repeating: 1, count: size).write(to: url)
        }

        func build(
            _ records: [(RecordKind, JSONValue)],
            _ options: JournalBuilder.Options = .init()
        ) throws -> BuildReport {
            let builder = try JournalBuilder(generation: folder, options: options)
            for (kind, record) in records { try builder.add(kind, record) }
            return try builder.finish(media: vault)
        }

        /// The journal that was built, as a phone opens it.
        func opened() throws -> JournalRepository {
            JournalRepository(
                store: try JournalStore(generation: folder),
                vault: vault,
                pictures: FixedPictures(),
                work: BlockingWork("site", width: 1),
                time: SystemTime()
            )
        }

        func read<Value: Sendable>(_ body: @escaping @Sendable (JournalReading) throws -> Value) async throws -> Value {
            let store = try JournalStore(generation: folder)
            let value = try await store.read(body)
            try store.close()
            return value
        }
    }

    private static func category(_ id: String, in parent: String? = nil, level: Int64 = 1) -> (RecordKind, JSONValue) {
        let record: JSONValue = ["id": .string(id), "name": .string(id), "createdAt": 1, "level": .integer(level)]
        return (.categories, parent.map { record.adding("parentId", .string($0)) } ?? record)
    }

    private static func story(_ id: String) -> (RecordKind, JSONValue) {
        (.stories, ["id": .string(id), "createdAt": 1, "content": "*words*", "syncStatus": "synced"])
    }

    private static func medium(_ id: String, _ members: [String: JSONValue] = [:]) -> (RecordKind, JSONValue) {
        let record: [String: JSONValue] = [
            "id": .string(id), "type": "image", "fileName": .string("\(id).jpg"), "encryptionKeyId": "k",
            "createdAt": 1, "fileSize": 0,
        ]
        return (.media, .object(record.merging(members) { $1 }))
    }

    private static func relation(_ story: String, _ category: String) -> (RecordKind, JSONValue) {
        (.relations, ["storyId": .string(story), "categoryId": .string(category)])
    }

    @Test("a snapshot of a journal builds the same journal, whose stories are found and whose media open")
    func roundTrip() async throws {
        let scene = try JournalScene()
        _ = try await scene.repository.addCategory("Travel", under: nil, color: nil, icon: nil)
        let story = try await scene.repository.add(StoryDraft(title: "A", content: "alpha", categories: ["Travel"]))
            .story
        let removed = try await scene.repository.add(StoryDraft(content: "beta")).story
        _ = try await scene.repository.setRemoved(removed.id, true)
        let photo = try scene.file("a.png", FixedPictures.signature)
        let medium = try await scene.repository.attach(photo.path, to: story.id)
        _ = try await scene.repository.set("theme", type: "string", value: "dark")
        let site = try Site()
        let snapshot = try JournalSnapshot(scene.repository)
        let (files, broken) = try snapshot.files()
        #expect(files.count == 2 && broken.isEmpty && files.allSatisfy { $0.sha256 != nil && $0.crc32 != nil })
        #expect(snapshot.masterKey == [UInt8](repeating: 7, count: 32))
        for file in files {
            try site.file(file.path.text, 0)
            try Data(contentsOf: snapshot.url(of: file.path)).write(to: site.vault.url(file.path))
        }
        var records: [(RecordKind, JSONValue)] = []
        for kind in RecordKind.allCases { try snapshot.forEach(kind) { records.append((kind, $0)) } }
        let report = try site.build(records)
        #expect(report.counts == (try snapshot.counts()) && report.brokenCount == 0 && report.orphanCount == 0)
        #expect(report.counts.stories == 2)
        let again = try await site.read { reading in
            var all: [JSONValue] = []
            for kind in RecordKind.allCases { try reading.forEach(kind) { all.append($0.record) } }
            return all
        }
        #expect(again == records.map(\.1))
        // The words are left for whoever opens the journal.
        #expect(try await site.read { try $0.hasUnindexed() })
        let opened = try site.opened()
        #expect(try await opened.list(StoryQuery(words: "alpha"), in: nil).stories.count == 1)
        #expect(try await opened.list(StoryQuery(words: "beta"), in: nil).stories.isEmpty)
        #expect(try await opened.store.read { try !$0.hasUnindexed() })
        try await opened.close()
        try site.vault.reader(try #require(medium.path), keyId: medium.keyId).check()
    }

    @Test("records are read again from behind any of them, and until they are enough")
    func resumed() async throws {
        let scene = try JournalScene()
        for name in ["a", "b", "c"] {
            _ = try await scene.repository.addCategory(name, under: nil, color: nil, icon: nil)
        }
        for number in 0..<3 {
            _ = try await scene.repository.add(StoryDraft(content: "\(number)", categories: ["a", "b", "c"]))
            _ = try await scene.repository.set("key\(number)", type: "int", value: "1")
        }
        let snapshot = try JournalSnapshot(scene.repository)
        for kind in RecordKind.allCases {
            var all: [(key: String, record: JSONValue)] = []
            try snapshot.read(kind, after: nil) { key, record in
                all.append((key, record))
                return true
            }
            #expect(all.count == (try snapshot.counts()[kind]))
            for (index, one) in all.enumerated() {
                var next: [JSONValue] = []
                try snapshot.read(kind, after: one.key) { _, record in
                    next.append(record)
                    return next.count < 2
                }
                #expect(next == all.dropFirst(index + 1).prefix(2).map(\.record), "\(kind)")
            }
        }
    }

    @Test("#28: what is written after a snapshot began is not in it")
    func frozen() async throws {
        let scene = try JournalScene()
        _ = try await scene.repository.add(StoryDraft(content: "before"))
        let snapshot = try JournalSnapshot(scene.repository)
        _ = try await scene.repository.add(StoryDraft(content: "after"))
        #expect(try snapshot.counts().stories == 1)
        #expect(try JournalSnapshot(scene.repository).counts().stories == 2)
    }

    @Test("#15: a file that changed its size since it was saved, is empty or is gone is named with its reason")
    func brokenSources() async throws {
        let scene = try JournalScene()
        let story = try await scene.repository.add(StoryDraft(content: "a")).story
        var media: [Medium] = []
        for number in 0..<4 {
            let file = try scene.file("f\(number).txt", "text \(number)")
            media.append(try await scene.repository.attach(file.path, to: story.id))
        }
        let vault = try scene.repository.vault
        let urls = try media.map { vault.url(try #require($0.path)) }
        try FileManager.default.removeItem(at: urls[0])
        try Data().write(to: urls[1])
        try Data(count: 7).write(to: urls[2])
        let (files, broken) = try JournalSnapshot(scene.repository).files()
        #expect(files.map(\.path) == [media[3].path])
        let reasons = Dictionary(uniqueKeysWithValues: broken.map { ($0.mediaId, $0.reason) })
        #expect(reasons == [media[0].id: .fileNotFound, media[1].id: .empty, media[2].id: .sizeMismatch])
        #expect(broken.allSatisfy { $0.storyId == story.id })
    }

    @Test("#16: a file without a path is found by its name, which only one file may have")
    func byName() async throws {
        let site = try Site()
        try site.file("Images/2020/01/m1.jpg", 5)
        try site.file("Images/2020/02/m1_thumb.jpg", 5)
        _ = try site.build([Self.medium("m1", ["thumbnailFileName": "m1_thumb.jpg"])])
        let medium = try await site.read { try $0.medium("m1") }
        #expect(medium?.path?.text == "Images/2020/01/m1.jpg")
        #expect(medium?.thumbnailPath?.text == "Images/2020/02/m1_thumb.jpg" && medium?.broken == nil)
        let other = try Site()
        try other.file("Images/2020/01/m1.jpg", 5)
        try other.file("Images/2020/02/m1.jpg", 5)
        #expect(throws: JournalError.badRecord(.media, member: "relativePath")) { try other.build([Self.medium("m1")]) }
    }

    @Test("#17: a record without its file stays and is reported, and so does a file without its record")
    func missingAndOrphaned() async throws {
        let site = try Site()
        try site.file("Images/2020/01/lost.jpg", 5)
        try site.file("Videos/2020/01/empty.mov", 0)
        let report = try site.build([
            Self.story("s"), Self.medium("gone", ["storyId": "s"]), Self.medium("empty", ["fileName": "empty.mov"]),
            Self.medium("away", ["storyId": "nobody"]),
        ])
        #expect(report.counts.media == 3 && report.brokenCount == 3 && report.detachedMedia == 1)
        #expect(report.broken.map(\.mediaId) == ["away", "empty", "gone"])
        #expect(report.broken.map(\.reason) == [.fileNotFound, .empty, .fileNotFound])
        #expect(report.broken.last?.storyId == "s")
        #expect(report.orphans.map(\.text) == ["Images/2020/01/lost.jpg"] && report.orphanCount == 1)
        let gone = try await site.read { try $0.medium("gone") }
        #expect(gone?.broken == .fileNotFound)
    }

    @Test("#20: stories count as not synchronised, unless asked, and settings of one device stay there")
    func settings() async throws {
        func setting(_ key: String) -> (RecordKind, JSONValue) {
            (.settings, ["key": .string(key), "type": "bool", "value": "true", "updatedAt": 1])
        }
        let records = [
            setting("theme"), setting("BiometricLock"), setting("push.token"), setting("migration.state"),
            Self.story("s"),
        ]
        let site = try Site()
        let report = try site.build(records)
        #expect(report.counts.settings == 1 && report.skippedSettings == 3)
        let reset = try await site.read { try $0.story("s") }
        #expect(reset?.syncStatus == "pending")
        let kept = try Site()
        _ = try kept.build(records, JournalBuilder.Options(resetSyncStatus: false))
        let same = try await kept.read { try $0.story("s") }
        #expect(same?.syncStatus == "synced")
        let scene = try JournalScene()
        _ = try await scene.repository.set("push.token", type: "string", value: "secret")
        #expect(try JournalSnapshot(scene.repository).counts().settings == 0)
        #expect(try scene.records()[.settings] == nil)
    }

    @Test("#22: parents may come behind what is inside of them, and levels follow from parents")
    func levels() async throws {
        let site = try Site()
        let report = try site.build([
            Self.category("c", in: "b", level: 3), Self.category("b", in: "a", level: 9), Self.category("a", level: 0),
        ])
        #expect(report.correctedLevels == 2)
        let levels = try await site.read { try $0.categories().map { "\($0.id)\($0.level)" } }
        #expect(levels == ["a1", "b2", "c3"])
    }

    @Test("#22: parents in a circle, parents that are not there, and trees that are too deep are refused")
    func badTrees() {
        #expect(throws: JournalError.categoryCycle) {
            try Site().build([Self.category("a", in: "b"), Self.category("b", in: "a")])
        }
        #expect(throws: JournalError.categoryCycle) { try Site().build([Self.category("a", in: "a")]) }
        #expect(throws: JournalError.unknownParent) { try Site().build([Self.category("a", in: "x")]) }
        let deep = (0...JournalLimits.depth).map { Self.category("c\($0)", in: $0 == 0 ? nil : "c\($0 - 1)") }
        #expect(throws: JournalError.categoryCycle) { try Site().build(deep) }
        #expect(throws: JournalError.categoryCycle) { try Site().build(deep.reversed()) }
    }

    @Test("#22: a relation that comes twice is dropped and counted; one that names nothing is refused")
    func relations() throws {
        let base = [Self.category("c"), Self.story("s")]
        let report = try Site().build(base + [Self.relation("s", "c"), Self.relation("s", "c")])
        #expect(report.counts.relations == 1 && report.droppedRelations == 1)
        for wrong in [Self.relation("s", "x"), Self.relation("x", "c")] {
            #expect(throws: JournalError.danglingRecord(.relations)) { try Site().build(base + [wrong]) }
        }
    }

    @Test(
        "a built database is one file that only its owner reads, and other sums than a record's are no reason to refuse it"
    )
    func oneFile() throws {
        let site = try Site()
        _ = try site.build([Self.story("s"), Self.medium("m", ["crc32": 4_294_967_295])])
        let names = try FileManager.default.contentsOfDirectory(atPath: site.folder.path).sorted()
        #expect(names == ["Media", "db.sqlite"])
        let path = site.folder.appending(path: "db.sqlite").path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        #expect(throws: JournalError.badRecord(.media, member: "crc32")) {
            try Site().build([Self.medium("m", ["crc32": 4_294_967_296])])
        }
    }

    @Test("records of many groups are all there, and one that comes twice in another group is refused")
    func groups() throws {
        let many = (0..<4100).map { Self.story("s\($0)") }
        #expect(try Site().build(many).counts.stories == 4100)
        #expect(throws: JournalError.duplicateRecord(.stories)) { try Site().build(many + [Self.story("s0")]) }
    }

    @Test("records out of order, records that come twice, and a folder that holds a database are refused")
    func order() throws {
        #expect(throws: JournalError.badRecord(.categories, member: "order")) {
            try Site().build([Self.story("s"), Self.category("c")])
        }
        let setting: (RecordKind, JSONValue) = (.settings, ["key": "k", "type": "int", "value": "1", "updatedAt": 1])
        for twice in [setting, Self.category("c"), Self.story("s"), Self.medium("m")] {
            #expect(throws: JournalError.duplicateRecord(twice.0)) { try Site().build([twice, twice]) }
        }
        let site = try Site()
        _ = try site.build([])
        #expect(throws: JournalError.self) { try site.build([]) }
    }

    @Test("the files of a package build a journal, and its key is proved by its media; another key is told")
    func files() async throws {
        let scene = try JournalScene()
        let story = try await scene.repository.add(StoryDraft(content: "a")).story
        for number in 0..<3 {
            let file = try scene.file("f\(number).txt", "text \(number)")
            _ = try await scene.repository.attach(file.path, to: story.id)
        }
        let (site, snapshot) = (try Site(), try JournalSnapshot(scene.repository))
        for file in try snapshot.files().files {
            try site.file(file.path.text, 0)
            try Data(contentsOf: snapshot.url(of: file.path)).write(to: site.vault.url(file.path))
        }
        for kind in RecordKind.allCases {
            var texts: [String] = []
            try snapshot.forEach(kind) { texts.append($0.canonicalText) }
            try scene.file(kind.fileName, "[\(texts.joined(separator: ","))]")
        }
        let report = try JournalBuilder.build(
            generation: site.folder,
            records: { scene.folder.appending(path: $0.fileName) },
            media: site.vault
        )
        #expect(report.counts == (try snapshot.counts()) && report.counts.media == 3 && report.brokenCount == 0)
        let proof = try MediaProof(of: site.folder, site.vault)
        #expect(proof.opened == 3 && proof.damaged.isEmpty && !proof.isKeyWrong)
        let other = MediaVault(site.vault.folder, keys: try MediaKeys(master: [UInt8](repeating: 9, count: 32)))
        let wrong = try MediaProof(of: site.folder, other)
        #expect(wrong.opened == 0 && wrong.damagedCount == 3 && wrong.isKeyWrong)
        let third = try Site()
        try scene.file("stories.json", "[{\"id\":\"s\",\"createdAt\":1}")
        #expect(throws: JournalError.badRecord(.stories, member: "array")) {
            try JournalBuilder.build(
                generation: third.folder,
                records: { $0 == .stories ? scene.folder.appending(path: $0.fileName) : nil },
                media: third.vault
            )
        }
    }
}
