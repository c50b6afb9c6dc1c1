import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("Deleted stories that go for good", .timeLimit(.minutes(3)))
struct PurgeTests {
    /// A story with a picture that is deleted, and one that is not.
    private func filled() async throws -> (scene: JournalScene, deleted: String, urls: [URL]) {
        let scene = try JournalScene()
        let repository = scene.repository
        _ = try await repository.addCategory("Travel", under: nil, color: nil, icon: nil)
        let story = try await repository.add(StoryDraft(content: "alpha", categories: ["Travel"])).story
        _ = try await repository.add(StoryDraft(content: "beta"))
        let photo = try scene.file("a.png", FixedPictures.signature)
        let medium = try await repository.attach(photo.path, to: story.id)
        _ = try await repository.setRemoved(story.id, true)
        let vault = try repository.vault
        let urls = try [medium.path, medium.thumbnailPath].map { vault.url(try #require($0)) }
        return (scene, story.id, urls)
    }

    private func areThere(_ urls: [URL]) -> [Bool] { urls.map { FileManager.default.fileExists(atPath: $0.path) } }

    @Test("their records and their files go, and others stay")
    func purge() async throws {
        let (scene, deleted, urls) = try await filled()
        #expect(areThere(urls) == [true, true])
        #expect(try await scene.repository.purge(String(deleted.prefix(8))) == 1)
        #expect(areThere(urls) == [false, false])
        let counts = try await scene.repository.store.read { try $0.counts() }
        #expect(counts.stories == 1 && counts.media == 0 && counts.relations == 0 && counts.categories == 1)
        #expect(try await scene.stories(StoryQuery(words: "beta")).count == 1)
        #expect(try await scene.repository.store.read { try $0.unusedFiles(limit: 9).unused } == [])
    }

    @Test("a story that is not deleted is refused, and of all that are deleted only the older ones go")
    func bounds() async throws {
        let (scene, deleted, _) = try await filled()
        let other = try #require(try await scene.stories().first?.id)
        await #expect(throws: JournalError.notDeleted) { try await scene.repository.purge(other) }
        let moment = try await scene.repository.detail(deleted).story.updatedAt
        #expect(try await scene.repository.purge(deletedBefore: moment) == 0)
        #expect(try await scene.repository.purge(deletedBefore: moment + 1) == 1)
        await #expect(throws: JournalError.unknownStory) { try await scene.repository.purge(deleted) }
    }

    @Test("#28: files that a snapshot names stay as long as it is there, and go at the next occasion")
    func held() async throws {
        let (scene, _, urls) = try await filled()
        var snapshot: JournalSnapshot? = try JournalSnapshot(scene.repository)
        #expect(try await scene.repository.purge(deletedBefore: .max) == 1)
        #expect(areThere(urls) == [true, true])
        #expect(try snapshot?.files().files.count == 2 && snapshot?.files().broken == [])
        snapshot = nil
        try await scene.repository.removeUnusedFiles()
        #expect(areThere(urls) == [false, false])
    }

    @Test("a file that another record names, too, stays")
    func shared() async throws {
        let (scene, deleted, urls) = try await filled()
        try await scene.repository.change { writing in
            var medium = try #require(try writing.reading.media(of: deleted).first)
            (medium.id, medium.storyId, medium.thumbnailPath) = ("other", nil, nil)
            try writing.put(medium)
        }
        #expect(try await scene.repository.purge(deletedBefore: .max) == 1)
        #expect(areThere(urls) == [true, false])
        #expect(try await scene.repository.store.read { try $0.unusedFiles(limit: 9).named } == [])
    }
}
