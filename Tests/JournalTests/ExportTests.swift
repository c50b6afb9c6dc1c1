import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("A journal's plain export", .timeLimit(.minutes(3)))
struct ExportTests {
    /// A journal with something of everything.
    private func filled() async throws -> JournalScene {
        let scene = try JournalScene()
        let repository = scene.repository
        _ = try await repository.addCategory("Travel", under: nil, color: "#FF0000", icon: nil)
        _ = try await repository.addCategory("Italy", under: "Travel", color: nil, icon: nil)
        let story = try await repository.add(
            StoryDraft(
                title: "Rome / \"forever\"",
                content: "text",
                mood: "glad",
                locationName: "Forum",
                place: StoryPlace(latitude: 41.9, longitude: 12.5, horizontalAccuracy: 3),
                categories: ["Italy"]
            )
        ).story
        let photo = try scene.file("a.png", FixedPictures.signature + [UInt8](repeating: 5, count: 70_000))
        let medium = try await repository.attach(photo.path, to: story.id)
        let note = try scene.file("b.txt", "attached")
        _ = try await repository.attach(note.path, to: story.id)
        _ = try await repository.edit(story.id, StoryDraft(content: "See ![wall](media://\(medium.id))."))
        let removed = try await repository.add(StoryDraft(content: "gone")).story
        _ = try await repository.setRemoved(removed.id, true)
        _ = try await repository.set("theme", type: "string", value: "dark")
        try await repository.change { writing in
            var story = try #require(try writing.reading.story(story.id))
            story.extra = ["future": ["a": 1]]
            try writing.put(story)
        }
        return scene
    }

    @Test("comes into an empty journal again, and that one exports the same records and the same media")
    func roundTrip() async throws {
        let scene = try await filled()
        let report = try await scene.export("out")
        #expect(report.stories == 1 && report.media == 2 && report.broken == [])
        let other = try JournalScene(master: [UInt8](repeating: 8, count: 32))
        let brought = try await ImportRun(repository: other.repository, folder: other.folder)
            .run(scene.folder.appending(path: "out").path, as: nil)
        #expect(brought.format == .tandem && brought.added == 2 && brought.addedMedia == 2 && brought.problems == [])
        _ = try await other.export("out")
        #expect(try other.text("out/journal.json") == scene.text("out/journal.json"))
        let (one, two) = (try Self.files(of: scene), try Self.files(of: other))
        #expect(one == two && one.count == 4)
        for path in one {
            let bytes = [scene, other].map { try? Data(contentsOf: $0.folder.appending(path: "out/\(path)")) }
            #expect(bytes[0] != nil && bytes[0] == bytes[1], "\(path)")
        }
    }

    private static func files(of scene: JournalScene) throws -> [String] {
        try ImportFolder(scene.folder.appending(path: "out")).paths
    }

    @Test("comes into its own journal without a change")
    func unchanged() async throws {
        let scene = try await filled()
        _ = try await scene.export("out")
        let records = try scene.records()
        let report = try await scene.bring("out")
        #expect(report.added == 0 && report.updated == 0 && report.unchanged == 2 && report.unchangedMedia == 2)
        #expect(try scene.records() == records)
    }

    @Test("holds Markdown that other programs read: front matter, and links to the files beside it")
    func markdown() async throws {
        let scene = try await filled()
        _ = try await scene.export("out")
        let paths = try Self.files(of: scene)
        let path = try #require(paths.first { $0.hasSuffix(".md") })
        #expect(path.hasPrefix("stories/2026/2026-11-28 Rome forever "))
        let text = try scene.text("out/\(path)")
        let (matter, body) = FrontMatter.split(text)
        #expect(matter?.first("title") == "Rome / \"forever\"" && matter?.all("categories") == ["Travel/Italy"])
        #expect(matter?.first("date") == "2026-11-28T10:00:00.000Z" && matter?.first("latitude") == "41.9")
        #expect(body.contains("![wall](../../media/Images/2026/11/"))
        let file = try #require(matter?.first("media"))
        #expect(file.hasPrefix("../../media/Files/2026/11/") && file.hasSuffix(".txt"))
        // Without journal.json the Markdown is a journal, too.
        try FileManager.default.removeItem(at: scene.folder.appending(path: "out/journal.json"))
        let other = try JournalScene()
        let report = try await ImportRun(repository: other.repository, folder: other.folder)
            .run(scene.folder.appending(path: "out").path, as: nil)
        #expect(report.format == .markdown && report.added == 1 && report.addedMedia == 2)
        let story = try #require(try await other.stories().first)
        #expect(story.id == (try await scene.stories().first?.id) && story.title == "Rome / \"forever\"")
        #expect(story.updatedAt == (try await scene.stories().first?.updatedAt))
    }

    @Test("a damaged medium is named, and everything else is exported")
    func damaged() async throws {
        let scene = try await filled()
        let detail = try await scene.repository.detail(try #require(try await scene.stories().first?.id))
        let medium = try #require(detail.media.first { $0.kind == .image })
        let url = try scene.repository.vault.url(#require(medium.path))
        var bytes = try Data(contentsOf: url)
        bytes[100] ^= 1
        try bytes.write(to: url)
        let report = try await scene.export("out")
        #expect(report.media == 1 && report.stories == 1)
        #expect(report.broken.map(\.mediaId) == [medium.id] && report.broken.map(\.reason) == [.readError])
        await #expect(throws: JournalError.folderInUse(path: scene.folder.appending(path: "out").path)) {
            try await scene.export("out")
        }
    }

    @Test("records that cannot be read are named, and a newer form is refused")
    func wrongExports() async throws {
        let scene = try JournalScene()
        let head = "\"format\":\"tandem-journal\",\"version\":1,\"schemaVersion\":1"
        try scene.file(
            "in/journal.json",
            "{\(head),\"stories\":[{\"id\":\"a\",\"createdAt\":1,\"content\":\"x\"},{\"id\":\"b\"}],"
                + "\"media\":[{\"id\":\"m\",\"type\":\"image\",\"fileName\":\"m.jpg\",\"encryptionKeyId\":\"k\",\"createdAt\":1,"
                + "\"storyId\":\"a\",\"file\":\"../../etc/passwd\"}],\"relations\":[{\"storyId\":\"a\",\"categoryId\":\"none\"}]}"
        )
        let report = try await scene.bring("in")
        #expect(report.added == 1 && report.addedMedia == 0 && report.problemCount == 3)
        #expect(Set(report.problems.map(\.item)) == ["stories b", "relations 1", "passwd"])
        try scene.file("in/journal.json", "{\"format\":\"tandem-journal\",\"version\":2}")
        await #expect(throws: JournalError.needsUpdate(theirs: 2, ours: 1)) { try await scene.bring("in") }
        try scene.file("in/journal.json", "{\"format\":\"tandem-journal\",\"version\":1,\"schemaVersion\":5}")
        await #expect(throws: JournalError.needsUpdate(theirs: 5, ours: 1)) { try await scene.bring("in") }
    }
}
