import ArgumentParser
import Conversations
import Foundation
import Kernel
import Threads

/// The options of commands that give an agent a prompt.
struct PromptOptions: ParsableArguments {
    @Option(
        name: .customLong("file"),
        help: ArgumentHelp(
            "Give it this file of this device, at most 512 KiB. May be said several times.",
            valueName: "path"
        ),
        completion: .file()
    )
    var files: [String] = []
    @Argument(help: "What to say. Left out: what comes on stdin.") var text: [String] = []

    func prompt() async throws -> ThreadPrompt {
        var attachments: [ThreadAttachment] = []
        var size = 0
        for file in files {
            let bytes: Data
            do {
                bytes = try Data(contentsOf: Live.path(typed: file), options: .mappedIfSafe)
            } catch {
                throw CommandError.cannotRead(path: file, reason: Reason.of(error))
            }
            size += bytes.count
            guard size <= ThreadLimits.attachments, attachments.count < ThreadLimits.attachmentCount else {
                throw ValidationError(
                    "At most \(ThreadLimits.attachmentCount) files and 512 KiB together go with a message. "
                        + "Put larger ones on the computer: tandem files put"
                )
            }
            let name = Live.path(typed: file).lastPathComponent
            attachments.append(.data(name: name, type: Self.type(of: name), bytes: Array(bytes)))
        }
        let words = try await words(mayBeEmpty: !attachments.isEmpty)
        guard words.utf8.count <= ThreadLimits.prompt else {
            throw ValidationError("A message has at most 64 KiB. Give longer texts as a file: --file")
        }
        return ThreadPrompt(words, attachments: attachments)
    }

    private func words(mayBeEmpty: Bool) async throws -> String {
        if !text.isEmpty { return text.joined(separator: " ") }
        if mayBeEmpty, Running.console.isTerminal(.input) { return "" }
        if Running.console.isTerminal(.input) { Output.complain("Type what to say. Ctrl-D ends it.") }
        var bytes: [UInt8] = []
        for await piece in StandardInput() {
            bytes += piece
            guard bytes.count <= ThreadLimits.prompt else {
                throw ValidationError("A message has at most 64 KiB. Give longer texts as a file: --file")
            }
        }
        guard let words = String(validating: bytes, as: UTF8.self) else { throw ValidationError("Text must be UTF-8.") }
        guard mayBeEmpty || words.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("There is nothing to say.")
        }
        return words
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last?.lowercased() {
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "txt", "md", "log", "csv": "text/plain"
        case "json": "application/json"
        case "pdf": "application/pdf"
        default: "application/octet-stream"
        }
    }
}

