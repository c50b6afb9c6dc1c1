import Foundation
import Kernel
import Testing

@testable import Journal

@Suite("Words that are left for later", .timeLimit(.minutes(3)))
struct WordIndexTests {
    private static func story(_ id: String, _ text: String) -> Story {
        Story(id: id, content: text, plainText: text, createdAt: 1, updatedAt: 1, happenedAt: 1)
    }

    private static func found(_ words: String, in scene: JournalScene) async throws -> [String] {
        try await scene.stories(StoryQuery(words: words)).map(\.id).sorted()
    }

    @Test("a search waits for them, so that it never says that there is nothing where there is something")
    func searched() async throws {
        let scene = try JournalScene()
        try await scene.repository.change { writing in
            for number in 0..<3 { try writing.put(Self.story("s\(number)", "alpha n\(number)"), indexing: .later) }
        }
        #expect(try await scene.repository.store.read { try $0.hasUnindexed() })
        #expect(try await Self.found("alpha", in: scene) == ["s0", "s1", "s2"])
        #expect(try await scene.repository.store.read { try !$0.hasUnindexed() })
    }

    @Test("a story that waits and is changed or deleted meanwhile is found as it is then, and once")
    func changed() async throws {
        let scene = try JournalScene()
        try await scene.repository.change { writing in
            for id in ["a", "b", "c"] { try writing.put(Self.story(id, "before"), indexing: .later) }
            try writing.put(Self.story("a", "after"))
        }
        _ = try await scene.repository.setRemoved("b", true)
        #expect(try await Self.found("before", in: scene) == ["c"])
        #expect(try await Self.found("after", in: scene) == ["a"])
        // One that was in the index, and waits again.
        try await scene.repository.change { try $0.put(Self.story("c", "later"), indexing: .later) }
        #expect(try await Self.found("later", in: scene) == ["c"])
        #expect(try await Self.found("before", in: scene) == [])
        _ = try await scene.repository.setRemoved("b", false)
        #expect(try await Self.found("before", in: scene) == ["b"])
    }

    @Test("they come in groups, each of which stays where the next does not come to its end")
    func groups() async throws {
        let scene = try JournalScene()
        try await scene.repository.change { writing in
            for number in 0..<5001 { try writing.put(Self.story("s\(number)", "alpha"), indexing: .later) }
        }
        #expect(try await scene.repository.change { try $0.indexSome() })
        #expect(try await scene.repository.change { try !$0.indexSome() })
        #expect(try await scene.repository.change { try !$0.indexSome() })
        #expect(try await scene.stories(StoryQuery(words: "alpha", limit: 6000)).count == 5001)
    }

    @Test("an import leaves none")
    func imported() async throws {
        let scene = try JournalScene()
        try scene.file("notes/a.md", "# Hills\n\nhigh")
        #expect(try await scene.bring("notes").added == 1)
        #expect(try await scene.repository.store.read { try !$0.hasUnindexed() })
        #expect(try await Self.found("high", in: scene).count == 1)
    }
}
