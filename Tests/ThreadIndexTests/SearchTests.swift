import AgentHistory
import Conversations
import Foundation
import Kernel
import KernelTesting
import Storage
import Testing

@testable import ThreadIndex

@Suite("Threads: the search", .timeLimit(.minutes(4))) struct ThreadSearchTests {
    private func index(_ lines: [String], _ home: ThreadHome) async throws -> ThreadIndex {
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("opening words", second: 1)] + lines)
        let index = try home.index([home.codex])
        try await index.catchUp()
        return index
    }

    @Test("what people and agents said, commands and file names are found; outputs and thoughts are not")
    func kinds() async throws {
        let home = try ThreadHome()
        let index = try await index(
            [
                Rollout.user("please mend zebra", second: 10), Rollout.agent("zebra is mended", second: 11),
                Rollout.call("shell", ["command": ["bash", "-lc", "grep zebra src/"], "timeout": 5], second: 12),
                Rollout.output("zebra zebra", second: 13),
                Rollout.call(
                    "apply_patch",
                    ["input": "*** Begin Patch\n*** Update File: zebra/main.swift\n+hidden line\n*** End Patch"],
                    second: 14
                ),
                Rollout.line("event_msg", ["type": "agent_reasoning", "text": "thinking of zebra"], second: 15),
            ],
            home
        )
        let found = try await index.found("zebra")
        #expect(
            found == [
                "change: [zebra]/main.swift", "call: shell bash -lc grep [zebra] src/", "agent: [zebra] is mended",
                "user: please mend [zebra]",
            ]
        )
        #expect(try await index.found("hidden").isEmpty)
        #expect(try await index.found("opening") == ["title: [opening] words", "user: [opening] words"])
    }

    @Test("words as they are typed: the last one may go on, all have to be there")
    func typing() async throws {
        let home = try ThreadHome()
        let index = try await index([Rollout.agent("Compiling the LinuxFolderWatch.swift adapter", second: 20)], home)
        for query in [
            "compi", "COMPILING", "adapter comp", "the linuxfol", "linuxfolderwatch.sw", "linuxfolderwatch.swift",
        ] {
            #expect(try await index.found(query).count == 1, "\(query)")
        }
        #expect(
            try await index.found("compiling adapter") == ["agent: [Compiling] the LinuxFolderWatch.swift [adapter]"]
        )
        // A word that is finished by a space is whole; one letter is no beginning.
        for query in ["compi ", "compi adapter", "piling", "c", "compiling nothing"] {
            #expect(try await index.found(query).isEmpty, "\(query)")
        }
    }

    @Test("accents and capitals make no difference")
    func folding() async throws {
        let home = try ThreadHome()
        let index = try await index([Rollout.agent("Über die Brücke, déjà vu", second: 20)], home)
        for query in ["uber", "brucke", "BRÜCKE", "deja", "bru\u{308}cke"] {
            #expect(try await index.found(query).count == 1, "\(query)")
        }
    }

    @Test("Chinese and Japanese are found without spaces, from one character on")
    func ideographs() async throws {
        let home = try ThreadHome()
        let index = try await index(
            [
                Rollout.agent("修复构建错误，然后运行测试 build", second: 20),
                Rollout.agent("ビルドエラーを修正しました", second: 21), Rollout.agent("𠮷野家AI検索", second: 22),
            ],
            home
        )
        #expect(try await index.found("构建") == ["agent: 修复[构建]错误，然后运行测试 build"])
        #expect(try await index.found("测试 bui") == ["agent: 修复构建错误，然后运行[测试] [build]"])
        #expect(try await index.found("エラー") == ["agent: ビルド[エラー]を修正しました"])
        let one = ["agent: ビルドエラーを[修]正しました", "agent: [修]复构建错误，然后运行测试 build"]
        #expect(try await index.found("修") == one)
        #expect(try await index.found("ai検") == ["agent: 𠮷野家[AI検]索"])
        #expect(try await index.found("𠮷野") == ["agent: [𠮷野]家AI検索"])
        // The characters are there, in another order.
        #expect(try await index.found("建构").isEmpty)
    }

    @Test("marks are UTF-16 offsets of the snippet, also around signs of two units and of a long text")
    func marks() async throws {
        let home = try ThreadHome()
        let long = String(repeating: "🚀 filler ", count: 200) + "needle" + String(repeating: " more 🎉", count: 200)
        let index = try await index([Rollout.agent(long, second: 20)], home)
        let hits = try await index.search(ThreadSearch(query: "needle")).hits
        let hit = try #require(hits.first)
        #expect(hits.count == 1)
        #expect(hit.snippet.count <= 300)
        #expect(hit.snippet.hasPrefix("…") && hit.snippet.hasSuffix("…"))
        let units = Array(hit.snippet.utf16)
        #expect(hit.marks.map { String(decoding: units[$0], as: UTF16.self) } == ["needle"])
        #expect(!hit.snippet.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("a snippet is one line of at most 300 characters, whatever the text holds")
    func snippets() {
        var generator = SeededGenerator(seed: 7)
        let pieces = ["a", " ", "word", "é", "e\u{301}", "👩‍👩‍👧", "日", "\u{200D}", "\u{301}", "🚀", "x\u{327}"]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0..<600, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            var scalars = Array(SearchText.indexed(text).unicodeScalars)
            let at = Int.random(in: 0...scalars.count, using: &generator)
            scalars.insert(contentsOf: [SearchText.opening, "n", SearchText.closing], at: at)
            let snippet = Snippet(String(String.UnicodeScalarView(scalars)))
            #expect(snippet.text.count <= Snippet.limit)
            #expect(!snippet.text.unicodeScalars.contains { $0.value < 0x20 })
            let units = Array(snippet.text.utf16)
            #expect(snippet.marks.map { String(decoding: units[$0], as: UTF16.self) } == ["n"])
        }
    }

    @Test(
        "signs of the search language of the database are words like others",
        arguments: [
            "needle\"", "\"needle", "needle*", "(needle", "needle)", "-needle", "needle:", "^needle", "{needle}",
            "needle +",
            "needle'; DROP TABLE item; --", "needle\u{0}",
        ]
    )
    func escapes(query: String) async throws {
        let home = try ThreadHome()
        let index = try await index([Rollout.agent("a needle; drop table item", second: 20)], home)
        #expect(try await index.found(query).count == 1, "\(query)")
    }

    @Test(
        "words of the search language are searched for, not obeyed",
        arguments: ["needle OR zebra", "needle NOT zebra", "text: zebra"]
    )
    func words(query: String) async throws {
        let home = try ThreadHome()
        let index = try await index([Rollout.agent("a needle", second: 20)], home)
        #expect(try await index.found(query).isEmpty)
    }

    @Test("no text makes the database fail")
    func anyText() async throws {
        let home = try ThreadHome()
        let index = try await index([Rollout.agent("a needle 日本", second: 20)], home)
        var generator = SeededGenerator(seed: 11)
        let pieces = [
            "\"", "'", "*", "(", ")", "{", "}", ":", "^", "-", "+", "AND", "OR", "NOT", "NEAR", "NEAR(", ",", " ",
            "\u{0}", "\u{1}",
            "\u{2}", "\u{3}", "text", "place", "a", "needle", "日", "本", "é", "\u{301}", "\u{200D}", "🚀", "\u{E000}",
            "ก", "ำ", "１",
            "\u{10FFFF}", "\u{2028}", ";", "--", "%", "_", "?", "1", "$",
        ]
        for round in 0..<1500 {
            var text = ""
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                if generator.chance(0.2),
                    let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
                {
                    text.unicodeScalars.append(scalar)
                } else {
                    text += pieces.randomElement(using: &generator) ?? ""
                }
            }
            text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(500)))
            let agent: Agent? = round % 3 == 0 ? .codex : nil
            let folder = round % 5 == 0 ? text : nil
            await #expect(throws: Never.self, "\(text.debugDescription)") {
                _ = try await index.search(ThreadSearch(query: text, agent: agent, folder: folder))
            }
        }
        await #expect(throws: Never.self) {
            _ = try await index.search(ThreadSearch(query: String(repeating: "ab ", count: 166)))
        }
    }

    @Test("a query that is too long is refused, with a sentence")
    func tooLong() async throws {
        let index = try ThreadHome().index([], inMemory: true)
        await #expect(throws: ThreadIndexError.queryTooLong(limit: 500)) {
            try await index.search(ThreadSearch(query: String(repeating: "x", count: 501)))
        }
        #expect(
            "\(ThreadIndexError.queryTooLong(limit: 500))"
                == "A search has at most 500 characters. Search for fewer words."
        )
    }

    @Test("hits come by pages, titles first, then items by their time, each once")
    func pages() async throws {
        let home = try ThreadHome()
        for number in 0..<5 {
            try home.write(
                Rollout.name(number),
                [Rollout.meta(number), Rollout.user("needle \(number)", second: 10 + number)]
                    + (0..<4).map { Rollout.agent("needle \(number) \($0)", second: 20 + number * 4 + $0) }
            )
        }
        let index = try home.index([home.codex])
        try await index.catchUp()
        let all = try await index.found("needle")
        #expect(all.count == 5 + 25)
        let titles = (0..<5).reversed().map { "title: [needle] \($0)" }
        #expect(Array(all.prefix(6)) == titles + ["agent: [needle] 4 3"])
        for limit in [1, 2, 3, 5, 7] {
            var query = ThreadSearch(query: "needle", limit: limit)
            var found: [String] = []
            repeat {
                let page = try await index.search(query)
                #expect(page.hits.count <= limit)
                found += page.hits.map { "\($0.kind): \($0.marked)" }
                query.cursor = page.next
            } while query.cursor != nil && found.count < 100
            #expect(found == all)
        }
    }

    @Test("a search of one agent or folder finds only theirs")
    func places() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("needle engine")])
        try home.write(Rollout.name(2), [Rollout.meta(2, ["cwd": "/tmp/x"]), Rollout.user("needle x")])
        try home.write(Session.name(1), [Session.line("user", "u1", after: nil, "needle page")])
        let index = try home.index([home.codex, home.claude])
        try await index.catchUp()
        #expect(
            Set(try await index.found("needle", agent: .codex)) == [
                "title: [needle] engine", "user: [needle] engine", "title: [needle] x", "user: [needle] x",
            ]
        )
        #expect(Set(try await index.found("needle", folder: "/tmp/x")) == ["title: [needle] x", "user: [needle] x"])
        #expect(try await index.found("needle", agent: .claudeCode, folder: "/tmp/x").isEmpty)
        // The words that stand for places are not found as text.
        #expect(try await index.found(Place.word(of: .codex)).isEmpty)
    }

    @Test("a hit says where its item begins")
    func cursor() async throws {
        let home = try ThreadHome()
        let index = try await index([Rollout.agent("before"), Rollout.agent("needle"), Rollout.agent("after")], home)
        let hit = try #require(try await index.search(ThreadSearch(query: "needle")).hits.first)
        let page = try await index.page(
            of: ThreadReference(agent: .codex, id: Rollout.id(1)),
            from: try #require(hit.cursor),
            limits: PageLimits(items: 1)
        )
        #expect(page.items.count == 1)
        #expect(page.items.first?.id == hit.item)
    }

    @Test("turns that were taken back are not found any more")
    func takenBack() async throws {
        let home = try ThreadHome()
        let index = try await index(
            [Rollout.user("kept zebra", second: 10), Rollout.user("dropped zebra", second: 11)],
            home
        )
        #expect(try await index.found("zebra").count == 2)
        try home.append(Rollout.name(1), [Rollout.rollback(1, second: 12), Rollout.user("new zebra", second: 13)])
        try await index.catchUp()
        #expect(try await index.found("zebra") == ["user: new [zebra]", "user: kept [zebra]"])
    }

    @Test("of a tree only the conversation is found, also after the person went back")
    func tree() async throws {
        let home = try ThreadHome()
        try home.write(
            Session.name(1),
            [
                Session.line("user", "u1", after: nil, "opening", second: 1),
                Session.line("assistant", "a1", after: "u1", "zebra one", second: 2),
                Session.line("user", "u2", after: "a1", "zebra two", second: 3),
            ]
        )
        let index = try home.index([home.claude])
        try await index.catchUp()
        #expect(try await index.found("zebra") == ["user: [zebra] two", "agent: [zebra] one"])
        try home.append(Session.name(1), [Session.line("user", "u3", after: "a1", "zebra three", second: 4)])
        try await index.catchUp()
        #expect(try await index.found("zebra") == ["user: [zebra] three", "agent: [zebra] one"])
    }

    @Test("a file that was cut, and one that was replaced, are searched anew")
    func cutAndReplaced() async throws {
        let home = try ThreadHome()
        let index = try await index(
            [Rollout.agent("needle one", second: 10), Rollout.agent("needle two", second: 11)],
            home
        )
        let start = [
            Rollout.meta(1), Rollout.user("opening words", second: 1), Rollout.agent("needle one", second: 10),
        ]
        try home.truncate(Rollout.name(1), to: start.map { $0.utf8.count + 1 }.reduce(0, +))
        try await index.catchUp()
        #expect(try await index.found("needle") == ["agent: [needle] one"])
        try home.write("new", start + [Rollout.agent("needle three, and much more than before", second: 12)])
        try home.remove(Rollout.name(1))
        try home.move("new", to: Rollout.name(1))
        try await index.catchUp()
        #expect(try await index.found("needle three").count == 1)
        #expect(try await index.found("needle").count == 2)
    }

    @Test("a long thread is read whole, by pages from its end, also when the program ends in between")
    func longThread() async throws {
        let home = try ThreadHome()
        try home.write(
            Rollout.name(1),
            [Rollout.meta(1), Rollout.user("opening", second: 1)]
                + (0..<450).map { Rollout.agent("needle number\($0)", second: 2 + $0) }
        )
        let codex = home.codex
        do {
            let index = try home.index([codex])
            for keeper in index.keeperList { try await keeper.look() }
            #expect(try await index.fillRound())
            #expect(try await index.found("number449").count == 1)
            #expect(try await index.found("number0").isEmpty)
            #expect(try await index.search(ThreadSearch(query: "x")).progress == IndexingProgress(done: 0, total: 1))
        }
        _ = codex.takeOpened()
        let again = try home.index([codex])
        try await again.catchUp()
        for number in [0, 99, 100, 101, 350, 449] {
            #expect(try await again.found("number\(number)").count == 1)
        }
        #expect(codex.takeOpened().count == 4)
        #expect(try await again.search(ThreadSearch(query: "x")).progress == nil)
    }

    @Test("text is bounded: of an item, of a file and in total the newest stays")
    func bounds() async throws {
        let home = try ThreadHome()
        let text = "start " + String(repeating: "x", count: 9000) + " behind"
        let index = try await index([Rollout.agent(text, second: 10)], home)
        #expect(try await index.found("start").count == 1)
        #expect(try await index.found("behind").isEmpty)

        let small = IndexDatabase.Bounds(total: 2500, file: 2000)
        let database = try IndexDatabase(folder: nil, bounds: small, logger: ThreadHome.quiet)
        for number in 2..<5 {
            try home.write(
                Rollout.name(number),
                [Rollout.meta(number), Rollout.user("file\(number)", second: number * 100)]
                    + (0..<10).map {
                        Rollout.agent(
                            "needle\(number) part\($0) " + String(repeating: "y", count: 80),
                            second: number * 100 + $0
                        )
                    }
            )
        }
        let bounded = ThreadIndex(database, readers: [home.codex], watch: nil, time: .system, logger: ThreadHome.quiet)
        try await bounded.catchUp()
        #expect(try await bounded.found("needle4").count == 10)
        #expect(try await bounded.found("needle3").count == 10)
        #expect(try await bounded.found("needle2").isEmpty)
        #expect(try await bounded.found("start").isEmpty)
        // One file that grows beyond its bound keeps its newest half.
        try home.append(
            Rollout.name(4),
            (0..<20).map { Rollout.agent("late\($0) " + String(repeating: "z", count: 80), second: 500 + $0) }
        )
        try await bounded.catchUp()
        #expect(try await bounded.found("late19").count == 1)
        #expect(try await bounded.found("late0").isEmpty)
        #expect(try await bounded.found("needle4").isEmpty)
    }
}
