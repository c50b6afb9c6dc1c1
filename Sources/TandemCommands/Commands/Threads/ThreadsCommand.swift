import ArgumentParser
import Commands
import Control
import Conversations
import Foundation
import Kernel
import Threads

struct ThreadsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "threads",
        abstract: "Conversations with the coding agents of a computer: Codex, Claude Code and others.",
        discussion: """
            For example: tandem threads, tandem threads follow 019a2b3c, or tandem threads post 019a2b3c "Now add a test."
            From a phone the computer must allow it first: tandem devices allow <phone> threads
            """,
        subcommands: [
            List.self, Show.self, Follow.self, Search.self, Post.self, Start.self, Approve.self, Cancel.self,
            Agents.self,
        ],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List them, the newest message first.")

        @OptionGroup var options: ThreadOptions
        @Option(help: ArgumentHelp("At most so many, 1 to 200.", valueName: "count")) var limit: Int = 20
        @Option(help: ArgumentHelp("Only of this agent: codex, claude or acp:NAME.", valueName: "name"))
        var agent: AgentChoice?
        @Option(help: ArgumentHelp("Only those that work in this folder of the computer.", valueName: "dir"))
        var folder: String?
        @Flag(help: "Those that were put away.") var archived = false
        @Flag(help: "Also those that programs and other agents started.") var all = false
        @Flag(help: "Whole ids; commands take their beginnings, too.") var ids = false
        @Option(
            help: ArgumentHelp("Only those that are running, approval, input, done or failed.", valueName: "state")
        )
        var only: String?
        @Option(
            help: ArgumentHelp("Go on where a list with --json ended: its member next.", valueName: "place")
        )
        var cursor: String?

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError("--limit is 1 to 200, not \(limit).") }
            if let only {
                guard ["idle", "running", "approval", "input", "done", "failed"].contains(only) else {
                    throw ValidationError("--only is running, approval, input, done, failed or idle, not \(only).")
                }
            }
        }

        func run() async throws {
            let query = ThreadListQuery(
                limit: limit,
                cursor: cursor,
                agent: agent?.agent,
                folder: folder,
                isArchived: archived,
                includesAll: all,
                state: only.map(AgentState.init(rawValue:))
            )
            try await options.show({ try await ThreadsClient($0).list(query) }) { list in
                let note = list.indexing.map { "\nThe computer still reads its files: \($0.done) of \($0.total)." }
                guard !list.items.isEmpty else {
                    return "There is no conversation with a coding agent here." + (note ?? "")
                }
                var text = ThreadText.list(list.items, ids: ids)
                if let total = list.total, total > list.items.count { text += "\n\(total) in all." }
                return text + (note ?? "")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the end of a conversation, or all of it.")

        @OptionGroup var options: ThreadOptions
        @OptionGroup var name: ThreadName
        @Option(help: ArgumentHelp("At most so many items, 1 to 200.", valueName: "count")) var limit: Int = 60
        @Option(
            help: ArgumentHelp("Only what is older than this place; a shorter answer ends with it.", valueName: "place")
        )
        var before: String?
        @Flag(help: "From its beginning.") var all = false
        @Flag(help: "Print the output of tools and changes whole.") var full = false

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError("--limit is 1 to 200, not \(limit).") }
            guard !(all && before != nil) else {
                throw ValidationError("--all begins at the beginning: leave --before.")
            }
        }

        func run() async throws {
            let peer = try await options.peer()
            let client = ThreadsClient(peer)
            let thread = try await name.thread(client)
            let choice = ThreadChoice(thread.reference)
            var part = ThreadPageQuery.Part.last
            if let before {
                guard let cursor = ConversationCursor(text: before) else {
                    throw ValidationError("--before is what another page says as older.")
                }
                part = .before(cursor)
            }
            if all { part = .after(.start) }
            if !options.global.json { try Output.result(ThreadText.heading(thread)) }
            let text = ThreadText(full: full)
            while true {
                let page = try await client.page(ThreadPageQuery(choice, part, limit: limit))
                if options.global.json {
                    try Output.json(peer.lastAnswer ?? .null)
                } else {
                    for line in text.lines(page.items) { try Output.result(line) }
                    if let damage = page.damage, all ? page.isEnd : part == .last {
                        Output.complain("Its file is damaged, and what follows is lost: \(damage).")
                    }
                    if !all, let older = page.older {
                        let command = ThreadText.command("show", thread.reference.id, at: peer.computer)
                        Output.complain("Older ones: \(command) --before \(older.text)")
                    }
                }
                guard all, !page.isEnd, let newer = page.newer, part != .after(newer) else { return }
                part = .after(newer)
            }
        }
    }

    struct Follow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a conversation as it goes on, until Ctrl-C; without an id what happens in all of them.",
            discussion: """
                With --json each line is one page with `after`, `newer` and `items`, or an event. Begun again with --after and the \
                last `newer`, nothing comes twice and nothing is missing.
                """
        )

        @OptionGroup var options: ThreadOptions
        @Argument(help: ArgumentHelp("The conversation's id, or its beginning.", valueName: "id")) var id: String?
        @Option(help: ArgumentHelp("Its agent, where two have one of that id.", valueName: "name"))
        var agent: AgentChoice?
        @Option(help: ArgumentHelp("Go on from here: the newer of an earlier line.", valueName: "cursor"))
        var after: String?
        @Flag(help: "Print the output of tools and changes whole.") var full = false

        func run() async throws {
            let peer = try await options.peer()
            guard let id else { return try await followList(peer) }
            var cursor: ConversationCursor?
            if let after {
                guard let read = ConversationCursor(text: after) else {
                    throw ValidationError("--after is what an earlier line says as newer.")
                }
                cursor = read
            }
            var name = ThreadName()
            name.id = id
            name.agent = agent
            let client = ThreadsClient(peer)
            let thread = try await name.thread(client)
            if !options.global.json {
                try Output.result(ThreadText.heading(thread))
                Output.complain("Following. It ends with Ctrl-C.")
            }
            let printer = FollowPrinter(
                client,
                thread,
                at: peer.computer,
                after: cursor,
                json: options.global.json,
                full: full
            )
            _ = try await peer.control.call(
                ThreadsControl.follow,
                ThreadsControl.Follow(
                    device: peer.computer,
                    id: thread.reference.id,
                    source: thread.reference.agent.rawValue,
                    after: cursor?.text
                )
            ) { try await printer.take($0) }
        }

        private func followList(_ peer: ControlPeer) async throws {
            let isJSON = options.global.json
            if !isJSON { Output.complain("Following all conversations. It ends with Ctrl-C.") }
            let news = ThreadNews(at: peer.computer)
            _ = try await peer.control.call(ThreadsControl.follow, ThreadsControl.Follow(device: peer.computer)) {
                item in
                guard !isJSON else { return try Output.json(item) }
                if let line = news.line(of: item) { try Output.result(line) }
            }
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Search what people and agents said.",
            discussion: "All words are looked for; the last may be the beginning of one."
        )

        @OptionGroup var options: ThreadOptions
        @Argument(help: "The words.") var words: [String]
        @Option(help: ArgumentHelp("At most so many, 1 to 100.", valueName: "count")) var limit: Int = 20
        @Option(help: ArgumentHelp("Only of this agent: codex, claude or acp:NAME.", valueName: "name"))
        var agent: AgentChoice?
        @Option(help: ArgumentHelp("Only those that work in this folder of the computer.", valueName: "dir"))
        var folder: String?

        func validate() throws {
            guard (1...100).contains(limit) else { throw ValidationError("--limit is 1 to 100, not \(limit).") }
            guard words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
                throw ValidationError("Say what is looked for.")
            }
        }

        func run() async throws {
            let query = ThreadSearchQuery(
                words.joined(separator: " "),
                limit: limit,
                agent: agent?.agent,
                folder: folder
            )
            try await options.show({ try await ThreadsClient($0).search(query) }) { hits in
                let note =
                    hits.indexing.map { "\nThe computer still reads its files: \($0.done) of \($0.total)." } ?? ""
                guard !hits.items.isEmpty else { return "Nothing was found.\(note)" }
                return hits.items.map(ThreadText.hit).joined(separator: "\n") + note
            }
        }
    }

    struct Agents: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Which coding agents the computer has, and what can be asked of them."
        )

        @OptionGroup var options: ThreadOptions

        func run() async throws {
            try await options.show({ try await ThreadsClient($0).agents() }) { agents in
                Output.table(
                    ["AGENT", "NAME", "VERSION", "ANSWER", "START", ""],
                    agents.map {
                        [
                            $0.agent.rawValue, $0.name, $0.version ?? ($0.isInstalled ? "" : "not installed"),
                            $0.canPost ? "yes" : "no", $0.canStart ? "yes" : "no", $0.reason ?? "",
                        ]
                    }
                )
            }
        }
    }
}

