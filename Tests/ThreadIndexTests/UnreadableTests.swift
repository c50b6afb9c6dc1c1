import AgentHistory
import Conversations
import Foundation
import Kernel
import Testing

@testable import ThreadIndex

@Suite("Threads: files that are not read", .timeLimit(.minutes(4))) struct UnreadableThreadTests {
    private static let blank = [UInt8](repeating: 0x0A, count: 65 << 20)
    private static let thread = ThreadReference(agent: .codex, id: Rollout.id(1))

    private static func packed(_ lines: [String]) throws -> [UInt8] {
        try ThreadHome.packed(Array(lines.map { $0 + "\n" }.joined().utf8) + blank)
    }

    @Test(
        "a thread whose file unpacks to too much is listed as such, is not opened again, and gets a chance when the file changes"
    )
    func tooLarge() async throws {
        let home = try ThreadHome()
        let name = Rollout.name(1) + ".zst"
        try home.write(name, Self.packed([]), date: 1_790_000_000_000)
        do {
            let index = try home.index([home.codex])
            try await index.catchUp()
            let all = try await index.all()
            #expect(all.map(\.unreadable) == [.tooLarge] && all.map(\.id) == [Rollout.id(1)])
            #expect(try await index.titles() == ["[Too large to be read]"])
            await #expect(throws: ThreadIndexError.unreadable(Self.thread)) {
                try await index.lastPage(of: Self.thread, before: nil, limits: PageLimits())
            }
        }
        let reader = home.codex
        let again = try home.index([reader])
        try await again.catchUp()
        #expect(try await again.all().map(\.unreadable) == [.tooLarge])
        await #expect(throws: ThreadIndexError.unreadable(Self.thread)) {
            try await again.page(of: Self.thread, from: .start, limits: PageLimits())
        }
        #expect(reader.takeOpened().filter { $0.hasSuffix(name) }.isEmpty)
        try home.write(name, ThreadHome.packed(Array((Rollout.meta(1) + "\n" + Rollout.user("small") + "\n").utf8)))
        try await again.catchUp()
        #expect(try await again.all().map(\.unreadable) == [nil])
        #expect(try await again.titles() == ["small"])
        #expect(try await again.lastPage(of: Self.thread, before: nil, limits: PageLimits()).items.count == 1)
    }

    @Test("one whose beginning can be read keeps its title, and says that it is too large once its text was looked for")
    func tooLargeText() async throws {
        let home = try ThreadHome()
        try home.write(
            Rollout.name(1) + ".zst",
            Self.packed([Rollout.meta(1), Rollout.user("needle")]),
            date: 1_790_000_000_000
        )
        let index = try home.index([home.codex])
        var changes = index.changes().makeAsyncIterator()
        try await index.catchUp()
        let thread = try #require(try await index.all().first)
        #expect(thread.title == "needle" && thread.unreadable == .tooLarge)
        while let change = await changes.next() {
            guard case .changed(let told) = change, told.unreadable != nil else { continue }
            #expect(told == thread)
            break
        }
        #expect(try await index.found("needle") == ["title: [needle]"])
    }

    @Test("what a file may cost is kept in its row: a restart does not begin again, a change of the file does")
    func budget() async throws {
        let home = try ThreadHome()
        try home.write(
            Rollout.name(1),
            [Rollout.meta(1)] + (0..<300).map { Rollout.user("needle \($0)", second: $0) }
        )
        let path = home.path(Rollout.name(1))
        do {
            let index = try ThreadIndex(
                IndexDatabase(folder: home.cache, logger: ThreadHome.quiet),
                readers: [home.codex],
                watch: nil,
                time: .system,
                textBudget: .zero,
                logger: ThreadHome.quiet
            )
            try await index.catchUp()
            // Listing it has cost something already.
            #expect(try await index.found("needle") == ["title: [needle] 0"])
            #expect(try await index.lastPage(of: Self.thread, before: nil, limits: PageLimits()).items.count == 100)
        }
        let reader = home.codex
        let index = try home.index([reader])
        try await index.catchUp()
        #expect(try await index.found("needle") == ["title: [needle] 0"])
        #expect(reader.takeOpened().filter { $0.hasSuffix(path) }.isEmpty)
        try home.append(Rollout.name(1), [Rollout.agent("needle at last", second: 301)])
        try await index.catchUp()
        #expect(try await index.found("last") == ["agent: needle at [last]"])
    }

    @Test("the words that a fork begins with are found in its parent alone")
    func forks() async throws {
        let home = try ThreadHome()
        let parent = [Rollout.meta(1), Rollout.user("needle parent", second: 1), Rollout.agent("answer", second: 2)]
        let end = parent.reduce(0) { $0 + $1.utf8.count + 1 }
        try home.write(Rollout.name(1), parent)
        try home.write(
            Rollout.name(2),
            [
                Rollout.meta(
                    2,
                    [
                        "forked_from_id": .string(Rollout.id(1)),
                        "history_base": [
                            "thread_id": .string(Rollout.id(1)), "end_byte_offset": .integer(Int64(end)),
                        ],
                    ]
                ), Rollout.user("needle fork", second: 3),
            ]
        )
        let index = try home.index([home.codex])
        try await index.catchUp()
        let found = try await index.found("needle").filter { !$0.hasPrefix("title") }
        #expect(found == ["user: [needle] fork", "user: [needle] parent"])
        let fork = ThreadReference(agent: .codex, id: Rollout.id(2))
        #expect(try await index.lastPage(of: fork, before: nil, limits: PageLimits()).items.count == 3)
        try home.append(Rollout.name(2), [Rollout.agent("needle again", second: 4)])
        try await index.catchUp()
        #expect(try await index.found("needle").filter { $0.hasPrefix("agent") } == ["agent: [needle] again"])
    }
}
