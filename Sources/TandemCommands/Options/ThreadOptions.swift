import ArgumentParser
import Commands
import Control
import Conversations
import Kernel
import Threads

/// The options of every command that asks for conversations.
struct ThreadOptions: ParsableArguments {
    @OptionGroup var shared: SideOptions

    var global: GlobalOptions { shared.global }

    func peer() async throws -> ControlPeer {
        try await shared.peer(ThreadsControl.call, own: "A computer shows its own conversations")
    }

    /// Asks and prints the answer.
    func show<Answer>(
        _ ask: (ControlPeer) async throws -> Answer,
        _ lines: (Answer) throws -> String
    ) async throws {
        try await shared.show(try await peer(), ask, lines)
    }
}

/// The choice of a conversation.
struct ThreadName: ParsableArguments {
    @Argument(help: ArgumentHelp("The conversation's id, or its beginning.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("Its agent, where two have one of that id.", valueName: "name"))
    var agent: AgentChoice?

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("Name a conversation by its id. See: tandem threads list") }
    }

    /// The thread, and what the list says of it: nothing where its computer does not list it, which it need not to stop or answer it while an
    /// agent has it open.
    func choice(_ client: ThreadsClient) async throws -> (choice: ThreadChoice, thread: ThreadSummary?) {
        do {
            let thread = try await thread(client)
            return (ThreadChoice(thread.reference), thread)
        } catch ControlError.refused where id.utf8.count >= 36 {
            return (ThreadChoice(id: id, agent: agent?.agent), nil)
        }
    }

    /// The thread whose id is this, or begins with it.
    func thread(_ client: ThreadsClient) async throws -> ThreadSummary {
        let wanted = id.hasSuffix("…") ? String(id.dropLast()) : id
        do {
            let choice = ThreadChoice(id: wanted, agent: agent?.agent)
            let page = try await client.page(ThreadPageQuery(choice, limit: 1))
            if let thread = page.thread { return thread }
        } catch ControlError.refused where (4..<36).contains(wanted.count) {
            // Not a whole id: the newest that begins so.
        }
        var found: [ThreadSummary] = []
        for isArchived in [false, true] {
            var query = ThreadListQuery(limit: 200, agent: agent?.agent, isArchived: isArchived, includesAll: true)
            while found.isEmpty {
                let list = try await client.list(query)
                found = list.items.filter { $0.reference.id.hasPrefix(wanted) }
                guard let next = list.next, next != query.cursor else { break }
                query.cursor = next
            }
        }
        switch found.count {
        case 1: return found[0]
        case 0: throw CommandError.empty("There is no conversation \(wanted). See: tandem threads list")
        default:
            throw CommandError.empty("\(found.count) conversations begin with \(wanted). Give more of the id.")
        }
    }
}

/// An agent as a person types it.
struct AgentChoice: ExpressibleByArgument, Hashable {
    let agent: Agent

    init?(argument: String) {
        let word = argument.lowercased()
        switch word {
        case "codex": agent = .codex
        case "claude", "claude_code", "claude-code": agent = .claudeCode
        default:
            guard word.hasPrefix("acp:"), word.count > 4 else { return nil }
            agent = Agent(rawValue: argument)
        }
    }

    var defaultValueDescription: String { agent.rawValue }
    static var allValueStrings: [String] { ["codex", "claude"] }
}
