import Conversations
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import AgentHistory

@Suite struct LargeFileTests {
    /// A file of 24 GB that is a hole but for its end.
    private func sparse(_ home: HistoryHome, _ name: String, tail: [String]) throws -> String {
        let path = try home.write(name, [])
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: 24 << 30)
        try file.write(contentsOf: Data(("\n" + tail.joined(separator: "\n") + "\n").utf8))
        try file.close()
        return path
    }

    @Test("the last page of 24 GB costs what it shows")
    func lastPage() throws {
        let home = try HistoryHome()
        let codex = try sparse(
            home,
            Rollout.day + Rollout.name,
            tail: (0..<300).map { Rollout.agent("\($0)", second: $0 % 60) }
        )
        let page = try home.codex.lastPage(of: codex)
        #expect(page.items.map(\.said) == (200..<300).map { "\($0)" })
        #expect(page.bytesRead <= 256 << 10)
        let older = try home.codex.lastPage(of: codex, before: page.older)
        #expect(older.items.map(\.said) == (100..<200).map { "\($0)" })
        let claude = try sparse(
            home,
            Session.folder + "a.jsonl",
            tail: (0..<300).map { Session.agent("n\($0)", after: "n\($0 - 1)", "\($0)") }
        )
        let last = try home.claude.lastPage(of: claude)
        #expect(last.items.map(\.said) == (200..<300).map { "\($0)" })
        #expect(last.bytesRead <= 256 << 10)
    }

    @Test("a line of 24 GB stops a page at its budget, and reading goes on inside of it")
    func endlessLine() throws {
        let home = try HistoryHome()
        let path = try sparse(home, Rollout.day + Rollout.name, tail: [Rollout.agent("1"), Rollout.agent("2")])
        let limits = PageLimits(items: 100, bytes: 4 << 20)
        let page = try home.codex.lastPage(of: path, limits: limits)
        #expect(page.items.map(\.said) == ["1", "2"])
        #expect(page.bytesRead <= 5 << 20)
        let older = try #require(page.older)
        let next = try home.codex.lastPage(of: path, before: older, limits: limits)
        #expect(next.items.isEmpty && next.bytesRead <= 5 << 20)
        #expect(try #require(next.older).offset < older.offset)
        let forwards = try home.codex.page(of: path, from: .start, limits: limits)
        #expect(forwards.items.isEmpty && !forwards.reachesEnd && forwards.newer.isInsideLine)
        let further = try home.codex.page(of: path, from: forwards.newer, limits: limits)
        #expect(further.newer.offset > forwards.newer.offset && further.bytesRead <= 5 << 20)
        // The list gives up on it without reading it whole.
        #expect(try home.codex.thread(of: #require(home.codex.files().entries.first), names: [:]) == nil)
    }

    @Test("images in compactions do not stand in the way of the last page")
    func compactedImages() throws {
        let home = try HistoryHome()
        let image = String(repeating: "iVBORw0K", count: 512 << 10)
        var lines = [Rollout.meta(), Rollout.user("Hello")]
        for number in 0..<4 {
            // In codex's order: type and message are before what makes the line long.
            let payload = #"{"message":"Summary \#(number)","replacement_history":[{"image_url":"\#(image)"}]}"#
            lines.append(#"{"timestamp":"2026-01-02T03:04:06.500Z","type":"compacted","payload":\#(payload)}"#)
            lines.append(Rollout.agent("\(number)"))
        }
        let path = try home.write(Rollout.day + Rollout.name, lines: lines)
        let page = try home.codex.lastPage(of: path)
        #expect(page.items.map(\.said) == ["Hello"] + (0..<4).flatMap { ["Summary \($0)", "\($0)"] })
        #expect(page.skipped.count == 4)
    }

    @Test("compressed pages are those of the plain file, from both ends")
    func compressedPages() throws {
        let home = try HistoryHome()
        var random = SeededGenerator(seed: 5)
        // More than the window that stays in memory while reading backwards.
        let lines =
            [Rollout.meta()]
            + (0..<6000).map {
                Rollout.agent(
                    "\($0) "
                        + (0..<250).map { _ in String(UInt64.random(in: 0...99, using: &random)) }.joined(
                            separator: ", "
                        )
                )
            }
        let plain = try home.write(".codex/sessions/rollout-plain.jsonl", lines: lines)
        let packed = try home.write(".codex/sessions/rollout-packed.jsonl.zst", packed: lines)
        var cursor: ConversationCursor?
        for _ in 0..<4 {
            let expected = try home.codex.lastPage(of: plain, before: cursor, limits: PageLimits(items: 1000))
            let page = try home.codex.lastPage(of: packed, before: cursor, limits: PageLimits(items: 1000))
            #expect(page.items == expected.items && page.items.count == 1000)
            #expect(page.older == expected.older && page.newer == expected.newer)
            cursor = page.older
        }
        let expected = try home.codex.page(of: plain, from: #require(cursor), limits: PageLimits())
        #expect(try home.codex.page(of: packed, from: #require(cursor), limits: PageLimits()).items == expected.items)
    }
}

@Suite struct CorruptionTests {
    /// Damages some lines and says which are whole. The file may end inside of a line.
    private func damage(_ lines: [String], _ random: inout SeededGenerator) -> (bytes: [UInt8], whole: [Bool]) {
        var bytes: [UInt8] = []
        var whole: [Bool] = []
        for line in lines {
            var line = Array(line.utf8)
            var isWhole = true
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                line.removeLast(Int.random(in: 1...line.count, using: &random))
                isWhole = false
            case 1:
                // No byte of this kind is part of any JSON text.
                line[Int.random(in: 0..<line.count, using: &random)] =
                    [0x00, 0x01, 0xFF, 0xC0].randomElement(using: &random) ?? 0
                isWhole = false
            case 2: line.append(0x0D)
            case 3: bytes += [0x0A, 0x20, 0x0D, 0x0A]
            case 4: bytes += Array("\u{0}\u{1}junk\n{\"type\":\n".utf8)
            default: break
            }
            bytes += line + [0x0A]
            whole.append(isWhole)
        }
        if random.chance(0.5), whole.last == true {
            bytes.removeLast()
            whole[whole.count - 1] = false
        }
        return (bytes, whole)
    }

    @Test("whatever happens to some lines of a rollout, all others are read", arguments: 0..<20)
    func codex(seed: Int) throws {
        let home = try HistoryHome()
        var random = SeededGenerator(seed: UInt64(seed))
        let lines = (0..<80).map { $0 % 3 == 0 ? Rollout.user("#\($0)") : Rollout.agent("#\($0)") }
        let (bytes, whole) = damage(lines, &random)
        let path = try home.write(Rollout.day + Rollout.name, bytes)
        let packed = try home.write(".codex/sessions/rollout-packed.jsonl.zst", HistoryHome.packed(bytes))
        let expected = whole.indices.filter { whole[$0] }.map { Optional("#\($0)") }
        let page = Int.random(in: 1...50, using: &random)
        for path in [path, packed] {
            #expect(try home.codex.allBackwards(path, page: page).map(\.said) == expected)
            #expect(try home.codex.allForwards(path, page: page).map(\.said) == expected)
        }
        _ = home.codex.threads()
    }

    @Test("whatever happens to some lines of a session, all others are read", arguments: 0..<20)
    func claude(seed: Int) throws {
        let home = try HistoryHome()
        var random = SeededGenerator(seed: UInt64(seed) &+ 1000)
        let lines = (0..<80).map { number -> String in
            let parent = number == 0 ? nil : "n\(number - 1)"
            return number % 3 == 0
                ? Session.user("n\(number)", after: parent, "#\(number)")
                : Session.agent("n\(number)", after: parent, "#\(number)")
        }
        let (bytes, whole) = damage(lines, &random)
        let path = try home.write(Session.folder + "a.jsonl", bytes)
        let expected = whole.indices.filter { whole[$0] }.map { Optional("#\($0)") }
        let page = Int.random(in: 1...50, using: &random)
        #expect(try home.claude.allBackwards(path, page: page).map(\.said) == expected)
        #expect(try home.claude.allBackwards(path, page: 100).map(\.said) == expected)
        #expect(try home.claude.allForwards(path).map(\.said) == expected)
        _ = home.claude.threads()
    }

    @Test("bytes without any sense never trap", arguments: 0..<12)
    func noise(seed: Int) throws {
        let home = try HistoryHome()
        var random = SeededGenerator(seed: UInt64(seed) &+ 5000)
        let pieces = [
            "{", "}", "[", "]", "\"", "\\u", ":", ",", "\n", "\\", "null", "1e9", "type", "payload", "uuid", "é",
            "\u{0}",
        ]
        let bytes = (0..<3000).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
        let names = [Rollout.day + Rollout.name, Session.folder + "a.jsonl", ".codex/sessions/rollout-x.json"]
        for name in names { try home.write(name, bytes) }
        try home.write(".codex/sessions/rollout-x.jsonl.zst", Array(HistoryHome.packed(bytes).shuffled(using: &random)))
        for history in [home.codex, home.claude] as [any HistoryReader] {
            _ = history.threads(limit: 10)
            for entry in history.files(limit: 10).entries {
                _ = try? history.allBackwards(entry.path, page: 3)
                _ = try? history.allForwards(entry.path, page: 3)
            }
        }
    }

    @Test("records whose members have other kinds of values never trap, and their items have different ids")
    func otherKinds() throws {
        var random = SeededGenerator(seed: 99)
        let patch: JSONValue = [
            "a": ["type": "update", "unified_diff": "-x", "move_path": "b"], "c": ["add": ["content": "n"]],
        ]
        let records = [
            Rollout.meta(["source": ["subagent": ["review": 1]]]), Rollout.user("x"),
            Rollout.event([
                "type": "user_message", "message": "x", "images": ["data:image/png;base64,AA"], "local_images": ["/a"],
            ]),
            Rollout.event(["type": "patch_apply_end", "call_id": "c", "success": true, "changes": patch]),
            Rollout.event(["type": "item_completed", "item": ["type": "Plan", "text": "x"]]),
            Rollout.event(["type": "thread_goal_updated", "goal": ["objective": "x"]]),
            Rollout.event(["type": "thread_rolled_back", "num_turns": 1]),
            Rollout.item([
                "type": "function_call", "name": "update_plan", "arguments": "{\"plan\":[{\"step\":\"x\"}]}",
                "call_id": "c",
            ]),
            Rollout.item([
                "type": "custom_tool_call", "name": "apply_patch", "input": "*** Add File: a", "call_id": "c",
            ]),
            Rollout.item([
                "type": "function_call_output", "call_id": "c",
                "output": ["content": [["text": "x"], ["image_url": "data:,"]]],
            ]),
            json(["type": "message", "role": "user", "content": [["text": "x"], ["image_url": "data:a"]]]),
            Session.user("u", after: nil, "x"), Session.agent("a", after: "u", "x"),
            Session.result("r", after: "a", "t"),
            Session.line(
                "assistant",
                "w",
                after: "a",
                [
                    [
                        "type": "tool_use", "id": "t", "name": "MultiEdit",
                        "input": ["file_path": "/a", "edits": [["old_string": "x"]]],
                    ]
                ]
            ),
            Session.line(
                "user",
                "i",
                after: "a",
                [["type": "image", "source": ["media_type": "image/png", "data": "AAAA"]]]
            ),
        ]
        for round in 0..<1500 {
            let record = try JSONValue(parsing: (records[round % records.count]).utf8)
            let changed = Array(json(change(record, &random)).utf8)
            for agent in Agent.known {
                for items in [
                    LineParsing.items(of: changed, agent: agent),
                    LineParsing.items(
                        ofCut: Array(changed.dropLast(.random(in: 1...40, using: &random))),
                        tail: changed,
                        agent: agent
                    ),
                ] {
                    #expect(Set((items ?? []).map(\.id)).count == (items ?? []).count)
                }
            }
        }
    }

    /// Puts another kind of value into some places.
    private func change(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        let others: [JSONValue] = [
            nil, true, -1, 9_223_372_036_854_775_807, .number(1.5), "", "data:", "é", [], [[]], [:], ["type": 1], [nil],
        ]
        if random.chance(0.08) { return others.randomElement(using: &random) ?? nil }
        return switch value {
        case .array(let values): .array(values.map { change($0, &random) })
        case .object(let members): .object(members.mapValues { change($0, &random) })
        default: value
        }
    }
}
