import AgentHistory
import Conversations
import Foundation
import Kernel
import Testing

@Suite("Codex: the items of a thread") struct CodexItemTests {
    private func items(_ lines: [String]) throws -> [ConversationItem] {
        let home = try HistoryHome()
        let path = try home.write(Rollout.day + Rollout.name, lines: lines)
        let items = try home.codex.lastPage(of: path).items
        #expect(try home.codex.page(of: path, from: .start, limits: PageLimits()).items == items)
        return items
    }

    @Test("each message comes once: from events for reading, tools from the model's items")
    func duplicates() throws {
        let items = try items([
            Rollout.meta(), Rollout.line("turn_context", ["cwd": "/"]), Rollout.line("world_state", [:]),
            Rollout.line("inter_agent_communication_sent", [:]),
            Rollout.item([
                "type": "message", "role": "developer", "content": [["type": "input_text", "text": "Rules"]],
            ]),
            Rollout.item([
                "type": "message", "role": "user", "content": [["type": "input_text", "text": "List files"]],
            ]),
            Rollout.user("List files"),
            Rollout.event(["type": "agent_reasoning", "text": "**Looking**"], second: 7),
            Rollout.item([
                "type": "reasoning", "summary": [["type": "summary_text", "text": "**Looking**"]],
                "encrypted_content": "x",
            ]),
            Rollout.item(
                ["type": "function_call", "name": "shell", "arguments": "{\"command\":\"ls\"}", "call_id": "c1"],
                second: 8
            ),
            Rollout.item(
                ["type": "function_call_output", "call_id": "c1", "output": "Exit code: 0\nOutput:\na.txt"],
                second: 9
            ),
            Rollout.event(["type": "token_count", "info": nil]),
            Rollout.agent("One file.", second: 10),
            Rollout.item([
                "type": "message", "role": "assistant", "content": [["type": "output_text", "text": "One file."]],
            ]),
            Rollout.item(["type": "ghost_snapshot"]), Rollout.event(["type": "task_complete", "turn_id": "t"]),
        ])
        #expect(
            items.map(\.said) == ["List files", "**Looking**", "shell", "Exit code: 0\nOutput:\na.txt", "One file."]
        )
        #expect(items.map(\.milliseconds) == [6, 7, 8, 9, 10].map { 1_767_323_040_500 + $0 * 1000 })
        guard case .toolCall(let call) = items[2].content, case .toolOutput(let output) = items[3].content else {
            Issue.record("no tool")
            return
        }
        #expect(call.arguments.text == "{\"command\":\"ls\"}" && call.callID == "c1" && output.callID == "c1")
        #expect(output.outcome == .succeeded)
        #expect(Set(items.map(\.id)).count == items.count)
        #expect(items.allSatisfy { $0.id == "\($0.position)" })
    }

    @Test("a call names the group or the server whose tool it is, and an error of a server's tool is one")
    func groups() throws {
        func completed(_ item: JSONValue, _ id: String) -> String {
            Rollout.event([
                "type": "item_completed", "thread_id": .string(Rollout.id), "turn_id": "t", "completed_at_ms": 2,
                "item": item.adding("id", .string(id)),
            ])
        }
        let answer: JSONValue = ["content": [["type": "text", "text": "no such page"]], "isError": true]
        let items = try items([
            Rollout.meta(["history_mode": "paginated"]),
            Rollout.item([
                "type": "function_call", "namespace": "atlas", "name": "find", "arguments": "{}", "call_id": "c1",
            ]),
            completed(
                ["type": "McpToolCall", "server": "atlas", "tool": "open", "arguments": [:], "result": ["Ok": answer]],
                "c2"
            ),
        ])
        let calls = items.compactMap { if case .toolCall(let call) = $0.content { call.name } else { nil } }
        #expect(calls == ["atlas.find", "atlas.open"])
        let outputs = items.compactMap { if case .toolOutput(let output) = $0.content { output } else { nil } }
        #expect(outputs.map(\.text.text) == ["no such page"])
        #expect(outputs.map(\.outcome) == [.failed(code: nil)])
    }

    @Test(
        "what tools of every form answer",
        arguments: [
            (
                ["output": "{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}"], "x",
                ToolOutcome.failed(code: 1)
            ),
            (["output": "Process exited with code 127\nx"], "Process exited with code 127\nx", .failed(code: 127)),
            (["output": ["content": "x", "success": false]], "x", .failed(code: nil)),
            (["output": ["content": "x", "success": true]], "x", .succeeded),
            (["output": ["content": "x", "is_error": true]], "x", .failed(code: nil)),
            (["output": ["content": [["type": "text", "text": "x"]], "isError": false]], "x", .succeeded),
            (
                ["output": [["type": "input_text", "text": "x"], ["type": "input_text", "text": "y"]]], "x\ny", .unknown
            ),
            (["output": "x"], "x", .unknown), ([:], "", .unknown),
        ] as [(JSONValue, String, ToolOutcome)]
    )
    func outputs(members: JSONValue, text: String, outcome: ToolOutcome) throws {
        let items = try items([
            Rollout.item(members.adding("type", "custom_tool_call_output").adding("call_id", "c"))
        ])
        #expect(items.map(\.content) == [.toolOutput(ToolOutput(callID: "c", text: ItemText(text), outcome: outcome))])
    }

    @Test("a patch is one change of files with its outcome, from the call and the event of its end")
    func patches() throws {
        let patch =
            "*** Begin Patch\n*** Update File: a.swift\n*** Move to: b.swift\n@@\n-x\n+y\n*** Add File: c.md\n+z\n*** End Patch"
        let items = try items([
            Rollout.item(["type": "custom_tool_call", "name": "apply_patch", "input": .string(patch), "call_id": "p1"]),
            Rollout.event([
                "type": "patch_apply_end", "call_id": "p1", "success": true,
                "changes": ["a.swift": ["type": "update", "unified_diff": "-x\n+y", "move_path": "b.swift"]],
            ]),
            Rollout.item(["type": "custom_tool_call_output", "call_id": "p1", "output": "Success"]),
            Rollout.event([
                "type": "patch_apply_end", "call_id": "p2", "success": false,
                "changes": ["d": ["add": ["content": "new"]], "e": ["delete": [:]]],
            ]),
        ])
        #expect(
            items.map(\.content) == [
                .fileChange(
                    FileChange(
                        callID: "p1",
                        files: [
                            .init(path: "a.swift", kind: .moved(to: "b.swift")), .init(path: "c.md", kind: .added),
                        ],
                        patch: ItemText(patch),
                        outcome: .succeeded
                    )
                ),
                .toolOutput(ToolOutput(callID: "p1", text: ItemText("Success"), outcome: .unknown)),
                .fileChange(
                    FileChange(
                        callID: "p2",
                        files: [.init(path: "d", kind: .added), .init(path: "e", kind: .deleted)],
                        patch: ItemText("*** d\nnew"),
                        outcome: .failed(code: nil)
                    )
                ),
            ]
        )
    }

    @Test("plans, compactions, reviews, goals, errors and interruptions")
    func others() throws {
        let items = try items([
            Rollout.item([
                "type": "function_call", "name": "update_plan", "call_id": "u",
                "arguments":
                    #"{"explanation":"Why","plan":[{"step":"One","status":"completed"},{"step":"Two","status":"in_progress"},{"step":"Three","status":"pending"}]}"#,
            ]),
            Rollout.line("compacted", ["message": "Summary", "replacement_history": []]),
            Rollout.event(["type": "context_compacted"]),
            Rollout.event(["type": "turn_aborted", "reason": "interrupted"]),
            Rollout.event(["type": "error", "message": "usage limit"]),
            Rollout.event(["type": "exited_review_mode", "review_output": ["overall_explanation": "Fine"]]),
            Rollout.event(["type": "thread_goal_updated", "goal": ["objective": "Ship"]]),
            Rollout.event(["type": "item_completed", "item": ["type": "Plan", "text": "Steps"]]),
            Rollout.event(["type": "brand_new"]), Rollout.item(["type": "hologram"]), Rollout.line("novelty", [:]),
        ])
        func notice(_ kind: Notice.Kind, _ text: String) -> ConversationItem.Content {
            .notice(Notice(kind: kind, text: ItemText(text)))
        }
        #expect(
            items.map(\.content) == [
                .plan(
                    Plan(
                        callID: "u",
                        explanation: ItemText("Why"),
                        steps: [
                            .init(text: "One", state: .done), .init(text: "Two", state: .running),
                            .init(text: "Three", state: .pending),
                        ]
                    )
                ),
                .compaction(ItemText("Summary")), notice(.interrupted, "interrupted"), notice(.error, "usage limit"),
                notice(.review, "Fine"), notice(.goal, "Ship"), .plan(Plan(explanation: ItemText("Steps"), steps: [])),
                .unknown(type: "event_msg/brand_new"), .unknown(type: "response_item/hologram"),
                .unknown(type: "novelty"),
            ]
        )
    }

    @Test("images are left out with their type and size")
    func images() throws {
        let items = try items([
            Rollout.event([
                "type": "user_message", "message": "Look",
                "images": ["data:image/jpeg;base64,AAAAAAAA", "https://example.org/a.png"],
                "local_images": ["/tmp/b.png"],
            ]),
            Rollout.item(["type": "image_generation_call", "id": "i", "result": "AAAABBBBCCCC"]),
        ])
        #expect(
            items.dropFirst().map(\.content) == [
                .image(ImageLeftOut(origin: .user, mediaType: "image/jpeg", byteCount: 6)),
                .image(ImageLeftOut(origin: .user, location: "https://example.org/a.png")),
                .image(ImageLeftOut(origin: .user, location: "/tmp/b.png")),
                .image(ImageLeftOut(origin: .agent, mediaType: "image/png", byteCount: 9)),
            ]
        )
        #expect(items.map(\.id).prefix(4) == ["0", "0.1", "0.2", "0.3"])
    }

    @Test("shell, web and tool searches of the model's items are calls")
    func calls() throws {
        let items = try items([
            Rollout.item(["type": "local_shell_call", "call_id": "l", "action": ["command": ["ls"]]]),
            Rollout.item(["type": "web_search_call", "id": "w", "action": ["query": "swift"]]),
            Rollout.item(["type": "tool_search_call", "call_id": "t", "arguments": "{}"]),
            Rollout.event(["type": "web_search_end", "call_id": "w"]),
            Rollout.event(["type": "mcp_tool_call_end", "call_id": "m"]),
        ])
        #expect(
            items.map(\.content) == [
                .toolCall(ToolCall(callID: "l", name: "local_shell", arguments: ItemText("{\"command\":[\"ls\"]}"))),
                .toolCall(ToolCall(callID: "w", name: "web_search", arguments: ItemText("{\"query\":\"swift\"}"))),
                .toolCall(ToolCall(callID: "t", name: "tool_search", arguments: ItemText("{}"))),
            ]
        )
    }

    @Test("turns that were taken back are left out, also over pages")
    func rollback() throws {
        let home = try HistoryHome()
        let path = try home.write(
            Rollout.day + Rollout.name,
            lines: [
                Rollout.meta(), Rollout.user("1"), Rollout.agent("a1"), Rollout.user("2"), Rollout.agent("a2"),
                Rollout.user("3"),
                Rollout.agent("a3"), Rollout.event(["type": "thread_rolled_back", "num_turns": 2]), Rollout.user("4"),
                Rollout.agent("a4"),
            ]
        )
        for page in [1, 2, 3, 100] {
            #expect(try home.codex.allBackwards(path, page: page).map(\.said) == ["1", "a1", "4", "a4"])
        }
        #expect(try home.codex.allForwards(path).map(\.said) == ["1", "a1", "4", "a4"])
        // A cursor of a client may name any number of turns.
        let end = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
        for link in [String(Int.max), "-1", "x"] {
            let cursor = ConversationCursor(offset: end, link: link)
            let page = try home.codex.lastPage(of: path, before: cursor)
            #expect(page.items.map(\.said) == (link == String(Int.max) ? [] : ["1", "a1", "4", "a4"]))
        }
        let late = try home.codex.page(
            of: path,
            from: home.codex.page(of: path, from: .start, limits: PageLimits(items: 6)).newer,
            limits: PageLimits()
        )
        #expect(late.replacesEarlier && late.items.map(\.said) == ["4", "a4"])
    }

    @Test("a page says whether the agent is at work")
    func running() throws {
        let home = try HistoryHome()
        func isRunning(_ lines: [String]) throws -> Bool? {
            let path = try home.write(Rollout.day + Rollout.name, lines: lines)
            let page = try home.codex.lastPage(of: path)
            #expect(
                try home.codex.page(of: path, from: .start, limits: PageLimits()).isTurnRunning == page.isTurnRunning
            )
            return page.isTurnRunning
        }
        let started = Rollout.event(["type": "task_started"])
        #expect(try isRunning([Rollout.meta()]) == nil)
        #expect(try isRunning([started, Rollout.user("x")]) == true)
        #expect(try isRunning([started, Rollout.event(["type": "task_complete"])]) == false)
        #expect(try isRunning([started, Rollout.event(["type": "turn_aborted"]), started]) == true)
    }

    @Test("lines that are damaged, blank, of other encodings or with CRLF do not hide the others")
    func damaged() throws {
        let home = try HistoryHome()
        var bytes = Array((Rollout.meta() + "\r\n" + Rollout.user("One") + "\r\n\r\n   \n{\"broken\n").utf8)
        bytes += [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D, 0x0A]
        bytes += Array("[1]\nnull\n\(Rollout.agent("Two"))\n{\"type\":\"event_m".utf8)
        let path = try home.write(Rollout.day + Rollout.name, bytes)
        for page in [
            try home.codex.lastPage(of: path), try home.codex.page(of: path, from: .start, limits: PageLimits()),
        ] {
            #expect(page.items.map(\.said) == ["One", "Two"])
            #expect(page.skipped.count == 4)
            #expect(Set(page.skipped.lines.map(\.reason)) == [.malformed, .notUTF8])
            #expect(page.newer.offset == Int64(bytes.count - 16) && page.reachesEnd)
        }
    }

    @Test(
        "a follower goes on where it stopped, takes up a half line once it is whole, and notices a cut or rewritten file"
    )
    func follow() throws {
        let home = try HistoryHome()
        let name = Rollout.day + Rollout.name
        let half = String(Rollout.agent("Two").prefix(40))
        let path = try home.write(name, Array((Rollout.meta() + "\n" + Rollout.user("One") + "\n" + half).utf8))
        let first = try home.codex.lastPage(of: path)
        #expect(first.items.map(\.said) == ["One"] && first.older == nil)
        #expect(try home.codex.page(of: path, from: first.newer, limits: PageLimits()).items.isEmpty)
        try home.write(name, lines: [Rollout.meta(), Rollout.user("One"), Rollout.agent("Two")])
        let next = try home.codex.page(of: path, from: first.newer, limits: PageLimits())
        #expect(next.items.map(\.said) == ["Two"] && next.reachesEnd)
        #expect(next.file == home.codex.files().entries.first?.identity)
        // Compressed, the offsets stay.
        try home.write(
            name + ".zst",
            packed: [Rollout.meta(), Rollout.user("One"), Rollout.agent("Two"), Rollout.user("Three")]
        )
        try FileManager.default.removeItem(atPath: path)
        #expect(try home.codex.page(of: path, from: next.newer, limits: PageLimits()).items.map(\.said) == ["Three"])
        try FileManager.default.removeItem(atPath: path + ".zst")
        try home.write(name, lines: ["{}"])
        #expect(throws: AgentHistoryError.truncated(path: path, offset: next.newer.offset, size: 3)) {
            try home.codex.page(of: path, from: next.newer, limits: PageLimits())
        }
        #expect(throws: AgentHistoryError.truncated(path: path, offset: next.newer.offset, size: 3)) {
            try home.codex.lastPage(of: path, before: next.newer)
        }
        try home.write(name, lines: [String(repeating: " ", count: 5000)])
        #expect(throws: AgentHistoryError.rewritten(path: path, offset: next.newer.offset)) {
            try home.codex.page(of: path, from: next.newer, limits: PageLimits())
        }
    }

    @Test("long outputs are cut and say how long they were")
    func longOutput() throws {
        let text = String(repeating: "line of output\n", count: 20_000)
        let items = try items([Rollout.item(["type": "function_call_output", "call_id": "c", "output": .string(text)])])
        guard case .toolOutput(let output)? = items.first?.content else {
            Issue.record("no output")
            return
        }
        #expect(output.text.isCut && output.text.fullLength == 300_000 && output.text.text.utf8.count == 64 << 10)
    }
}