/// Prints what is followed, each item once.
private actor FollowPrinter {
    private let client: ThreadsClient
    private let json: Bool
    private var reader: ThreadReader
    private let text: ThreadText
    private let news: ThreadNews

    /// - Parameter thread: As the person was told of it already.
    init(
        _ client: ThreadsClient,
        _ thread: ThreadSummary,
        at computer: String?,
        after cursor: ConversationCursor?,
        json: Bool,
        full: Bool
    ) {
        self.client = client
        self.json = json
        reader = ThreadReader(thread.reference, after: cursor)
        news = ThreadNews(thread, at: computer)
        text = ThreadText(full: full)
    }

    func take(_ item: JSONValue) async throws {
        if let first = item["subscribed"] {
            return try await take(try ThreadPage(wire: first), after: reader.cursor)
        }
        guard let members = item.objectValue, let name = members["event"]?.stringValue else { return }
        let event = RemoteEvent(name, members)
        let before = reader.cursor
        switch reader.take(event) {
        case .add(let items): try print(items, after: before, replaces: false)
        case .replace(let items): try print(items, after: before, replaces: true)
        case .ask: try await readOn()
        case .nothing:
            guard !event.isOf(.threadItems) else { return }
            if json { try Output.json(item) } else if let line = news.line(of: item) { try Output.result(line) }
        }
    }

    private func take(_ page: ThreadPage, after asked: ConversationCursor?) async throws {
        let before = reader.cursor
        let (step, more) = reader.take(page, after: asked)
        switch step {
        case .add(let items): try print(items, after: before, replaces: false)
        case .replace(let items): try print(items, after: before, replaces: before != nil)
        case .ask, .nothing: break
        }
        if more, reader.cursor != before { try await readOn() }
    }

    private func readOn() async throws {
        while true {
            let asked = reader.cursor
            let query = ThreadPageQuery(ThreadChoice(reader.thread), asked.map { .after($0) } ?? .last, limit: 200)
            let page: ThreadPage
            do {
                page = try await client.page(query)
            } catch ControlError.refused {
                return  // The computer is away: what is missing comes when it is back.
            }
            // An event, or another answer, may have come meanwhile.
            if reader.cursor == asked { return try await take(page, after: asked) }
        }
    }

    private func print(_ items: [ConversationItem], after: ConversationCursor?, replaces: Bool) throws {
        guard json else {
            if replaces { try Output.result("--- The person went back; from here on it is another conversation. ---") }
            for line in text.lines(items) { try Output.result(line) }
            return
        }
        var members: [String: JSONValue] = ["items": .array(items.map { $0.wire() })]
        members["after"] = after.map { .string($0.text) }
        members["newer"] = reader.cursor.map { .string($0.text) }
        if replaces { members["replaces"] = true }
        try Output.json(.object(members))
    }
}
