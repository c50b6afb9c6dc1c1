import Conversations
import Foundation
import Kernel
import Testing

@testable import AgentHistory

@Suite("Codex: forks that hold only what is new", .timeLimit(.minutes(4))) struct CodexForkTests {
    private static let parent = "0199a1b2-c3d4-7e5f-8a9b-000000000001"
    private static let child = "0199a1b2-c3d4-7e5f-8a9b-000000000002"
    private static let grandchild = "0199a1b2-c3d4-7e5f-8a9b-000000000003"

    private static let parentLines = [
        Rollout.meta(id: parent), Rollout.user("Parent question"), Rollout.agent("Parent answer"),
        Rollout.user("Later question"), Rollout.agent("Later answer"),
    ]

    private static func name(_ id: String) -> String { "rollout-2026-01-02T05-04-05-\(id).jsonl" }

    private static func length(_ lines: [String]) -> Int64 { Int64(lines.reduce(0) { $0 + $1.utf8.count + 1 }) }

    private static func fork(_ id: String, of base: String, at end: Int64, _ lines: [String]) -> [String] {
        let more: [String: JSONValue] = [
            "forked_from_id": .string(base),
            "history_base": [
                "thread_id": .string(base), "end_ordinal_exclusive": 3, "end_byte_offset": .integer(end),
            ],
        ]
        return [Rollout.meta(id: id, more)] + lines
    }

    private static let childLines = fork(
        child,
        of: parent,
        at: length(Array(parentLines.prefix(3))),
        [Rollout.user("Fork question"), Rollout.agent("Fork answer")]
    )

    private static let whole = ["Parent question", "Parent answer", "Fork question", "Fork answer"]

    @Test("a fork begins with its parent's text up to where it was forked, and the parent stays as it is")
    func fork() throws {
        let home = try HistoryHome()
        let parent = try home.write(Rollout.day + Self.name(Self.parent), lines: Self.parentLines)
        let child = try home.write(Rollout.day + Self.name(Self.child), lines: Self.childLines)
        let page = try home.codex.lastPage(of: child)
        #expect(page.items.map(\.said) == Self.whole && page.older == nil)
        #expect(try home.codex.page(of: child, from: .start).items == page.items)
        #expect(
            try home.codex.lastPage(of: parent).items.map(\.said)
                == ["Parent question", "Parent answer", "Later question", "Later answer"]
        )
        let threads = home.codex.threads().threads
        #expect(Set(threads.map(\.title)) == ["Parent question", "Fork question"])
        #expect(threads.first { $0.id == Self.child }?.parentID == Self.parent)
    }

    @Test("pages of every size are the same from both ends, and a cursor goes on when the fork grows")
    func pages() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Self.name(Self.parent), lines: Self.parentLines)
        let child = try home.write(Rollout.day + Self.name(Self.child), lines: Self.childLines)
        for size in 1...3 {
            var said: [String?] = []
            var older: ConversationCursor?
            repeat {
                let page = try home.codex.lastPage(of: child, before: older, limits: PageLimits(items: size))
                said = page.items.map(\.said) + said
                older = page.older
            } while older != nil
            #expect(said == Self.whole)
        }
        let end = try home.codex.lastPage(of: child).newer
        try home.write(Rollout.day + Self.name(Self.child), lines: Self.childLines + [Rollout.user("More")])
        #expect(try home.codex.page(of: child, from: end).items.map(\.said) == ["More"])
    }

    @Test("the parent may be compressed, archived, or a fork itself")
    func parents() throws {
        let home = try HistoryHome()
        try home.write(".codex/archived_sessions/" + Self.name(Self.parent) + ".zst", packed: Self.parentLines)
        try home.write(Rollout.day + Self.name(Self.child) + ".zst", packed: Self.childLines)
        let lines = Self.fork(
            Self.grandchild,
            of: Self.child,
            at: Self.length(Self.childLines),
            [Rollout.user("Grandchild question")]
        )
        let path = try home.write(Rollout.day + Self.name(Self.grandchild), lines: lines)
        #expect(try home.codex.lastPage(of: path).items.map(\.said) == Self.whole + ["Grandchild question"])
    }

    @Test("a fork whose parent is gone has what is its own, and says that something is missing")
    func gone() throws {
        let home = try HistoryHome()
        let child = try home.write(Rollout.day + Self.name(Self.child), lines: Self.childLines)
        let items = try home.codex.lastPage(of: child).items
        #expect(items.dropFirst().map(\.said) == ["Fork question", "Fork answer"])
        guard case .notice(let notice)? = items.first?.content else {
            Issue.record("nothing says so")
            return
        }
        #expect(notice.text.text.contains(Self.parent))
    }

    @Test("a parent that is shorter than it was, and forks of each other, are no reason to show nothing")
    func odd() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Self.name(Self.parent), lines: Array(Self.parentLines.prefix(2)))
        let child = try home.write(Rollout.day + Self.name(Self.child), lines: Self.childLines)
        #expect(
            try home.codex.lastPage(of: child).items.map(\.said) == ["Parent question", "Fork question", "Fork answer"]
        )
        let circle = try HistoryHome()
        let one = try circle.write(
            Rollout.day + Self.name(Self.parent),
            lines: Self.fork(Self.parent, of: Self.child, at: 100, [Rollout.user("One")])
        )
        try circle.write(
            Rollout.day + Self.name(Self.child),
            lines: Self.fork(Self.child, of: Self.parent, at: 100, [Rollout.user("Two")])
        )
        #expect(try circle.codex.lastPage(of: one).items.last?.said == "One")
    }

    @Test("a fork without words of its own is listed by its parent's")
    func untouched() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Self.name(Self.parent), lines: Self.parentLines)
        try home.write(
            Rollout.day + Self.name(Self.child),
            lines: Self.fork(Self.child, of: Self.parent, at: Self.length(Self.parentLines), [])
        )
        #expect(home.codex.threads().threads.map(\.title) == ["Parent question", "Parent question"])
    }
}
