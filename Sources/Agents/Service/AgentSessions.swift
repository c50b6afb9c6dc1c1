package import Conversations
package import Foundation
package import Kernel
package import Logging

/// The coding agents of this computer: prompts go in, and what they ask and do comes out. The only part that runs them.
package actor AgentSessions {
    /// How often idle programs are looked for.
    private static let idleCheck = Duration.seconds(60)
    private static let attachmentCheck = Duration.seconds(86_400)
    /// How long the version of a program is believed.
    private static let versionLifetime = Duration.seconds(600)
    private static let folderLimit = 4096

    private let programs: [AgentProgram]
    private let drivers: [Agent: any AgentDriver]
    private nonisolated let board: ThreadBoard
    private let attachments: AttachmentStore
    private let launcher: any AgentLauncher
    private let time: any TimeSource
    private let logger: Logger
    private var versions: [String: (text: String?, until: ContinuousClock.Instant)] = [:]
    private var isClosed = false

    /// - Parameters:
    ///   - programs: Each agent once; of two the first counts.
    ///   - state: The state folder: attachments and transcripts are kept there.
    ///   - version: The version of this program, for the agents' logs.
    package init(
        programs: [AgentProgram],
        state: URL,
        time: any TimeSource = .system,
        logger: Logger,
        launcher: any AgentLauncher,
        version: String = "0"
    ) {
        var seen: Set<Agent> = []
        let own = programs.filter { seen.insert($0.agent).inserted }
        let board = ThreadBoard(time: time)
        var drivers: [Agent: any AgentDriver] = [:]
        for program in own {
            let context = DriverContext(
                program: program,
                launcher: launcher,
                board: board,
                time: time,
                logger: logger,
                version: version
            )
            drivers[program.agent] =
                switch program.kind {
                case .codex: CodexDriver(context)
                case .claudeCode: ClaudeDriver(context)
                case .acp: ACPDriver(context, transcripts: TranscriptStore(state: state, agent: program.name))
                }
        }
        self.programs = own
        self.drivers = drivers
        self.board = board
        attachments = AttachmentStore(state)
        self.launcher = launcher
        self.time = time
        self.logger = logger
    }

    // MARK: Threads

    /// Every agent that is known here, installed or not, in the order of the programs.
    package func availability() async -> [AgentAvailability] {
        var found: [AgentAvailability] = []
        for program in programs {
            let path = await launcher.path(of: program.command.first ?? "")
            let version: String? = if let path { await self.version(of: program, at: path) } else { nil }
            found.append(
                AgentAvailability(
                    program.agent,
                    name: program.name,
                    isInstalled: path != nil,
                    version: version,
                    canPost: path != nil,
                    canStart: path != nil,
                    reason: path == nil
                        ? AgentError.notInstalled(name: program.name, how: program.howToInstall).description : nil,
                    installation: path == nil ? program.installation : nil
                )
            )
        }
        return found
    }

    /// - Parameter folder: Where the agent works: absolute.
    /// - Returns: The thread, once the agent has named it.
    /// - Throws: ``AgentError``, `CancellationError`.
    package func start(_ agent: Agent, in folder: String, _ prompt: ThreadPrompt) async throws -> ThreadReference {
        let driver = try driver(of: agent)
        let folder = try checked(folder)
        let prepared = try attachments.prepare(prompt)
        return ThreadReference(agent: agent, id: try await driver.start(in: folder, prepared))
    }

    /// Hands a prompt to a thread, which is opened again where it is not. A running turn takes it in where the agent can.
    ///
    /// - Parameter folder: The folder of the thread: Claude Code finds its threads only from there.
    /// - Throws: ``AgentError``, `CancellationError`.
    package func post(
        _ prompt: ThreadPrompt,
        to thread: ThreadReference,
        in folder: String?
    ) async throws -> ThreadProgress {
        let driver = try driver(of: thread.agent)
        guard !thread.id.isEmpty, thread.id.utf8.count <= 200 else { throw AgentError.unknownThread(thread) }
        let folder = try folder.map(checked)
        let prepared = try attachments.prepare(prompt)
        let (id, delivery) = try await driver.post(prepared, to: thread.id, in: folder)
        let current = ThreadReference(agent: thread.agent, id: id)
        return ThreadProgress(board.state(of: current), thread: current, delivery: delivery)
    }

    /// Stops the running turn and forgets the prompts that wait behind it.
    ///
    /// - Returns: The state afterwards, and the words of those prompts.
    package func cancel(_ thread: ThreadReference) async throws -> ThreadProgress {
        let dropped = try await driver(of: thread.agent).cancel(thread.id)
        return ThreadProgress(board.state(of: thread), notDelivered: dropped.map(\.words))
    }

    /// The states of threads that ran here since the start. A thread that is missing is idle, or run by another program.
    package nonisolated func states() -> [ThreadReference: AgentState] { board.states() }

    /// Why threads are `failed`: a sentence, or the agent's own words.
    package nonisolated func reasons() -> [ThreadReference: String] { board.reasons() }

    /// Events from now on, one stream for each reader. A reader that falls behind loses the oldest.
    package nonisolated func events() -> AsyncStream<AgentEvent> { board.events() }

    // MARK: Requests

    /// The approvals that wait for a person, the oldest first.
    package nonisolated func approvals() -> [Approval] { board.approvals() }

    /// Answers a request. Of several answers the first counts, and only that one reaches the agent.
    ///
    /// - Parameter device: Told to those who come later.
    /// - Throws: ``AgentError``. After `optionNotOffered` and `answerMissing` the request still waits.
    package func answer(
        _ id: Approval.ID,
        _ answer: ApprovalAnswer,
        by device: String
    ) async throws -> ApprovalOutcome {
        var answer = answer
        answer.reason = answer.reason.map { AgentText.beginning(of: $0, bytes: 8000) }
        switch try board.claim(id, answer, by: device) {
        case .already(let option, let by): return ApprovalOutcome(counted: false, option: option, by: by)
        case .claimed(let open, let option, let reply):
            do {
                try await driver(of: open.approval.thread.agent).deliver(reply, to: open, answer, option)
                board.close(open, option: option.id, by: device)
                return ApprovalOutcome(counted: true, option: option.id, by: device)
            } catch {
                board.close(open, option: nil, by: nil)
                throw error
            }
        }
    }

    // MARK: Running

    /// Ends idle programs and removes old attachments, until the task is cancelled.
    package func run() async {
        var nextAttachments = time.now
        repeat {
            if time.now >= nextAttachments {
                attachments.removeOld(at: time.date)
                nextAttachments = time.now + Self.attachmentCheck
            }
            for driver in drivers.values { await driver.endIdle() }
        } while await time.pause(for: Self.idleCheck)
    }

    /// Ends every program. Requests that wait are closed without an answer, and running turns have failed.
    package func close() async {
        isClosed = true
        await withTaskGroup { group in
            for driver in drivers.values { group.addTask { await driver.end() } }
        }
        board.finish()
    }

    // MARK: Inside

    private func driver(of agent: Agent) throws(AgentError) -> any AgentDriver {
        guard !isClosed else { throw .closed }
        guard let driver = drivers[agent] else { throw .unknownAgent(agent) }
        return driver
    }

    private func checked(_ folder: String) throws(AgentError) -> String {
        var isFolder = ObjCBool(false)
        guard folder.hasPrefix("/"), folder.utf8.count < Self.folderLimit,
            FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
        else { throw .folderMissing(AgentText.line(folder, limit: 500)) }
        return folder
    }

    /// The version that the program says of itself; nil where it says nothing in time.
    private func version(of program: AgentProgram, at path: String) async -> String? {
        guard program.kind != .acp else { return nil }
        if let known = versions[path], known.until > time.now { return known.text }
        var text: String?
        if let process = try? await launcher.launch(AgentLaunch(command: [path, "--version"])) {
            let deadline = time.now + .seconds(10)
            let timer = Task { [time] in if await time.pause(until: deadline) { process.kill() } }
            var bytes: [UInt8] = []
            while bytes.count < 4096, let more = await process.read(upTo: 4096) { bytes += more }
            process.end()
            _ = await process.exit()
            timer.cancel()
            let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
            text = line.isEmpty ? nil : AgentText.line(String(line), limit: 80)
        }
        versions[path] = (text, time.now + Self.versionLifetime)
        return text
    }
}
