import Conversations
import Foundation
import Kernel
import Testing

@testable import AgentHistory

@Suite("Files that are not read", .timeLimit(.minutes(4))) struct UnreadableTests {
    /// Text of which a file of a few kilobytes unpacks to more than is read.
    private static let blank = [UInt8](repeating: 0x0A, count: Int(UnpackedBytes.smallLimit) + (1 << 20))

    @Test("a file that unpacks to too much is listed by its name, and says why it cannot be opened")
    func tooLarge() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Rollout.name + ".zst", HistoryHome.packed(Self.blank))
        let listing = home.codex.threads()
        let thread = try #require(listing.threads.first)
        #expect(listing.threads.count == 1)
        #expect(thread.id == Rollout.id && thread.agent == .codex)
        #expect(thread.title == "[Too large to be read]")
        #expect(thread.unreadable == .tooLarge)
        #expect(thread.isInteractive)
        #expect(thread.updatedMilliseconds == 1_790_000_000_123)
        #expect(throws: AgentHistoryError.tooLarge(path: thread.path, limit: UnpackedBytes.smallLimit)) {
            try home.codex.lastPage(of: thread.path)
        }
    }

    @Test("an object of the oldest program that is larger than is read is listed, too")
    func largeObject() throws {
        let home = try HistoryHome()
        let bytes = [UInt8](repeating: 0x20, count: Int(CodexHistory.objectLimit) + 1)
        try home.write(".codex/sessions/rollout-2025-05-01-\(Rollout.id).json", bytes)
        #expect(home.codex.threads().threads.map(\.unreadable) == [.tooLarge])
        #expect(home.codex.threads().threads.map(\.id) == [Rollout.id])
    }

    @Test("a file whose time is used up is read no further, packed or not", arguments: ["", ".zst"])
    func budget(ending: String) throws {
        let home = try HistoryHome()
        let lines = [Rollout.meta(), Rollout.user("Hello")]
        let name = Rollout.day + Rollout.name + ending
        let path = try ending.isEmpty ? home.write(name, lines: lines) : home.write(name, packed: lines)
        let spent = try HistoryFile.open(path, budget: ReadingBudget(.zero))
        #expect(throws: AgentHistoryError.tooCostly(path: path)) { try spent.bytes(at: 0, count: 10) }
        #expect(try HistoryFile.open(path).bytes(at: 0, count: 10).count == 10)
    }

    @Test("only errors about how much a file holds say that it cannot be opened")
    func reasons() {
        #expect(AgentThread.Unreadable(.tooLarge(path: "/a", limit: 1)) == .tooLarge)
        #expect(AgentThread.Unreadable(.tooCostly(path: "/a")) == .tooCostly)
        for error in [
            AgentHistoryError.notFound(path: "/a"), .denied(path: "/a"), .damaged(path: "/a", reason: ""),
            .system(path: "/a", reason: ""),
        ] {
            #expect(AgentThread.Unreadable(error) == nil)
        }
    }
}
