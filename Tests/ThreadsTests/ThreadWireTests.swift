import Commands
import Conversations
import Kernel
import Testing
import Threads

@Suite("Threads: what travels") struct ThreadWireTests {
    private static let text = ItemText("hello")

    @Test(
        "items of every kind come back as they were",
        arguments: [
            .userMessage(text), .agentMessage(text), .reasoning(text), .compaction(text),
            .toolCall(ToolCall(callID: "c1", name: "shell", arguments: text)),
            .toolOutput(ToolOutput(callID: "c1", text: text, outcome: .succeeded)),
            .toolOutput(ToolOutput(callID: nil, text: text, outcome: .failed(code: 2))),
            .toolOutput(ToolOutput(callID: nil, text: text, outcome: .failed(code: nil))),
            .toolOutput(ToolOutput(callID: nil, text: text, outcome: .unknown)),
            .fileChange(
                FileChange(
                    callID: "c2",
                    files: [
                        .init(path: "a", kind: .added), .init(path: "b", kind: .updated),
                        .init(path: "c", kind: .deleted), .init(path: "d", kind: .written),
                        .init(path: "e", kind: .moved(to: "f")),
                    ],
                    patch: text,
                    outcome: .succeeded
                )
            ),
            .plan(
                Plan(
                    callID: "c3",
                    explanation: text,
                    steps: [
                        .init(text: "one", state: .done), .init(text: "two", state: .running),
                        .init(text: "three", state: .pending), .init(text: "four", state: .other("blocked")),
                    ]
                )
            ),
            .plan(Plan(callID: nil, explanation: nil, steps: [])),
            .image(ImageLeftOut(origin: .user, mediaType: "image/png", byteCount: 12, location: nil)),
            .image(ImageLeftOut(origin: .tool, mediaType: nil, byteCount: nil, location: "/tmp/a.png")),
            .notice(Notice(kind: .error, text: text)), .notice(Notice(kind: .other("x"), text: text)),
            .unknown(type: "world_state"),
        ] as [ConversationItem.Content]
    )
    func items(content: ConversationItem.Content) throws {
        let item = ConversationItem(id: "i1", milliseconds: 5, position: 77, messageID: "m1", content: content)
        let wire = try JSONValue(parsing: item.wire().canonicalBytes)
        #expect(wire["cursor"] == "77")
        #expect(ConversationItem(wire: wire) == item)
    }

    @Test("approvals come in pages that fit, each once, also where one was answered in between")
    func approvalPages() throws {
        let all = (0..<30).map { index in
            Approval(
                id: "a\(index < 10 ? "0" : "")\(index)",
                thread: ThreadReference(agent: .codex, id: "t"),
                milliseconds: Int64(index / 3),
                subject: .command(Approval.Command(line: String(repeating: "x", count: 60_000))),
                options: [Approval.Option(id: "decline", kind: .decline)]
            )
        }
        var seen: [String] = []
        var left = all
        var cursor: String?
        repeat {
            let page = ApprovalList(left, after: cursor)
            let wire = try JSONValue(parsing: page.wire.canonicalBytes)
            #expect(wire.canonicalBytes.count <= ThreadLimits.pageBytes + 1000)
            #expect(try ApprovalList(wire: wire) == page)
            #expect(try ApprovalsQuery(wire: RemoteParameters(ApprovalsQuery(cursor: cursor).wire)).cursor == cursor)
            seen += page.items.map(\.id)
            left.removeAll { $0.id == page.items.last?.id }
            cursor = page.next
        } while cursor != nil
        #expect(seen == all.map(\.id))
    }

    @Test("questions come back with what is said about their choices, and those of earlier versions without")
    func questions() throws {
        var question = Approval.Question(
            id: "q",
            text: "Which way?",
            header: "Way",
            choices: ["Left", "Right", "Back"],
            details: [
                "Left": Approval.ChoiceDetail(text: "steep", preview: ItemText("A---B")),
                "Back": Approval.ChoiceDetail(text: "home"),
            ]
        )
        func travelled(_ question: Approval.Question) throws -> Approval? {
            let approval = Approval(
                id: "a",
                thread: ThreadReference(agent: .codex, id: "t"),
                milliseconds: 1,
                subject: .questions([question]),
                options: [Approval.Option(id: "submit", kind: .submit)]
            )
            return Approval(wire: try JSONValue(parsing: approval.wire.canonicalBytes))
        }
        #expect(try travelled(question)?.subject == .questions([question]))
        question.details = [:]
        question.header = nil
        #expect(try travelled(question)?.subject == .questions([question]))
    }

