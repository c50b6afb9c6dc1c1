import Conversations
import Foundation
import Kernel
import Testing

@testable import Agents

@Suite("Requests of agents")
struct RequestTests {
    private static func codex(_ method: String, _ parameters: JSONValue) throws -> AgentRequest {
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
        let script = "# \(Self.privateKey)\nrm -rf /\n"
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

    // MARK: What is allowed is what is seen

    private static func claude(
        _ tool: String,
        _ input: JSONValue,
        suggestions: JSONValue = []
    ) throws -> AgentRequest {
        let asked: JSONValue = [
            "subtype": "can_use_tool", "tool_name": .string(tool), "input": input,
            "permission_suggestions": suggestions,
        ]
        return try #require(ClaudeControl(asked).request)
    }

    private static func acp(_ call: JSONValue, _ options: JSONValue = [["optionId": "yes", "kind": "allow_once"]])
        throws
        -> AgentRequest
    {
        let parameters: JSONValue = ["sessionId": "s", "toolCall": call, "options": options]
        return try #require(ACPRequest.parse(method: "session/request_permission", parameters)).request
    }

    private static let privateKey = "-----BEGIN PRIVATE KEY-----"

    @Test("nothing is folded out of what a person is asked to allow")
    func unfolded() throws {
        let content = "# \(Self.privateKey)\nrm -rf /\n"
        let write = try Self.claude(
            "Write",
            ["file_path": .string("/\(Self.privateKey)/../a"), "content": .string(content)]
        )
        guard case .fileChange(let change) = write.subject else {
            Issue.record("\(write.subject)")
            return
        }
        #expect(change.patch.text == "+# \(Self.privateKey)\n+rm -rf /\n")
        #expect(change.files == [FileChange.File(path: "/\(Self.privateKey)/../a", kind: .written)])
        let tool = try Self.claude("mcp__sh__run", ["script": .string(content)])
        guard case .tool(let call) = tool.subject else {
            Issue.record("\(tool.subject)")
            return
        }
        #expect(call.arguments.text.contains("rm -rf /"))
        let folder = "/srv/\(Self.privateKey)/../.."
        let asked: JSONValue = ["permissions": ["fileSystem": ["write": [.string(folder)]]]]
        #expect(
            try Self.codex("item/permissions/requestApproval", asked).subject == .permissions(["Write below \(folder)"])
        )
    }

    @Test("what a tool of Claude Code does beside what is shown is said, or all of its input is shown")
    func otherMembers() throws {
        let bash = try Self.claude(
            "Bash",
            ["command": "make", "timeout": 5, "run_in_background": false, "dangerouslyDisableSandbox": true]
        )
        #expect(bash.subject == .command(Approval.Command(line: "make")))
        #expect(bash.reason == "It also says: dangerouslyDisableSandbox: true")
        let edit: JSONValue = ["file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": true]
        #expect(try Self.claude("Edit", edit).reason == "It also says: replace_all: true")
        let wholes: [(String, JSONValue)] = [
            ("Edit", ["file_path": "/a", "old_string": "a", "new_string": ["b"]]),
            ("MultiEdit", ["file_path": "/a", "edits": [edit]]),
            ("NotebookEdit", ["notebook_path": "/a", "new_source": "x", "edit_mode": "delete", "cell_id": "c"]),
            ("Write", ["file_path": "/a\nb", "content": "x"]),
            ("Bash", ["command": "make", "env": .string(String(repeating: "x", count: 2000))]),
            ("Write", ["notebook_path": "/a", "content": "x"]),
        ]
        for (tool, input) in wholes {
            guard case .tool(let call) = try Self.claude(tool, input).subject else {
                Issue.record("\(tool)")
                continue
            }
            #expect(call.arguments.text == input.canonicalText)
        }
        let notebook = try Self.claude(
            "NotebookEdit",
            ["notebook_path": "/n", "file_path": "/decoy", "new_source": "x", "cell_id": "c"]
        )
        #expect(notebook.reason == "It also says: cell_id: \"c\", file_path: \"/decoy\"")
        let long = try Self.claude("mcp__a__b", ["text": .string(String(repeating: "x", count: ItemText.limit))])
        #expect(long.options.map(\.kind) == [.decline, .cancel])
    }

    @Test("a member that is false is said, too, but for those that ask for nothing then")
    func falseMembers() throws {
        let harmless: JSONValue = ["command": "make", "run_in_background": false, "dangerouslyDisableSandbox": false]
        #expect(try Self.claude("Bash", harmless).reason == nil)
        let bash = try Self.claude("Bash", harmless.adding("sandbox", false).adding("dry_run", false))
        #expect(bash.subject == .command(Approval.Command(line: "make")))
        #expect(bash.reason == "It also says: dry_run: false, sandbox: false")
        let edit: JSONValue = ["file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": false]
        #expect(try Self.claude("Edit", edit).reason == nil)
        #expect(try Self.claude("Edit", edit.adding("backup", false)).reason == "It also says: backup: false")
        let run: JSONValue = [
            "toolCallId": "c", "kind": "execute",
            "rawInput": ["command": "make", "is_background": false, "sandbox": false, "env": .null],
        ]
        #expect(try Self.acp(run).reason == "It also says: sandbox: false")
    }

