import Foundation
import Kernel
import KernelTesting
import Testing

@testable import AgentHistory

@Suite("Codex: what the first records say", .timeLimit(.minutes(4))) struct CodexHeadTests {
    private static let samples: [JSONValue] = [
        [
            "timestamp": "2026-01-02T03:04:05.678Z", "type": "session_meta",
            "payload": [
                "id": "0199a1b2-c3d4-7e5f-8a9b-000000000001", "timestamp": "2026-01-02T03:04:05.000Z",
                "cwd": "/home/ada", "git": ["branch": "main", "commit_hash": "c"], "model_provider": "p",
                "cli_version": "0.140.0", "source": ["subagent": ["review": true]], "forked_from_id": "f",
                "parent_thread_id": "g", "base_instructions": ["text": "be brief\n"], "dynamic_tools": [],
            ],
        ],
        [
            "timestamp": "t", "type": "event_msg",
            "payload": ["type": "user_message", "message": "", "images": ["data:"]],
        ],
        [
            "type": "event_msg",
            "payload": [
                "type": "user_message", "message": "# Context\n## My request for Codex:\n mend it", "kind": "plain",
            ],
        ],
        [
            "type": "event_msg",
            "payload": ["type": "thread_goal_updated", "goal": ["objective": "all green", "x": 1]],
        ],
        ["id": "old", "timestamp": "2025-05-06T07:08:09Z", "instructions": nil, "git": ["branch": "b"]],
        ["record_type": "state"],
        ["type": "message", "role": "user", "content": [["type": "input_text", "text": "hello"]]],
        ["type": "response_item", "payload": ["type": "message", "role": "user", "content": [["text": "no"]]]],
    ]
    private static let names = [
        "id", "timestamp", "type", "payload", "cwd", "git", "branch", "source", "message", "role", "content", "text",
        "images", "goal", "objective", "record_type", "x",
    ]

    @Test("the wanted members say the same as whole records", arguments: 0..<8)
    func sameAsWhole(seed: UInt64) throws {
        let home = try HistoryHome()
        var fuzz = FuzzedJSON(
            seed: seed,
            names: Self.names,
            texts: ["session_meta", "event_msg", "user_message", "cli"]
        )
        var generator = SeededGenerator(seed: seed)
        var (listed, without) = (0, 0)
        for _ in 0..<60 {
            var lines: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let sample = Self.samples.randomElement(using: &generator) ?? .null
                let isPlain = Int.random(in: 0..<3, using: &generator) > 0
                lines += (isPlain ? sample : fuzz.variation(of: sample)).canonicalBytes + [0x0A]
            }
            let path = try home.write("rollout-x.jsonl", lines)
            let kept = try CodexHead(try HistoryFile.open(path))
            #expect(kept == (try CodexHead(try HistoryFile.open(path), keeping: .whole)))
            if kept.hasMeta, kept.preview != nil { listed += 1 } else { without += 1 }
        }
        #expect(listed > 5 && without > 5)
    }

    @Test("a line of 400 KB of instructions is read to its end, and one that is no JSON in them is passed over")
    func longInstructions() throws {
        let home = try HistoryHome()
        let text = String(repeating: #"say \"so\"\n"#, count: 40_000)
        let meta = #"{"type":"session_meta","payload":{"base_instructions":{"text":"\#(text)"},"id":"a","cwd":"/b"}}"#
        let broken = meta.replacingOccurrences(of: #"\n"},"#, with: #"\q"},"#)
        let message = #"{"type":"event_msg","payload":{"type":"user_message","message":"hello"}}"#
        let head = try CodexHead(HistoryFile.open(try home.write("a.jsonl", lines: [broken, meta, message])))
        #expect(head.hasMeta && head.id == "a" && head.workingFolder == "/b" && head.preview == "hello")
        #expect(broken != meta)
        let none = try CodexHead(HistoryFile.open(try home.write("b.jsonl", lines: [broken, message])))
        #expect(!none.hasMeta && none.id == nil)
    }

    @Test(
        "what an editor put before the request is left out",
        arguments: [
            ("plain # text", "plain # text"), ("# a\n## My request for Codex:\n\n do it", "do it"),
            ("## My request for Codex: first ## My request for Codex: second", "first ## My request for Codex: second"),
            ("### My request for Codex:x", "x"), ("## My request for Codex", "## My request for Codex"), ("", ""),
            ("é## My request for Codex:é", "é"),
        ]
    )
    func request(text: String, request: String) {
        #expect(EditorContext.request(in: text) == request)
    }
}