    @Test("a long text is cut at a whole character, and says how long it is")
    func cutText() throws {
        let text = ItemText(String(repeating: "ü", count: 10_000))
        let item = ConversationItem(id: "i", position: 0, content: .agentMessage(text))
        let wire = item.wire(textLimit: 1001)
        #expect(wire["text"]?.stringValue == String(repeating: "ü", count: 500))
        #expect(wire["is_cut"] == true)
        #expect(wire["length"] == 20_000)
        #expect(item.wire(textLimit: 20_000)["is_cut"] == nil)
    }

    @Test(
        "approvals of every kind come back as they were",
        arguments: [
            .command(.init(line: "rm -rf build", folder: "/home/ada")),
            .fileChange(
                FileChange(callID: nil, files: [.init(path: "a", kind: .updated)], patch: text, outcome: .unknown)
            ),
            .tool(ToolCall(name: "mcp__x", arguments: text)), .permissions(["network", "write /tmp"]),
            .questions([
                .init(
                    id: "q",
                    text: "Which?",
                    choices: ["a", "b"],
                    allowsSeveral: true,
                    allowsText: false,
                    isSecret: true
                )
            ]),
            .unknown(method: "item/new", raw: text),
        ] as [Approval.Subject]
    )
    func approvals(subject: Approval.Subject) throws {
        let approval = Approval(
            id: "a1",
            thread: ThreadReference(agent: .codex, id: "t1"),
            milliseconds: 9,
            subject: subject,
            reason: "because",
            options: [
                .init(id: "accept", kind: .allowOnce), .init(id: "s", name: "Always", kind: .allowForSession),
                .init(id: "decline", kind: .decline), .init(id: "c", kind: .cancel),
                .init(id: "o", kind: .other("later")),
            ]
        )
        #expect(Approval(wire: try JSONValue(parsing: approval.wire.canonicalBytes)) == approval)
    }

    @Test("an approval without an answer that can be given is none")
    func approvalWithoutOptions() {
        #expect(Approval(wire: ["id": "a", "thread_id": "t", "source": "codex", "options": []]) == nil)
    }

    @Test("cursors are text and back", arguments: ["0", "12", "12!", "12.abc def", "9223372036854775807.x.y"])
    func cursors(text: String) throws {
        #expect(try #require(ConversationCursor(text: text)).text == text)
    }

