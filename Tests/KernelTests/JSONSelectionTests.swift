import Foundation
import KernelTesting
import Testing

@testable import Kernel

@Suite("Members of JSON that are wanted", .timeLimit(.minutes(4)))
struct JSONSelectionTests {
    private static let selection = JSONSelection.members([
        .init("id"), .init("payload", .members([.init("type"), .init("git", .keys(["branch"])), .init("source")])),
    ])
    private static let sample: JSONValue = [
        "id": "a", "text": "said \"so\"\n", "numbers": [1, .number(2.5), -3, ["deep": [[]]]],
        "payload": [
            "type": "t", "git": ["branch": "main", "commit": "c"], "source": ["subagent": ["kind": nil]],
            "instructions": ["text": "é\u{1F600}\u{1}"], "is": true,
        ],
    ]

    /// What of a whole value is wanted, said once more.
    private static func part(_ value: JSONValue) -> JSONValue {
        func only(_ keys: Set<String>, _ value: JSONValue) -> [String: JSONValue]? {
            value.objectValue.map { $0.filter { keys.contains($0.key) } }
        }
        guard var members = only(["id", "payload"], value) else { return value }
        if let payload = members["payload"], var inner = only(["type", "git", "source"], payload) {
            if let git = inner["git"], let branch = only(["branch"], git) { inner["git"] = .object(branch) }
            members["payload"] = .object(inner)
        }
        return .object(members)
    }

    private func kept(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), keeping: Self.selection)
    }

    @Test("only the wanted members are kept, and of anything else than an object all")
    func members() throws {
        #expect(
            try kept(Self.sample.canonicalText)
                == [
                    "id": "a",
                    "payload": ["type": "t", "git": ["branch": "main"], "source": ["subagent": ["kind": nil]]],
                ]
        )
        #expect(try kept(#" { "other" : [ {} ] , "id" : 1 } "#) == ["id": 1])
        #expect(
            try kept(#"{"id":{"x":1},"payload":[{"type":1,"x":2}]}"#) == [
                "id": ["x": 1], "payload": [["type": 1, "x": 2]],
            ]
        )
        #expect(try kept("[1,{}]") == [1, [:]])
        #expect(try kept("{}") == [:])
    }

    @Test("a key is known in any spelling, and twice it is refused")
    func spellings() throws {
        #expect(try kept(#"{"\u0069d":"x"}"#) == ["id": "x"])
        for text in [#"{"id":1,"id":2}"#, #"{"id":1,"\u0069d":2}"#, #"{"payload":{"type":1,"x":0,"type":1}}"#] {
            #expect(throws: DecodingError.self, "\(text)") { try kept(text) }
        }
        // What is passed over is not held, so that no second one is noticed.
        #expect(try kept(#"{"x":1,"x":2,"y":1e999,"id":3}"#) == ["id": 3])
    }

    @Test("what is passed over may be as deep as what is read, and has to be JSON")
    func passedOver() throws {
        func nested(_ depth: Int) -> String {
            #"{"x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + #","id":1}"#
        }
        for depth in [1, 61, 62, 63, 64, 127] { #expect(try kept(nested(depth)) == ["id": 1], "\(depth)") }
        for text in [
            nested(128), #"{"x":tru,"id":1}"#, #"{"x":"\q","id":1}"#, #"{"x":01,"id":1}"#, #"{"x":[1,],"id":1}"#,
            #"{"x":"\ud800","id":1}"#, "{\"x\":\"\n\",\"id\":1}", #"{"id":1"#, #"{"id":1}}"#, #"{"x" 1}"#, #"{x:1}"#,
            #"{"x":1,}"#,
        ] {
            #expect(throws: DecodingError.self, "\(text)") { try kept(text) }
        }
        #expect(throws: DecodingError.self) {
            try JSONValue(parsing: Array("{\"x\":\"".utf8) + [0xFF] + Array("\"}".utf8), keeping: Self.selection)
        }
    }

    @Test("it is a part of what the whole text says, and refused where that is", arguments: 0..<16)
    func property(seed: UInt64) throws {
        let names = ["id", "payload", "type", "git", "branch", "source", "text"]
        var fuzz = FuzzedJSON(seed: seed, names: names, texts: ["main", "\"", "\\"])
        var (same, refused) = (0, 0)
        for round in 0..<400 {
            var bytes = fuzz.variation(of: Self.sample).canonicalBytes
            if round % 2 == 1 { bytes = fuzz.variation(of: bytes) }
            let kept = Result { try JSONValue(parsing: bytes, keeping: Self.selection) }
            switch (Result { try JSONValue(parsing: bytes) }, kept) {
            case (.success(let whole), .success(let kept)):
                #expect(kept == Self.part(whole))
                same += 1
            case (.failure, .failure): refused += 1
            case (.failure(let error), .success):
                // What only values show is not looked for in what is passed over.
                let reason = "\(error)"
                #expect(reason.contains("twice") || reason.contains("not representable"))
            case (.success, .failure(let error)):
                Issue.record("\(String(decoding: bytes, as: UTF8.self)) is refused: \(error)")
            }
        }
        #expect(same > 150 && refused > 20)
    }
}
