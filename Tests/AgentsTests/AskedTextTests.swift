import Conversations
import Foundation
import Kernel
import Testing

@testable import Agents

@Suite("What is allowed is what is seen")
struct AskedTextTests {
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

    static let privateKey = "-----BEGIN PRIVATE KEY-----"

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
            try RequestTests.codex("item/permissions/requestApproval", asked).subject
                == .permissions(["Write below \(folder)"])
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
