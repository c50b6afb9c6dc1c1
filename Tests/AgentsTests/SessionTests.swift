import Conversations
import Foundation
import Kernel
import KernelTesting
import LinuxAgents
import Logging
import ProgramTesting
import Testing

@testable import Agents

@Suite("Sessions of agents", .timeLimit(.minutes(2)))
struct SessionTests {
    private static let thread = ThreadReference(agent: .codex, id: "t")

    private static func request(_ method: String = "m") -> AgentRequest {
        .unknown(method: method, [:], declining: .declined)
    }

    @Test("refused requests are told of at most once a minute, with how many there were")
    func refusals() {
        let clock = ManualClock()
        let board = ThreadBoard(time: clock)
        #expect((0..<100).compactMap { _ in board.noteRefusal() } == [1])
        clock.advance(by: ThreadBoard.refusalPause)
        #expect(board.noteRefusal() == 100)
        #expect(board.noteRefusal() == nil)
    }

    @Test("of answers at once exactly one is claimed, whatever the threads")
    func claims() async throws {
        let board = ThreadBoard(time: ManualClock())
        for round in 0..<50 {
            #expect(
                board.ask(Self.request(), of: Self.thread, key: RequestKey(connection: "c", id: .integer(Int64(round))))
            )
            let id = try #require(board.approvals().first).id
            let claimed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let answer = ApprovalAnswer(optionID: "decline")
                        if case .claimed = try board.claim(id, answer, by: "p") { return true }
                        return false
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(claimed == 1)
        }
    }

    @Test("requests that are over are remembered up to a limit, and open ones have one")
    func limits() throws {
        let board = ThreadBoard(time: ManualClock())
        var ids: [String] = []
        for index in 0..<(ThreadBoard.closedLimit + 1) {
            let key = RequestKey(connection: "c", id: .integer(Int64(index)))
            #expect(board.ask(Self.request(), of: Self.thread, key: key))
            ids.append(try #require(board.approvals().first).id)
            board.withdraw(key)
        }
        #expect(throws: AgentError.unknownApproval) {
            try board.claim(ids[0], ApprovalAnswer(optionID: "decline"), by: "p")
        }
        guard case .already(nil, nil) = try board.claim(ids[1], ApprovalAnswer(optionID: "decline"), by: "p") else {
            Issue.record("the second request is forgotten")
            return
        }
        for index in 0..<ThreadBoard.openLimit {
            let agent = index < ThreadBoard.agentOpenLimit ? Agent.codex : .claudeCode
            let thread = ThreadReference(agent: agent, id: "t\(index / ThreadBoard.threadOpenLimit)")
            #expect(board.ask(Self.request(), of: thread, key: RequestKey(connection: "d", id: .integer(Int64(index)))))
        }
        let other = ThreadReference(agent: Agent(rawValue: "acp:goose"), id: "t")
        #expect(!board.ask(Self.request(), of: other, key: RequestKey(connection: "d", id: "more")))
        board.withdrawAll(of: "d")
        #expect(board.approvals().isEmpty)
    }

    @Test("a thread waits for an approval before it waits for words, and goes back to where it was")
    func states() async throws {
        let board = ThreadBoard(time: ManualClock())
        let events = board.events()
        let question = AgentRequest(
            subject: .questions([Approval.Question(id: "q", text: "?")]),
            options: [Approval.Option(id: "decline", kind: .decline)],
            reply: { _ throws(AgentError) in .declined }
        )
        board.turnBegan(Self.thread)
        #expect(board.ask(question, of: Self.thread, key: RequestKey(connection: "c", id: 1)))
        #expect(board.state(of: Self.thread) == .waitingForInput)
        #expect(board.ask(Self.request(), of: Self.thread, key: RequestKey(connection: "c", id: 2)))
        #expect(board.state(of: Self.thread) == .waitingForApproval)
        board.withdraw(RequestKey(connection: "c", id: 2))
        #expect(board.state(of: Self.thread) == .waitingForInput)
        board.turnEnded(Self.thread, .failed, summary: "why")
        #expect(board.state(of: Self.thread) == .failed)
        board.turnBegan(Self.thread)
        #expect(board.state(of: Self.thread) == .running)
        board.finish()
        var told: [String] = []
        for await event in events {
            switch event {
            case .state(_, let state, let reason): told.append(state.rawValue + (reason.map { " \($0)" } ?? ""))
            case .opened: told.append("opened")
            case .closed: told.append("closed")
            case .finished(_, let state, _): told.append("finished \(state.rawValue)")
            default: break
            }
        }
        #expect(
            told == [
                "running", "opened", "input", "opened", "approval", "closed", "input", "closed", "failed why",
                "finished failed", "running",
            ]
        )
    }

    @Test("a thread that floods with requests leaves room for the others")
    func floodOfOneThread() {
        let board = ThreadBoard(time: ManualClock())
        let asked = (0..<100).filter { index in
            board.ask(Self.request(), of: Self.thread, key: RequestKey(connection: "c", id: .integer(Int64(index))))
        }
        #expect(asked.count == ThreadBoard.threadOpenLimit)
        let other = ThreadReference(agent: .claudeCode, id: "other")
        #expect(board.ask(Self.request(), of: other, key: RequestKey(connection: "e", id: 1)))
    }

    @Test("an agent that floods by many threads leaves room for other agents")
    func floodOfOneAgent() {
        let board = ThreadBoard(time: ManualClock())
        let asked = (0..<400).filter { index in
            let thread = ThreadReference(agent: .codex, id: "\(index % 40)")
            return board.ask(Self.request(), of: thread, key: RequestKey(connection: "c", id: .integer(Int64(index))))
        }
        #expect(asked.count == ThreadBoard.agentOpenLimit)
        let other = ThreadReference(agent: .claudeCode, id: "other")
        #expect(board.ask(Self.request(), of: other, key: RequestKey(connection: "e", id: 1)))
    }

    @Test("a turn's end is told once nothing of the thread waits, and never where the next turn came first")
    func endWhileWaiting() async {
        let board = ThreadBoard(time: ManualClock())
        let events = board.events()
        let key = RequestKey(connection: "c", id: 1)
        for _ in 0..<2 {
            board.turnBegan(Self.thread)
            #expect(board.ask(Self.request(), of: Self.thread, key: key))
            board.turnEnded(Self.thread, .done, summary: "It works.", keepsRequests: true)
            #expect(board.state(of: Self.thread) == .waitingForApproval)
            #expect(board.isAsked(by: "c"))
        }
        #expect(board.approvals().count == 2)
        board.withdraw(key)
        #expect(board.state(of: Self.thread) == .done)
        board.finish()
        var told: [String] = []
        for await event in events {
            switch event {
            case .state(_, let state, _): told.append(state.rawValue)
            case .finished(_, let state, let summary): told.append("finished \(state.rawValue) \(summary ?? "")")
            default: break
            }
        }
        #expect(told == ["running", "approval", "done", "finished done It works."])
    }

    @Test("a message that streams without end is told up to the length of a text")
    func endlessDelta() async {
        let board = ThreadBoard(time: ManualClock())
        board.turnBegan(Self.thread)
        let events = board.events()
        for _ in 0..<20 { board.delta(Self.thread, itemID: "i", String(repeating: "ä", count: 5000)) }
        board.finish()
        var length = 0
        for await case .delta(_, _, let offset, let text) in events {
            #expect(offset == length)
            length += text.utf16.count
        }
        #expect((ItemText.limit / 2...ItemText.limit).contains(length))
    }

    private static func sessions(_ programs: [AgentProgram], state: String) -> AgentSessions {
        AgentSessions(
            programs: programs,
            state: URL(filePath: state),
            logger: Logger(label: "test"),
            launcher: LinuxAgentLauncher(environment: ["PATH": "/usr/bin:/bin", "HOME": "/nowhere"], asksShell: false)
        )
    }

    @Test("agents that are missing say so and what to do; those that are here say their version")
    func availability() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-agents-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fake = folder.appending(path: "codex")
        try await TestProgram.write("echo codex-cli 0.150.0\necho more", to: fake)
        var codex = AgentProgram.codex
        codex.command[0] = fake.path
        let goose = try #require(AgentProgram.acp(name: "goose", command: ["no-such-goose", "acp"]))
        let sessions = Self.sessions([codex, .claudeCode, goose], state: folder.path)
        let found = await sessions.availability()
        #expect(found.map(\.agent) == [.codex, .claudeCode, Agent(rawValue: "acp:goose")])
        #expect(found[0].isInstalled && found[0].canPost && found[0].canStart && found[0].reason == nil)
        #expect(found[0].version == "codex-cli 0.150.0")
        #expect(!found[1].isInstalled && !found[1].canStart)
        #expect(found[1].reason?.contains("npm install -g @anthropic-ai/claude-code") == true)
        #expect(found[2].reason?.contains("no-such-goose") == true)
        #expect(found[0].installation == nil)
        #expect(
            found[1].installation
                == AgentInstallation(
                    program: "claude",
                    command: "npm install -g @anthropic-ai/claude-code",
                    signIn: "claude"
                )
        )
        #expect(found[2].installation?.command == nil)
        await #expect(throws: AgentError.notInstalled(name: "goose", how: goose.howToInstall)) {
            try await sessions.start(goose.agent, in: "/", ThreadPrompt("x"))
        }
        await #expect(throws: AgentError.unknownAgent(Agent(rawValue: "acp:other"))) {
            try await sessions.start(Agent(rawValue: "acp:other"), in: "/", ThreadPrompt("x"))
        }
        for place in ["/no/such", "relative", "", fake.path] {
            await #expect(throws: AgentError.folderMissing(place)) {
                try await sessions.start(.codex, in: place, ThreadPrompt("x"))
            }
        }
        await sessions.close()
    }

    @Test(
        "names of configured agents are checked",
        arguments: ["", "a/b", "..", "ä", "a b", String(repeating: "x", count: 41)]
    )
    func names(name: String) {
        #expect(AgentProgram.acp(name: name, command: ["x"]) == nil)
        #expect(AgentProgram.acp(name: "ok", command: []) == nil)
    }

    @Test("attachments are kept for the person only, under names that mean nothing, and for 30 days")
    func attachments() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-agents-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = AttachmentStore(folder)
        let prompt = ThreadPrompt(
            "Look",
            attachments: [
                .data(name: "../../.ssh/a b;$(x).PNG", type: "image/png", bytes: [1, 2]),
                .data(name: "", type: "text/plain", bytes: []), .data(name: "x.png", type: "text/plain", bytes: []),
                .path("/etc/passwd"),
            ]
        )
        let prepared = try store.prepare(prompt)
        #expect(prepared.files.map(\.name) == ["a_b___x_.PNG", "file", "x.png", "passwd"])
        #expect(prepared.files.map(\.isImage) == [true, false, false, false])
        let kept = prepared.files[0].path
        #expect(kept.hasPrefix(folder.path + "/attachments/"))
        #expect(try Data(contentsOf: URL(filePath: kept)) == Data([1, 2]))
        let attributes = try FileManager.default.attributesOfItem(atPath: kept)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(prepared.text(naming: [prepared.files[3]]) == "Look\n\nAttached files:\n- /etc/passwd")
        store.removeOld(at: Date().addingTimeInterval(29 * 86_400))
        #expect(FileManager.default.fileExists(atPath: kept))
        store.removeOld(at: Date().addingTimeInterval(31 * 86_400))
        #expect(!FileManager.default.fileExists(atPath: kept))
        #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
    }

    @Test("prompts that do not fit are refused before anything is kept")
    func promptLimits() {
        let store = AttachmentStore(URL(filePath: "/no/such/place"))
        #expect(throws: AgentError.nothingToSay) { try store.prepare(ThreadPrompt(" \n")) }
        #expect(throws: AgentError.textTooLong(limit: AttachmentStore.textLimit)) {
            try store.prepare(ThreadPrompt(String(repeating: "x", count: AttachmentStore.textLimit + 1)))
        }
        #expect(throws: AgentError.attachmentMissing("/etc")) {
            try store.prepare(ThreadPrompt("x", attachments: [.path("/etc")]))
        }
        #expect(throws: AgentError.attachmentTooLarge(name: "a", limit: AttachmentStore.byteLimit)) {
            let bytes = [UInt8](repeating: 0, count: AttachmentStore.byteLimit + 1)
            _ = try store.prepare(ThreadPrompt("x", attachments: [.data(name: "a", type: "text/plain", bytes: bytes)]))
        }
        let many = Array(repeating: ThreadAttachment.path("/etc/passwd"), count: AttachmentStore.countLimit + 1)
        #expect(throws: AgentError.tooMany(what: "attachments", limit: AttachmentStore.countLimit)) {
            try store.prepare(ThreadPrompt("x", attachments: many))
        }
    }
}
