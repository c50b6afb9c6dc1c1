import Conversations
import Foundation
import Kernel
import Logging

/// Drives the program of one agent by its protocol.
protocol AgentDriver: Actor {
    /// Starts a thread. Returns once the agent has named it.
    func start(in folder: String, _ prompt: PreparedPrompt) async throws -> String

    /// - Returns: The thread that goes on.
    func post(
        _ prompt: PreparedPrompt,
        to thread: String,
        in folder: String?
    ) async throws -> (thread: String, delivery: ThreadProgress.Delivery)

    /// Stops the running turn and what waits behind it. Returns where nothing runs, too.
    ///
    /// - Returns: The prompts that waited and are not delivered.
    @discardableResult func cancel(_ thread: String) async throws -> [PreparedPrompt]

    /// Sends the answer to a request.
    func deliver(_ reply: RPCReply, to open: ThreadBoard.Open, _ answer: ApprovalAnswer, _ option: Approval.Option)
        throws

    /// Ends programs that have had nothing to do for a while.
    func endIdle()

    /// Ends every program and waits for their ends. Nothing starts any more.
    func end() async
}

/// The parts that every driver is made of.
struct DriverContext: Sendable {
    /// A program without a running turn is ended after this time.
    static let idleLimit = Duration.seconds(600)
    /// A program with work in the background and without anything else to do is ended after this time.
    static let backgroundLimit = Duration.seconds(86_400)
    /// The time limit for an answer of a program that has nothing to wait for.
    static let answerLimit = Duration.seconds(60)
    /// The time limit for a program to stop a turn.
    static let stopLimit = Duration.seconds(10)
    /// Prompts that wait for the end of a turn.
    static let queueLimit = 16
    static let queueIsFull = AgentError.tooMany(what: "prompts waiting in this thread", limit: queueLimit)

    let program: AgentProgram
    let launcher: any AgentLauncher
    let board: ThreadBoard
    let time: any TimeSource
    let logger: Logger
    /// The version of this program, for the agents' logs.
    let version: String

    func reference(_ thread: String) -> ThreadReference { ThreadReference(agent: program.agent, id: thread) }

    /// - Throws: ``AgentError`` that says what to do.
    func launch(arguments: [String] = [], in folder: String? = nil) async throws -> any AgentProcess {
        do {
            return try await launcher.launch(
                AgentLaunch(
                    command: program.command + arguments,
                    environment: program.environment,
                    folder: folder
                )
            )
        } catch .missing {
            throw AgentError.notInstalled(name: program.name, how: program.howToInstall)
        } catch .folderMissing(let folder) {
            throw AgentError.folderMissing(folder)
        } catch .system(let reason) {
            throw AgentError.notStarted(name: program.name, reason: reason)
        }
    }

    /// Logs the end of a program.
    func note(_ output: AgentOutput, isExpected: Bool) {
        let metadata: Logger.Metadata = [
            "agent": "\(program.agent)", "end": "\(output.end)", "skipped_lines": "\(output.skippedCount)",
        ]
        logger.log(level: isExpected ? .debug : .notice, "an agent's program ended", metadata: metadata)
    }

    /// The error of a program between its end and its next start.
    var isGone: AgentError { .died(name: program.name, how: "has ended", lastWords: "") }

    func died(_ how: String, _ process: any AgentProcess) -> AgentError {
        .died(name: program.name, how: how, lastWords: AgentText.line(process.lastWords, limit: 300))
    }

    /// Asks the person.
    ///
    /// - Returns: False where too many requests wait. An agent may ask for ever, so the log has one line a minute of it.
    func ask(_ request: AgentRequest, of thread: String, by connection: String, _ id: JSONValue) -> Bool {
        if board.ask(request, of: reference(thread), key: RequestKey(connection: connection, id: id)) { return true }
        if let count = board.noteRefusal() {
            logger.warning("too many requests of agents wait; more are refused", metadata: ["refused": "\(count)"])
        }
        return false
    }

    /// The error for the person that an answer with a failure means.
    func explained(_ failure: RPCFailure) -> AgentError {
        switch failure.code {
        case RPCFailure.overloaded: .busy(name: program.name)
        case RPCFailure.signInNeeded where program.kind == .acp:
            .notSignedIn(name: program.name, text: failure.message)
        default:
            .refused(name: program.name, reason: failure.message.isEmpty ? "error \(failure.code)" : failure.message)
        }
    }
}

/// Reads a program to its end.
struct AgentOutput {
    /// How the program ended, to follow its name.
    let end: String
    /// Lines that were no messages.
    let skippedCount: Int

    /// How the agents name a piece of a message that goes on, near the beginning of its line.
    private static let pieces = ["_delta\"", "/delta\"", "_chunk\""].map { Array($0.utf8) }

    private static func isPiece(_ line: [UInt8]) -> Bool {
        let start = line.prefix(1024)
        guard line.contains(UInt8(ascii: "\\")) else { return false }
        return pieces.contains { start.firstRange(of: $0) != nil }
    }

    /// - Parameter take: Gets each line in its order, in the caller's isolation, and says whether it is a message.
    static func read(
        _ process: any AgentProcess,
        isolation: isolated (any Actor)? = #isolation,
        take: ([UInt8]) -> Bool
    ) async -> AgentOutput {
        var splitter = LineSplitter()
        var characters = SplitCharacters()
        var skippedCount = 0
        func look(_ line: [UInt8]) {
            guard line.contains(where: { $0 != 0x20 && $0 != 0x0D }) else { return }
            if !take(characters.joined(line, isPiece: isPiece(line))) { skippedCount += 1 }
        }
        do throws(LineSplitter.TooLong) {
            while let bytes = await process.read(upTo: 64 << 10) {
                for line in try splitter.add(bytes) { look(line) }
            }
            look(splitter.finish())
            // It closed its output; what is left of it has no use.
            process.end()
            return AgentOutput(end: await process.exit().words, skippedCount: skippedCount)
        } catch {
            process.kill()
            _ = await process.exit()
            let end = "wrote a line of more than \(LineSplitter.limit >> 20) MiB and was ended"
            return AgentOutput(end: end, skippedCount: skippedCount)
        }
    }
}

/// Requests of ours that wait for an answer.
struct PendingCalls<Key: Hashable & Sendable, Call: Sendable> {
    private struct Entry {
        let call: Call
        let continuation: CheckedContinuation<JSONValue, any Error>
        let timer: Task<Void, Never>
    }

    private var open: [Key: Entry] = [:]

    var isEmpty: Bool { open.isEmpty }

    mutating func add(
        _ key: Key,
        _ call: Call,
        _ continuation: CheckedContinuation<JSONValue, any Error>,
        timer: Task<Void, Never>
    ) {
        open[key] = Entry(call: call, continuation: continuation, timer: timer)
    }

    /// The purpose of a request; nil for an answer that nothing waits for.
    func call(_ key: Key) -> Call? { open[key]?.call }

    mutating func end(_ key: Key, with result: Result<JSONValue, any Error>) {
        guard let entry = open.removeValue(forKey: key) else { return }
        entry.timer.cancel()
        entry.continuation.resume(with: result)
    }

    mutating func endAll(with error: any Error) {
        for key in Array(open.keys) { end(key, with: .failure(error)) }
    }
}