    @Test("an answer of Claude Code for the session is offered only where its rules can be said whole")
    func sessionRules() throws {
        let rule: JSONValue = ["toolName": "Bash", "ruleContent": "rm:*"]
        let allowing: JSONValue = ["type": "addRules", "behavior": "allow", "rules": [rule]]
        let offered = try Self.claude(
            "Bash",
            ["command": "rm a"],
            suggestions: [
                allowing, ["type": "setMode", "mode": "acceptEdits"], ["type": "addDirectories", "directories": ["/"]],
            ]
        )
        #expect(offered.options[1].name == "Allow for this session: Bash(rm:*), mode acceptEdits, folder /")
        let others: [JSONValue] = [
            ["type": "addRules", "behavior": "deny", "rules": [rule]], ["type": "removeRules", "rules": [rule]],
            ["type": "replaceRules", "behavior": "allow", "rules": [rule]],
            ["type": "addRules", "behavior": "allow", "rules": [["ruleContent": "x"]]],
            ["type": "addDirectories", "directories": [.string("/" + String(repeating: "x", count: 500))]],
            ["type": "setMode", "mode": "a\nb"],
        ]
        for other in others {
            let request = try Self.claude("Bash", ["command": "rm a"], suggestions: [allowing, other])
            #expect(request.options.map(\.kind) == [.allowOnce, .decline, .cancel])
        }
    }

    @Test("a request of an ACP agent that cannot be shown whole can only be declined")
    func wholeACP() throws {
        let diff: JSONValue = ["type": "diff", "path": "/a", "newText": "x\r\n*** /b\r\ny"]
        guard case .fileChange(let change) = try Self.acp(["toolCallId": "c", "content": [diff]]).subject else {
            Issue.record("no change")
            return
        }
        #expect(change.patch.text == "*** /a\n+x\r\n+*** /b\r\n+y\n")
        let many: JSONValue = .array(Array(repeating: diff, count: FileChange.fileLimit + 1))
        let unnamed: JSONValue = [["type": "diff", "path": "/a\n*** /b", "newText": "x"]]
        for content in [many, unnamed] {
            #expect(try Self.acp(["toolCallId": "c", "content": content]).options.map(\.kind) == [.cancel])
        }
        let command: JSONValue = ["command": "make", "cwd": "/src", "sudo": true]
        let run = try Self.acp(["toolCallId": "c", "kind": "execute", "title": "Build", "rawInput": command])
        #expect(run.reason == "Build It also says: sudo: true")
        let both = try Self.acp([
            "toolCallId": "c", "kind": "execute", "rawInput": ["command": "ls", "cmd": "rm -rf /"],
        ])
        guard case .tool(let call) = both.subject else {
            Issue.record("\(both.subject)")
            return
        }
        #expect(call.arguments.text.contains("rm -rf /"))
    }