extension ThreadsCommand {
    struct Post: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer in a conversation.",
            discussion: "The agent goes on in its folder. Watch it with: tandem threads follow"
        )

        @OptionGroup var options: ThreadOptions
        @OptionGroup var name: ThreadName
        @OptionGroup var message: PromptOptions

        func run() async throws {
            let prompt = try await message.prompt()
            let peer = try await options.peer()
            let client = ThreadsClient(peer)
            let choice = try await name.choice(client).choice
            let progress = try await client.post(prompt, to: choice)
            guard !options.global.json else { return try Output.json(peer.lastAnswer ?? .null) }
            let id = progress.thread?.id ?? choice.id
            let command = ThreadText.command("follow", id, at: peer.computer)
            try Output.result("It is \(ThreadText.words(progress.state)). Watch it: \(command)")
        }
    }

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Begin a conversation with a coding agent.")

        @OptionGroup var options: ThreadOptions
        @Option(help: ArgumentHelp("Who is to work: codex, claude or acp:NAME.", valueName: "name"))
        var agent: AgentChoice
        @Option(help: ArgumentHelp("Where it works, as a path of the computer.", valueName: "dir")) var folder: String
        @OptionGroup var message: PromptOptions

        func run() async throws {
            let start = ThreadStart(agent.agent, in: folder, try await message.prompt())
            try await options.show({ try await ThreadsClient($0).start(start) }) { thread in
                let command = ThreadText.command("follow", thread.reference.id, at: options.shared.target.computer)
                return "It is running. Watch it: \(command)"
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Stop what an agent is doing.")

        @OptionGroup var options: ThreadOptions
        @OptionGroup var name: ThreadName

        func run() async throws {
            let peer = try await options.peer()
            let client = ThreadsClient(peer)
            let (choice, thread) = try await name.choice(client)
            let stop = try await client.cancel(choice)
            let state = stop.state
            guard !options.global.json else { return try Output.json(peer.lastAnswer ?? .null) }
            for words in stop.notDelivered { try Output.result("Not delivered: \(TerminalText.line(words))") }
            guard let thread else {
                return try Output.result(state == .running ? "It is being stopped." : "It is stopped.")
            }
            guard thread.state == .running || thread.state.isWaiting else {
                return try Output.result("Nothing runs in it.")
            }
            guard state != .running else { return try Output.result("It is being stopped.") }
            // The answer is of what Tandem runs; the list also knows by the file of what another program does.
            guard try await name.thread(client).state != .running else { throw CommandError.turnStillRuns }
            try Output.result("It is stopped.")
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what agents wait for, or answer one of them.",
            discussion: """
                For example: tandem threads approve 7f3a --allow, or tandem threads approve 7f3a --decline --reason "Use the test \
                database." The first answer counts, whichever device gives it.
                """
        )

        @OptionGroup var options: ThreadOptions
        @Argument(help: ArgumentHelp("What is answered: its id or the beginning of it.", valueName: "id")) var id:
            String?
        @Flag(help: "Allow it once.") var allow = false
        @Flag(help: "Allow it and its like until the session ends.") var session = false
        @Flag(help: "Decline it.") var decline = false
        @Option(help: ArgumentHelp("Another answer that the agent offers, by its id.", valueName: "id")) var option:
            String?
        @Option(help: ArgumentHelp("Why it is declined, for the agent.", valueName: "text")) var reason: String?
        @Option(
            name: .customLong("answer"),
            help: ArgumentHelp(
                "To a question: its id, = and the answer. May be said several times.",
                valueName: "id=text"
            )
        )
        var answers: [String] = []

        func validate() throws {
            let choices = [allow, session, decline, option != nil].count { $0 }
            guard choices <= 1 else { throw ValidationError("Give one of --allow, --session, --decline and --option.") }
            guard id != nil || (choices == 0 && answers.isEmpty) else {
                throw ValidationError("Name what is answered. What waits: tandem threads approve")
            }
            for answer in answers where !answer.contains("=") {
                throw ValidationError("--answer is a question's id, = and the answer, not \(answer).")
            }
        }

        func run() async throws {
            let peer = try await options.peer()
            let client = ThreadsClient(peer)
            let waiting = try await client.approvals()
            guard let id else {
                guard !options.global.json else { return try Output.json(peer.lastAnswer ?? .null) }
                guard !waiting.isEmpty else { return try Output.result("Nothing waits for you.") }
                return try Output.result(
                    waiting.map { ThreadText.approval($0, at: peer.computer) }.joined(separator: "\n\n")
                )
            }
            let found = waiting.filter { $0.id.hasPrefix(id) }
            guard found.count <= 1 else { throw CommandError.empty("Several begin with \(id). Give more of the id.") }
            guard let choice = try Self.option(of: found.first, self) else {
                throw ValidationError("Say the answer: --allow, --session, --decline, --option or --answer.")
            }
            var given: [String: [String]] = [:]
            for answer in answers {
                let parts = answer.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                given[String(parts[0]), default: []].append(String(parts[1]))
            }
            let outcome = try await client.answer(
                ApprovalAnswer(optionID: choice, reason: reason, answers: given),
                to: found.first?.id ?? id
            )
            guard !options.global.json else { return try Output.json(peer.lastAnswer ?? .null) }
            try Output.result(ThreadText.outcome(outcome))
        }

        /// Nil where the person did not say one.
        private static func option(of approval: Approval?, _ typed: Approve) throws -> String? {
            if let option = typed.option { return option }
            let kinds: [Approval.Option.Kind]
            if typed.allow {
                kinds = [.allowOnce]
            } else if typed.session {
                kinds = [.allowForSession]
            } else if typed.decline {
                kinds = [.decline, .cancel]
            } else if !typed.answers.isEmpty {
                kinds = [.submit]
            } else {
                return nil
            }
            // One that waits no more is answered all the same: the computer says by whom it was.
            guard let approval else { return kinds[0].rawValue }
            for kind in kinds {
                if let option = approval.options.first(where: { $0.kind == kind }) { return option.id }
            }
            let offered = approval.options.map { $0.name ?? $0.kind.rawValue }.joined(separator: ", ")
            throw CommandError.empty("The agent does not offer that. It offers: \(TerminalText.line(offered))")
        }
    }
}
