import Conversations
import Foundation
import Kernel
import Testing

@testable import Agents

@Suite("Requests of agents")
struct RequestTests {
    static func codex(_ method: String, _ parameters: JSONValue) throws -> AgentRequest {
        let whole = parameters.adding("threadId", "t").adding("turnId", "u").adding("itemId", "i")
        return try #require(CodexRequest.parse(method: method, whole, changes: { _ in nil })).request
    }

    private static func reply(
        _ request: AgentRequest,
        _ option: String,
        _ answers: [String: [String]] = [:]
    ) throws -> JSONValue? {
        guard case .result(let result) = try request.reply(ApprovalAnswer(optionID: option, answers: answers)) else {
            return nil
        }
        return result
    }

    @Test("Codex's own list of answers is offered in its order, lasting ones in words")
    func decisions() throws {
        let amendment: JSONValue = ["acceptWithExecpolicyAmendment": ["execpolicy_amendment": ["npm", "test"]]]
        let network: JSONValue = [
            "applyNetworkPolicyAmendment": ["network_policy_amendment": ["host": "x.org", "action": "deny"]]
        ]
        let request = try Self.codex(
            "item/commandExecution/requestApproval",
            ["command": "npm test", "availableDecisions": ["accept", amendment, network, "unheardOf"]]
        )
        #expect(request.options.map(\.kind) == [.allowOnce, .other("allow_always"), .decline])
        #expect(
            request.options.compactMap(\.name) == [
                "Allow, and always allow commands that begin with: npm test", "Decline, and always for the host x.org",
            ]
        )
        #expect(try Self.reply(request, request.options[1].id) == ["decision": amendment])
        #expect(try Self.reply(request, request.options[2].id) == ["decision": network])
        // What is allowed for good is shown word by word, or not offered.
        let amendments: [JSONValue] = [["rm", "a b"], ["rm", 7], [.string(String(repeating: "x", count: 401))]]
        let lasting = try Self.codex(
            "item/commandExecution/requestApproval",
            [
                "command": "x",
                "availableDecisions": .array(
                    amendments.map { ["acceptWithExecpolicyAmendment": ["execpolicy_amendment": $0]] }
                ),
            ]
        )
        #expect(
            lasting.options.map(\.name) == ["Allow, and always allow commands that begin with: rm 'a b'", nil]
        )
        let only = try Self.codex(
            "item/commandExecution/requestApproval",
            ["command": "x", "availableDecisions": ["accept"]]
        )
        #expect(only.options.map(\.kind) == [.allowOnce, .decline])
        #expect(try Self.reply(only, "decline") == ["decision": "decline"])
    }

    @Test("a command that would get more than can be shown can only be declined")
    func manyPermissions() throws {
        let paths = (0..<200).map { JSONValue.string("/srv/folder-\($0)") }
        let request = try Self.codex(
            "item/commandExecution/requestApproval",
            ["command": "make", "additionalPermissions": ["fileSystem": ["write": .array(paths)]]]
        )
        #expect(request.options.map(\.kind) == [.decline])
        #expect(try Self.reply(request, request.options[0].id) == ["decision": "decline"])
    }

    @Test("what a command would get besides is said; one without a command line shows the network it asks for")
    func permissionsOfCommands() throws {
        let request = try Self.codex(
            "item/commandExecution/requestApproval",
            [
                "command": "make", "reason": "Builds.",
                "additionalPermissions": ["network": ["enabled": true], "fileSystem": ["write": ["/opt"]]],
            ]
        )
        #expect(request.reason == "Builds. The command would also get: Write below /opt Network")
        let network = try Self.codex(
            "item/commandExecution/requestApproval",
            ["networkApprovalContext": ["host": "x.org", "protocol": "https"]]
        )
        #expect(network.subject == .permissions(["Network: https to x.org"]))
        let nothing = try Self.codex("item/commandExecution/requestApproval", [:])
        #expect(nothing.options.map(\.kind) == [.decline])
        #expect(try Self.reply(nothing, "decline") == ["decision": "decline"])
    }

    @Test("a command that is too long to be shown whole can only be declined")
    func longCommand() throws {
        let line = String(repeating: "x", count: ItemText.limit + 1)
        let request = try Self.codex("item/commandExecution/requestApproval", ["command": .string(line)])
        #expect(request.options.map(\.kind) == [.decline])
        guard case .unknown(_, let raw) = request.subject else {
            Issue.record("\(request.subject)")
            return
        }
        #expect(raw.isCut)
        let whole = try Self.codex(
            "item/commandExecution/requestApproval",
            ["command": .string(String(line.dropLast()))]
        )
        #expect(whole.subject == .command(Approval.Command(line: String(line.dropLast()))))
    }

    @Test("permissions are granted as asked, for the turn or the session, or not at all")
    func permissions() throws {
        let asked: JSONValue = [
            "network": ["enabled": true], "fileSystem": ["read": ["/a"], "write": ["/b", "/c"]], "macos": .null,
            "moon": 3,
        ]
        let request = try Self.codex("item/permissions/requestApproval", ["permissions": asked, "reason": "why"])
        #expect(
            request.subject
                == .permissions(["Read below /a", "Write below /b", "Write below /c", "moon: 3", "Network"])
        )
        #expect(try Self.reply(request, "turn") == ["permissions": asked, "scope": "turn"])
        #expect(try Self.reply(request, "session") == ["permissions": asked, "scope": "session"])
        #expect(try Self.reply(request, "decline") == ["permissions": [:], "scope": "turn"])
    }

    @Test("a folder that stands in the list of entries and in the old lists is shown once, and granted as asked")
    func permissionsTwice() throws {
        func entry(_ access: String, _ path: JSONValue) -> JSONValue { ["access": .string(access), "path": path] }
        let asked: JSONValue = [
            "fileSystem": [
                "read": ["/a"], "write": ["/b"],
                "entries": [
                    entry("write", ["type": "path", "path": "/b"]), entry("read", ["type": "path", "path": "/a"]),
                    entry("write", ["type": "path", "path": "/c"]), entry("write", ["type": "glob", "path": "/b"]),
                    entry("none", ["type": "path", "path": "/a"]), entry("read", ["type": "special", "value": "root"]),
                ],
            ]
        ]
        let request = try Self.codex("item/permissions/requestApproval", ["permissions": asked])
        #expect(
            request.subject
                == .permissions([
                    "Read below /a", "Write below /b", "Write below /c", "write: /b", "none: /a",
                    #"read: {"type":"special","value":"root"}"#,
                ])
        )
        #expect(try Self.reply(request, "turn") == ["permissions": asked, "scope": "turn"])
    }

    @Test("permissions of kinds that are not known are shown as Codex wrote them: nothing is granted that is not shown")
    func unknownPermissions() throws {
        let asked: JSONValue = [
            "network": ["enabled": false, "allowedDomains": ["x.org"]],
            "fileSystem": [
                "execute": ["/"], "read": ["/a", 3], "write": true,
                "entries": [["access": "write", "path": ["path": "/b"]], ["all": true]],
            ],
        ]
        let request = try Self.codex("item/permissions/requestApproval", ["permissions": asked])
        #expect(
            request.subject
                == .permissions([
                    "Read below /a", "Read below 3", "write: /b", #"{"all":true}"#, #"fileSystem execute: ["/"]"#,
                    "fileSystem write: true", #"network allowedDomains: ["x.org"]"#,
                ])
        )
        #expect(
            try Self.codex("item/permissions/requestApproval", ["permissions": ["fileSystem": true, "network": true]])
                .subject
                == .permissions(["fileSystem: true", "Network"])
        )
    }

    @Test(
        "permissions that are too many or too long to be shown, or none, can only be declined",
        arguments: [
            ["fileSystem": ["read": .array((0..<101).map { .string("/\($0)") }), "write": ["/"]]],
            ["fileSystem": ["write": [.string("/" + String(repeating: "x/", count: 600))]]], [:], 1,
        ] as [JSONValue]
    )
    func largePermissions(asked: JSONValue) throws {
        let request = try Self.codex("item/permissions/requestApproval", ["permissions": asked])
        guard case .unknown = request.subject else {
            Issue.record("\(request.subject)")
            return
        }
        #expect(request.options.map(\.kind) == [.decline])
        #expect(try Self.reply(request, "decline") == ["permissions": [:], "scope": "turn"])
    }

    @Test("a command or a change with which more would be allowed than can be shown can only be declined")
    func largeExtras() throws {
        let folders: JSONValue = .array((0..<60).map { .string("/a/long/folder/with/a/name/\($0)") })
        let command = try Self.codex(
            "item/commandExecution/requestApproval",
            ["command": "make", "additionalPermissions": ["fileSystem": ["write": folders]]]
        )
        #expect(command.options.map(\.kind) == [.decline])
        #expect(try Self.reply(command, "decline") == ["decision": "decline"])
        // A long reason does not push out what is allowed besides.
        let reason = String(repeating: "because ", count: 500)
        let short = try Self.codex(
            "item/commandExecution/requestApproval",
            ["command": "make", "reason": .string(reason), "additionalPermissions": ["network": true]]
        )
        #expect(short.reason?.hasSuffix("The command would also get: Network") == true)
        let root = "/" + String(repeating: "x/", count: 1000)
        let change = CodexRequest.parse(
            method: "item/fileChange/requestApproval",
            ["threadId": "t", "itemId": "i", "grantRoot": .string(root)],
            changes: { _ in [["path": "/a", "kind": "add", "diff": "x"]] }
        )
        #expect(change?.request.options.map(\.kind) == [.decline])
    }

    @Test("of many answers of an agent so many are offered that the one that declines is among them")
    func manyOptions() throws {
        let options = (0..<30).map { number -> JSONValue in
            ["optionId": .string("o\(number)"), "name": "Yes", "kind": "allow_once"]
        }
        let request = try #require(
            ACPRequest.parse(
                method: "session/request_permission",
                ["sessionId": "s", "toolCall": ["toolCallId": "c", "title": "Build"], "options": .array(options)]
            )
        ).request
        #expect(request.options.count == Approval.optionLimit)
        #expect(request.options.last?.kind == .cancel)
    }

    @Test("questions of Codex are answered by their ids")
    func questions() throws {
        let request = try Self.codex(
            "item/tool/requestUserInput",
            [
                "questions": [
                    [
                        "id": "a", "header": "Base", "question": "Which?",
                        "options": [["label": "main \n x"], ["label": "dev"]],
                    ],
                    ["id": "b", "header": "", "question": "Key?", "isSecret": true],
                ]
            ]
        )
        #expect(
            request.subject
                == .questions([
                    Approval.Question(id: "a", text: "Base: Which?", choices: ["main x", "dev"], allowsText: false),
                    Approval.Question(id: "b", text: "Key?", isSecret: true),
                ])
        )
        #expect(
            try Self.reply(request, "submit", ["a": ["main x"], "b": ["k"]])
                == ["answers": ["a": ["answers": ["main \n x"]], "b": ["answers": ["k"]]]]
        )
        #expect(try Self.reply(request, "decline") == ["answers": [:]])
        #expect(throws: AgentError.answerMissing(question: "Base: Which?")) {
            try Self.reply(request, "submit", ["a": ["neither"], "b": ["k"]])
        }
        #expect(throws: AgentError.answerMissing(question: "Key?")) {
            try Self.reply(request, "submit", ["a": ["dev"]])
        }
    }

    private static func elicitation(_ parameters: JSONValue) throws -> AgentRequest {
        try codex("mcpServer/elicitation/request", parameters.adding("serverName", "github"))
    }

    @Test("a form's answers are of its schema's types")
    func form() throws {
        let request = try Self.elicitation(
            [
                "mode": "form", "message": "Fill in",
                "requestedSchema": [
                    "type": "object", "required": ["name", "count"],
                    "properties": [
                        "name": ["type": "string", "title": "Name", "description": "of the repository"],
                        "count": ["type": "integer"], "ratio": ["type": "number"], "open": ["type": "boolean"],
                        "level": ["type": "string", "enum": ["lo", "hi"], "enumNames": ["Low", "High"]],
                        "tags": [
                            "type": "array", "items": ["anyOf": [["const": "a", "title": "A"], ["const": "b"]]],
                        ],
                    ],
                ],
            ]
        )
        guard case .questions(let questions) = request.subject else {
            Issue.record("\(request.subject)")
            return
        }
        #expect(questions.map(\.id) == ["count", "level", "name", "open", "ratio", "tags"])
        #expect(questions[1].choices == ["Low", "High"])
        #expect(questions[2].text == "Name: of the repository")
        #expect(questions[3].choices == ["true", "false"])
        #expect(questions[5].allowsSeveral && questions[5].choices == ["A", "b"])
        #expect(request.reason == "github: Fill in")
        let filled = [
            "name": ["x"], "count": ["3"], "ratio": ["1.5"], "open": ["true"], "level": ["High"], "tags": ["A", "b"],
        ]
        #expect(
            try Self.reply(request, "accept", filled) == [
                "action": "accept",
                "content": [
                    "name": "x", "count": 3, "ratio": .number(1.5), "open": true, "level": "hi", "tags": ["a", "b"],
                ],
            ]
        )
        #expect(try Self.reply(request, "decline") == ["action": "decline", "content": .null])
        #expect(try Self.reply(request, "cancel") == ["action": "cancel", "content": .null])
        for (name, wrong) in [
            ("count", "three"), ("ratio", "nan"), ("open", "yes"), ("level", "Middle"), ("tags", "c"), ("name", ""),
        ] {
            #expect(throws: AgentError.self) {
                try Self.reply(request, "accept", filled.merging([name: [wrong]]) { $1 })
            }
        }
        let fewest = ["name": ["x"], "count": ["3"]]
        #expect(try Self.reply(request, "accept", fewest)?["content"] == ["name": "x", "count": 3])
    }

    @Test("a form without questions asks for a yes; a lasting one only where the server offers it")
    func consent() throws {
        let plain = try Self.elicitation([
            "mode": "form", "message": "Delete it?", "requestedSchema": ["type": "object"],
        ])
        #expect(plain.options.map(\.kind) == [.allowOnce, .decline, .cancel])
        #expect(try Self.reply(plain, "accept") == ["action": "accept", "content": [:]])
        let lasting = try Self.elicitation(
            [
                "mode": "form", "message": "Use it?", "requestedSchema": ["type": "object", "properties": [:]],
                "_meta": ["codex_approval_kind": "mcp_tool_call", "persist": ["session", "always"]],
            ]
        )
        #expect(lasting.options.map(\.id) == ["accept", "session", "always", "decline", "cancel"])
        #expect(
            try Self.reply(lasting, "session")
                == ["action": "accept", "content": [:], "_meta": ["persist": "session"]]
        )
    }

    @Test("what a tool of an MCP server gets is shown whole and unfolded, or can only be declined")
    func wholeConsent() throws {
        let script = "# \(AskedTextTests.privateKey)\nrm -rf /\n"
        func asked(_ script: String) throws -> AgentRequest {
            let meta: JSONValue = ["tool_params": ["script": .string(script)], "persist": ["session", "always"]]
            return try Self.elicitation(
                ["mode": "form", "message": "Run it?", "requestedSchema": ["type": "object"], "_meta": meta]
            )
        }
        let whole = try asked(script)
        let shown: JSONValue = [
            "message": "Run it?",
            "details": ["tool_params": ["script": .string(script)], "persist": ["session", "always"]],
        ]
        #expect(whole.subject == .tool(ToolCall(name: "github", arguments: ItemText(unfolded: shown.canonicalText))))
        #expect(whole.options.map(\.id) == ["accept", "session", "always", "decline", "cancel"])
        let long = try asked(String(repeating: "x", count: ItemText.limit))
        guard case .unknown(method: "mcpServer/elicitation/request", _) = long.subject else {
            Issue.record("\(long.subject)")
            return
        }
        #expect(long.options.map(\.id) == ["decline", "cancel"])
        #expect(try Self.reply(long, "decline") == ["action": "decline", "content": .null])
    }

    @Test("an address is shown, and what is no form is shown raw")
    func address() throws {
        let request = try Self.elicitation([
            "mode": "url", "message": "Sign in", "url": "https://x.org", "elicitationId": "e",
        ])
        #expect(request.subject == .permissions(["Open https://x.org"]))
        #expect(try Self.reply(request, "accept") == ["action": "accept", "content": .null])
        let odd = try Self.elicitation(
            ["mode": "form", "message": "", "requestedSchema": ["properties": ["a": ["type": "object"]]]]
        )
        guard case .unknown(method: "mcpServer/elicitation/request", _) = odd.subject else {
            Issue.record("\(odd.subject)")
            return
        }
    }

    @Test("every word of a command that an agent gives as a list is one word of the line")
    func quoting() {
        var call = ACPToolCall(id: "c")
        call.merge(["kind": "execute", "rawInput": ["command": ["git", "commit", "-m", "it's", "", "a$b"]]])
        #expect(call.command == #"git commit -m 'it'\''s' '' 'a$b'"#)
    }
}