    @Test("a call of which something was too large to be kept is allowed only by a request that tells all of it itself")
    func partialACP() throws {
        var partial = ACPToolCall(id: "c")
        partial.merge(["kind": "execute", "title": "ls", "content": [], "rawInput": ["command": "ls"]])
        partial.isPartial = true
        func asked(_ told: JSONValue) throws -> AgentRequest {
            let parameters: JSONValue = [
                "sessionId": "s", "toolCall": told.adding("toolCallId", "c"),
                "options": [["optionId": "yes", "kind": "allow_once"]],
            ]
            let parsed = ACPRequest.parse(
                method: "session/request_permission",
                parameters,
                known: { [partial] _ in partial }
            )
            return try #require(parsed).request
        }
        let parts: [JSONValue] = [
            [:], ["content": []], ["rawInput": ["command": "rm"]], ["content": [], "rawInput": [:]],
            ["content": .null, "rawInput": ["command": "rm"]], ["content": [], "rawInput": .null, "title": "rm"],
        ]
        for told in parts { #expect(try asked(told).options.map(\.kind) == [.cancel]) }
        let whole = try asked(["content": [], "rawInput": ["command": "rm"], "kind": "execute", "title": "Remove"])
        #expect(whole.subject == .command(Approval.Command(line: "rm")))
        #expect(whole.reason == "Remove")
        #expect(whole.options.map(\.kind) == [.allowOnce, .cancel])
        // Nothing comes from before: neither the kind nor the title.
        let bare = try asked(["content": [], "rawInput": ["path": "/a"]])
        let arguments = ItemText(unfolded: #"{"path":"/a"}"#)
        #expect(bare.subject == .tool(ToolCall(callID: "c", name: "other", arguments: arguments)))
        #expect(bare.reason == nil)
    }

    @Test("a title that alone says what an ACP agent wants to do is shown whole and unfolded")
    func titleOfACP() throws {
        let script = "cat > key <<EOF\n\(Self.privateKey)\nEOF" + String(repeating: "\n:", count: 500) + "\nrm -rf /"
        for title in ["ls -la [current working directory /src]", script] {
            let run: JSONValue = [
                "toolCallId": "c", "status": "pending", "title": .string(title), "kind": "execute", "content": [],
                "locations": [],
            ]
            let request = try Self.acp(run)
            let text = ItemText(unfolded: title)
            #expect(request.subject == .tool(ToolCall(callID: "c", name: "execute", arguments: text)))
            // What the text says is not said a second time.
            #expect(request.reason == nil)
            #expect(request.options.map(\.kind) == [.allowOnce, .cancel])
        }
        let long = String(repeating: "x", count: ItemText.limit + 1)
        let calls: [JSONValue] = [
            ["title": .string(long), "kind": "execute"], ["kind": "execute"], ["title": " \n", "rawInput": [:]], [:],
        ]
        for call in calls {
            #expect(try Self.acp(call.adding("toolCallId", "c")).options.map(\.kind) == [.cancel])
        }
    }

    @Test("content without an input does not hide the title, and no title stands there twice")
    func contentOfACP() throws {
        func tool(_ title: String, _ kind: String, _ content: JSONValue...) throws -> ToolCall? {
            let call: JSONValue = [
                "toolCallId": "c", "title": .string(title), "kind": .string(kind), "content": .array(content),
            ]
            let request = try Self.acp(call)
            #expect(request.reason == nil)
            if case .tool(let tool) = request.subject { return tool }
            Issue.record("\(request.subject)")
            return nil
        }
        func text(_ text: String) -> JSONValue {
            ["type": "content", "content": ["type": "text", "text": .string(text)]]
        }
        let run = try tool("ls\nrm -rf /", "execute", text("[current working directory /src] (Lists)"))
        #expect(run?.name == "execute")
        #expect(run?.arguments.text == "ls\nrm -rf /\n\n[current working directory /src] (Lists)")
        let image: JSONValue = ["type": "content", "content": ["type": "resource", "resource": ["text": "rm"]]]
        let other = try tool("create_issue (github MCP Server)", "other", text("{\"title\":\"a\"}"), image)
        #expect(other?.name == "create_issue (github MCP Server)")
        #expect(other?.arguments.text == "{\"title\":\"a\"}\n\n\(image.canonicalText)")
        #expect(try tool("list_issues", "other")?.arguments.text == "")
        // Where the name does not show all of the title, the text does.
        for title in ["a  b", "\(Self.privateKey)", String(repeating: "x", count: 201)] {
            #expect(try tool(title, "other")?.arguments.text == title)
        }
    }

    @Test("an empty input takes back nothing of a call that was told before")
    func emptyInput() throws {
        var known = ACPToolCall(id: "c")
        known.merge(["title": "make", "kind": "execute", "rawInput": ["command": "make"]])
        let parameters: JSONValue = [
            "sessionId": "s", "toolCall": ["toolCallId": "c", "title": "bash", "rawInput": [:]],
        ]
        let request = ACPRequest.parse(
            method: "session/request_permission",
            parameters,
            known: { [known] _ in known }
        )
        #expect(request?.request.subject == .command(Approval.Command(line: "make")))
    }

    private static func edit(_ input: JSONValue, path: String = "/src/a.c") throws -> AgentRequest {
        let diff: JSONValue = ["type": "diff", "path": .string(path), "oldText": "a", "newText": "b"]
        return try acp(["toolCallId": "c", "kind": "edit", "title": "Edit a.c", "content": [diff], "rawInput": input])
    }

    @Test(
        "an edit of an ACP agent is its change, and nothing else where its input says no more",
        arguments: [
            [:], .null, ["file_path": "/src/a.c", "old_string": "a", "new_string": "b", "replace_all": false],
            ["file_path": "/src/a.c", "content": "b"], ["filePath": "src/a.c", "oldString": "a", "newString": "b"],
            ["filepath": "/src/a.c", "diff": "@@ -1 +1 @@\n-a\n+b\n"],
            ["path": "a.c", "edits": [["old_text": "a", "new_text": "b"], ["oldText": "b", "newText": "b"]]],
            [
                "call_id": "c", "turn_id": "t", "reason": .null,
                "changes": [
                    "/src/a.c": ["type": "update", "unified_diff": "@@ -1 +1 @@\n-a\n+b\n", "move_path": .null]
                ],
            ],
        ] as [JSONValue]
    )
    func editsOfACP(input: JSONValue) throws {
        let request = try Self.edit(input)
        guard case .fileChange(let change) = request.subject else {
            Issue.record("\(request.subject)")
            return
        }
        #expect(change.patch.text == "*** /src/a.c\n@@ -1,1 +1,1 @@\n-a\n+b\n")
        #expect(request.reason == "Edit a.c")
        #expect(request.options.map(\.kind) == [.allowOnce, .cancel])
    }

    @Test("what the input of an edit of an ACP agent says beside its change is said, or all of the input is shown")
    func besideEditsOfACP() throws {
        let edit: JSONValue = ["file_path": "/src/a.c", "old_string": "a", "new_string": "b"]
        let others: [(JSONValue, String)] = [
            (edit.adding("replace_all", true), "replace_all: true"), (edit.adding("backup", false), "backup: false"),
            (edit.adding("path", "/etc/passwd"), "path: \"/etc/passwd\""),
            (edit.adding("new_string", ["b"]), "new_string: [\"b\"]"),
            (["edits": [["new_text": "b", "all": true]]], #"edits: [{"all":true,"new_text":"b"}]"#),
            (["edits": ["rm"]], "edits: [\"rm\"]"), ("rm", "\"rm\""),
            (["changes": ["/etc/b": ["type": "add"]]], "changes: {\"/etc/b\":{\"type\":\"add\"}}"),
            (["changes": ["/src/a.c": ["type": "delete"]]], "changes: {\"/src/a.c\":{\"type\":\"delete\"}}"),
        ]
        for (input, said) in others {
            let request = try Self.edit(input)
            guard case .fileChange = request.subject else {
                Issue.record("\(request.subject)")
                continue
            }
            #expect(request.reason == "Edit a.c It also says: \(said)")
        }
        let long = edit.adding("script", .string(String(repeating: "x", count: 2000)))
        guard case .tool(let call) = try Self.edit(long).subject else {
            Issue.record("no tool")
            return
        }
        #expect(call.arguments.text == long.canonicalText)
        let longer = edit.adding("script", .string(String(repeating: "x", count: ItemText.limit)))
        #expect(try Self.edit(longer).options.map(\.kind) == [.cancel])
    }

    @Test("what an ACP agent says in its content beside a change is said, too")
    func besideChangesOfACP() throws {
        func asked(_ text: String) throws -> AgentRequest {
            let content: JSONValue = [
                ["type": "content", "content": ["type": "text", "text": .string(text)]],
                ["type": "diff", "path": "/a", "newText": "x"],
            ]
            return try Self.acp(["toolCallId": "c", "kind": "edit", "title": "Edit", "content": content])
        }
        #expect(try asked("Outside of the folder.").reason == "Edit It also says: Outside of the folder.")
        guard case .tool(let call) = try asked("--- /b\n+y").subject else {
            Issue.record("no tool")
            return
        }
        #expect(call.name == "edit")
        #expect(
            call.arguments.text == "Edit\n\n--- /b\n+y\n\n{\"newText\":\"x\",\"path\":\"/a\",\"type\":\"diff\"}"
        )
    }

    @Test("an answer of an ACP agent is offered in its words, whole")
    func wordsOfACP() throws {
        let long = "Always allow " + String(repeating: "x", count: 500)
        let request = try Self.acp(
            ["toolCallId": "c", "rawInput": ["path": "/a"]],
            [
                ["optionId": "a", "kind": "allow_once", "name": .string(long)],
                ["optionId": "b", "kind": "allow_always", "name": .string("Always, \(Self.privateKey) and all")],
                ["optionId": "c", "kind": "reject_once", "name": .string(long)],
            ]
        )
        #expect(request.options.map(\.id) == ["b", "c", "tandem-cancel"])
        #expect(request.options[0].kind == .other("allow_always"))
        #expect(request.options[0].name == "Always, \(Self.privateKey) and all")
    }

    @Test("a difference is what is between the common beginning and end")
    func difference() {
        // A carriage return does not hide the line feed behind it.
        #expect(AgentText.difference(from: "a\r\nb\r\n", to: "a\r\nc\r\n") == "@@ -2,1 +2,1 @@\n-b\r\n+c\r\n")
        #expect(AgentText.difference(from: "a\nb\nc", to: "a\nx\ny\nc") == "@@ -2,1 +2,2 @@\n-b\n+x\n+y\n")
        #expect(AgentText.difference(from: "a\n", to: "a\na\n") == "@@ -2,0 +2,1 @@\n+a\n")
        #expect(AgentText.difference(from: "", to: "") == "@@ -2,0 +2,0 @@\n")
    }
}