    @Test("what is no cursor is none", arguments: ["", "-1", "x", "1x", "!", ".a", "9223372036854775808"])
    func noCursors(text: String) { #expect(ConversationCursor(text: text) == nil) }

    @Test("parameters come back as they were")
    func parameters() throws {
        let thread = ThreadChoice(id: "t", agent: .claudeCode)
        let cursor = ConversationCursor(offset: 7, link: "u")
        func same<Parameters: MethodParameters & Equatable>(_ parameters: Parameters) throws {
            let wire = try JSONValue(parsing: parameters.wire.canonicalBytes)
            #expect(try Parameters(wire: RemoteParameters(wire)) == parameters)
        }
        try same(
            ThreadListQuery(
                limit: 3,
                cursor: "c",
                agent: .codex,
                folder: "/a",
                isArchived: true,
                includesAll: true,
                state: .waitingForApproval
            )
        )
        try same(ThreadListQuery())
        try same(ThreadFoldersQuery(agent: Agent(rawValue: "acp:gemini")))
        for part in [.last, .before(cursor), .after(cursor)] as [ThreadPageQuery.Part] {
            try same(ThreadPageQuery(thread, part, limit: 5))
        }
        try same(ThreadItemQuery(thread, at: cursor, item: "i", wantsImage: true))
        try same(ThreadSubscription(thread, after: cursor))
        try same(ThreadSubscription())
        try same(ThreadSearchQuery("a b", limit: 9, cursor: "x", agent: .codex, folder: "/b"))
        try same(
            ThreadPost(
                ThreadPrompt("hi", attachments: [.path("/a"), .data(name: "b", type: "text/plain", bytes: [1, 2])]),
                to: thread
            )
        )
        try same(ThreadStart(.codex, in: "~", ThreadPrompt("go")))
        try same(ApprovalChoice(ApprovalAnswer(optionID: "o", reason: "r", answers: ["q": ["a", "b"]]), to: "a1"))
    }

    private func same<Answer: MethodAnswer & Equatable>(_ answer: Answer) throws {
        #expect(try Answer(wire: try JSONValue(parsing: answer.wire.canonicalBytes)) == answer)
    }

    /// A line of the list with all its members.
    private static let summary: ThreadSummary = {
        var summary = ThreadSummary(
            ThreadReference(agent: .codex, id: "t"),
            title: "T",
            updatedMilliseconds: 4,
            isArchived: true,
            isInteractive: false,
            state: .failed,
            canPost: true
        )
        summary.createdMilliseconds = 1
        summary.lastMessageMilliseconds = 3
        summary.messageCount = 8
        summary.workingFolder = "/w"
        summary.gitBranch = "main"
        summary.model = "openai"
        summary.origin = "cli"
        summary.parentID = "p"
        summary.size = 99
        return summary
    }()

    @Test("lists of threads, folders and agents come back as they were")
    func lists() throws {
        try same(ThreadList([Self.summary], next: "n", total: 7, indexing: IndexingProgress(done: 1, total: 2)))
        try same(ThreadFolders([.init(path: "/a", count: 2, updatedMilliseconds: 3)]))
        try same(
            AgentList([
                .init(
                    .codex,
                    name: "Codex",
                    isInstalled: true,
                    version: "1",
                    canPost: true,
                    canStart: false,
                    reason: "r"
                ),
                .init(
                    .claudeCode,
                    name: "Claude Code",
                    isInstalled: false,
                    canPost: false,
                    canStart: false,
                    reason: "r",
                    installation: AgentInstallation(program: "claude", command: "npm", signIn: "claude")
                ),
            ])
        )
    }

    @Test("pages, items and hits come back as they were")
    func pages() throws {
        let item = ConversationItem(id: "i", position: 5, content: .agentMessage(ItemText("x")))
        try same(
            ThreadPage(
                thread: Self.summary,
                items: [item],
                older: ConversationCursor(offset: 1),
                newer: ConversationCursor(offset: 9, link: "u"),
                isEnd: false,
                replaces: true,
                skipped: 2,
                skippedBytes: 80,
                damage: "d"
            )
        )
        try same(ThreadItem(item, data: "AA=="))
        try same(
            ThreadHits(
                [
                    .init(
                        thread: Self.summary,
                        item: "i",
                        cursor: ConversationCursor(offset: 3),
                        kind: "user",
                        snippet: "abcd",
                        marks: [1..<3]
                    )
                ],
                next: "n",
                indexing: nil
            )
        )
    }

    @Test("what a thread was told comes back as it was")
    func told() throws {
        for delivery in [nil, .started, .steered, .queued, .other("soon")] as [ThreadProgress.Delivery?] {
            try same(ThreadProgress(.running, thread: Self.summary.reference, delivery: delivery))
        }
        try same(ThreadProgress(.idle, notDelivered: ["Later", "And later"]))
        try same(StartedThread(Self.summary))
        try same(ApprovalOutcome(counted: false, option: "o", by: "Ada"))
    }

    @Test("marks that lie outside of the snippet, overlap or are turned round are left out")
    func marks() throws {
        let wire: JSONValue = [
            "items": [
                [
                    "thread": ["id": "t", "source": "codex"], "kind": "user", "snippet": "abcd",
                    "marks": [[0, 2], [1, 3], [3, 2], [2, 9], [2, 4], ["a", 1], [-1, 2]],
                ]
            ]
        ]
        #expect(try ThreadHits(wire: wire).items[0].marks == [0..<2, 2..<4])
    }

    @Test(
        "the documented bridge's topK: 20 where it cannot be read, else brought into 1 to 200",
        arguments: [
            ([:], 20), (["topK": .null], 20), (["topK": "x"], 20), (["topK": 0], 1), (["topK": 5], 5),
            (["topK": 900], 200), (["x": 1], 20),
            (["limit": 7, "topK": 5], 7), (["source": "codex"], 50),
        ] as [(JSONValue, Int)]
    )
    func topK(wire: JSONValue, limit: Int) throws {
        #expect(try ThreadListQuery(wire: RemoteParameters(wire)).limit == limit)
    }

    @Test(
        "prompts that are too much or nothing are refused by name",
        arguments: [
            (["id": "t", "text": "  \n "], "text"), (["id": "t"], "text"),
            (["id": "t", "text": .string(String(repeating: "x", count: 65_537))], "text"),
            (["id": "t", "text": "x", "attachments": "y"], "attachments"),
            (["id": "t", "text": "x", "attachments": [["name": "a", "data": "%%%"]]], "data"),
            (["id": "t", "text": "x", "attachments": [["data": "AAAA"]]], "name"),
            (["id": "", "text": "x"], "id"), (["text": "x"], "id"), (["id": 5, "text": "x"], "id"),
        ] as [(JSONValue, String)]
    )
    func badPrompts(wire: JSONValue, name: String) throws {
        let failure = try #require(throws: RemoteFailure.self) { try ThreadPost(wire: RemoteParameters(wire)) }
        #expect(failure.code == FailureCode.badParameters)
        #expect(failure.message.hasPrefix("The parameter \(name) must be"))
    }

    @Test("a reader takes only what goes on from where it stands")
    func reader() throws {
        let thread = ThreadReference(agent: .codex, id: "t")
        func event(_ after: String, _ newer: String, _ ids: [String], replaces: Bool = false, of id: String = "t")
            -> RemoteEvent
        {
            var members: [String: JSONValue] = [
                "id": .string(id), "source": "codex", "after": .string(after), "newer": .string(newer), "is_end": true,
                "items": .array(ids.map { ["id": .string($0), "kind": "agent", "text": "x"] }),
            ]
            if replaces { members["replaces"] = true }
            return RemoteEvent(.threadItems, members)
        }
        func ids(_ step: ThreadReader.Step) -> [String] {
            switch step {
            case .add(let items), .replace(let items): items.map(\.id)
            case .ask: ["?"]
            case .nothing: []
            }
        }
        var reader = ThreadReader(thread)
        #expect(ids(reader.take(event("0", "5", ["a"]))) == ["?"])
        let first = ThreadPage(
            thread: nil,
            items: [ConversationItem(id: "a", position: 0, content: .unknown(type: "x"))],
            newer: ConversationCursor(offset: 5)
        )
        #expect(ids(reader.take(first, after: nil).step) == ["a"])
        #expect(ids(reader.take(event("5", "9", ["b"]))) == ["b"])
        // Twice, and one of another thread.
        #expect(ids(reader.take(event("5", "9", ["b"]))) == [])
        #expect(ids(reader.take(event("9", "12", ["c"], of: "other"))) == [])
        // A gap.
        #expect(ids(reader.take(event("12", "15", ["d"]))) == ["?"])
        #expect(reader.cursor?.offset == 9)
        let step = reader.take(event("9", "3", ["z"], replaces: true))
        #expect(step == .replace(step.items))
        #expect(ids(step) == ["z"])
        #expect(reader.cursor?.offset == 3)
    }

    @Test("answers of hostile computers are read or refused, never believed")
    func hostile() throws {
        let values: [JSONValue] = [
            .null, 5, "x", [], [:], ["items": 5], ["items": [[:], 5, ["id": "a"], ["id": "b", "source": "codex"]]],
            ["thread": 5, "items": [["id": "x", "kind": ["a"]]], "newer": "-5"],
        ]
        for value in values {
            _ = try? ThreadList(wire: value)
            _ = try? ThreadPage(wire: value)
            _ = try? ThreadHits(wire: value)
            _ = try? ApprovalList(wire: value)
            _ = try? AgentList(wire: value)
            #expect(Approval(wire: value) == nil)
        }
        #expect(try ThreadList(wire: values[6]).items.map(\.reference.id) == ["b"])
        #expect(try ThreadPage(wire: values[7]).items[0].content == .unknown(type: ""))
    }
}

extension ThreadReader.Step {
    fileprivate var items: [ConversationItem] {
        switch self {
        case .add(let items), .replace(let items): items
        case .ask, .nothing: []
        }
    }
}
