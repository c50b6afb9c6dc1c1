import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Journal

@Suite("A journal that another one replaces", .timeLimit(.minutes(3)))
struct JournalRestTests {
    @Test("rests while it is closed: everything is refused, also what was asked of the old one")
    func rests() async throws {
        let scene = try JournalScene()
        let story = try await scene.repository.add(StoryDraft(content: "alpha")).story
        let store = try scene.repository.store
        try await scene.repository.close()
        try await scene.repository.close()
        await #expect(throws: JournalError.resting) { try await scene.repository.detail(story.id) }
        await #expect(throws: JournalError.resting) { try await scene.repository.add(StoryDraft(content: "x")) }
        await #expect(throws: JournalError.resting) { try await scene.repository.indexWords() }
        #expect(throws: JournalError.resting) { try JournalSnapshot(scene.repository) }
        // Who asked before it was closed.
        await #expect(throws: JournalError.resting) { try await store.read { try $0.counts() } }
    }

    @Test("counts what was written since a moment")
    func changes() async throws {
        let scene = try JournalScene()
        _ = try await scene.repository.add(StoryDraft(content: "alpha"))
        let moment = JournalScene.start
        #expect(try await scene.repository.changes(since: moment) == 0)
        #expect(try await scene.repository.changes(since: moment - 1) == 1)
        scene.clock.advance(by: .seconds(1))
        _ = try await scene.repository.set("theme", type: "string", value: "dark")
        _ = try await scene.repository.addCategory("Travel", under: nil, color: nil, icon: nil)
        #expect(try await scene.repository.changes(since: moment) == 2)
    }
}
