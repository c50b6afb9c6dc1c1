import AgentHistory
import CommandServer
import Conversations
import Kernel
import Threads

/// Says when an agent is done, asks for something, or failed, so that its person hears of it wherever they are.
actor ThreadAnnouncer {
    /// A file does not tell the end of a turn from a word in between: what goes on is not announced.
    static let patience: Duration = .seconds(10)
    /// Threads whose last state is kept.
    static let limit = 512
    /// Characters of a message or a command.
    private static let textLimit = 500

    private let library: any ThreadLibrary
    private let announcements: Announcements
    private let time: any TimeSource
    private var last: [ThreadReference: AgentState] = [:]
    private let tasks = OwnedTasks()

    init(library: any ThreadLibrary, announcements: Announcements, time: any TimeSource) {
        self.library = library
        self.announcements = announcements
        self.time = time
    }

    /// - Parameters:
    ///   - reason: Why it failed, where that is known.
    ///   - isOwn: An agent that runs here says so itself; else its file does.
    func note(_ thread: ThreadReference, _ state: AgentState, reason: String? = nil, isOwn: Bool) async {
        let before = last[thread]
        if last.count >= Self.limit, before == nil {
            // One that runs is still to be announced.
            guard let key = last.first(where: { $0.value != .running })?.key ?? last.keys.first else { return }
            last[key] = nil
        }
        last[thread] = state
        // A turn that ended before this program began is no news.
        guard let before, before == .running || before.isWaiting, state == .done || state == .failed else { return }
        if isOwn { return await finish(thread, state, reason) }
        let deadline = time.now + Self.patience
        tasks.add { [time] in
            guard await time.pause(until: deadline) else { return }
            await self.finishStanding(thread, state)
        }
    }

    func ask(_ approval: Approval) async {
        let thread = try? await library.thread(approval.thread.id, agent: approval.thread.agent)
        announce(approval.thread, title: thread?.title, body: approval.subject.words, urgency: .high)
    }

    func close() async { await tasks.end() }

    private func finishStanding(_ thread: ThreadReference, _ state: AgentState) async {
        if last[thread] == state { await finish(thread, state, nil) }
    }

    private func finish(_ reference: ThreadReference, _ state: AgentState, _ reason: String?) async {
        // Without its file there is still its agent to be named.
        let thread = try? await library.thread(reference.id, agent: reference.agent)
        // Threads that a program or another thread started are theirs to follow.
        guard thread?.isInteractive ?? true else { return }
        var text = reason
        if text == nil, let thread,
            let page = try? await library.lastPage(of: thread, before: nil, limits: PageLimits(items: 16))
        {
            text = page.items.reversed().lazy.compactMap { Self.text(of: $0, failed: state == .failed) }.first
        }
        let words = text.map { ShortText.line($0, limit: Self.textLimit) }
        let body = words ?? (state == .failed ? "The turn failed." : "The turn is done.")
        announce(reference, title: thread?.title, body: body, urgency: state == .failed ? .high : .normal)
    }

    private static func text(of item: ConversationItem, failed: Bool) -> String? {
        switch item.content {
        case .agentMessage(let text): text.text
        case .notice(let notice) where failed && notice.kind == .error: notice.text.text
        default: nil
        }
    }

    private func announce(
        _ thread: ThreadReference,
        title: String?,
        body: String,
        urgency: Announcement.Urgency
    ) {
        announcements.announce(
            Announcement(
                speaker: thread.agent.name,
                key: "thread:\(thread.id)",
                title: title.flatMap { $0.isEmpty ? nil : $0 } ?? "A conversation with \(thread.agent.name)",
                body: body,
                urgency: urgency,
                data: ["threadId": thread.id, "source": thread.agent.rawValue]
            )
        )
    }
}

extension Agent {
    /// For people.
    fileprivate var name: String {
        switch self {
        case .codex: "Codex"
        case .claudeCode: "Claude Code"
        default: rawValue.hasPrefix("acp:") ? String(rawValue.dropFirst(4)) : rawValue
        }
    }
}

extension Approval.Subject {
    /// The request in words, on one line.
    fileprivate var words: String {
        let text =
            switch self {
            case .command(let command): "It asks to run: \(command.line)"
            case .fileChange(let change): "It asks to change: " + change.files.map(\.path).joined(separator: ", ")
            case .tool(let call) where call.arguments.text.isEmpty: "It asks to use \(call.name)."
            case .tool(let call): "It asks to use \(call.name): \(call.arguments.text)"
            case .permissions(let lines): "It asks for more rights: " + lines.joined(separator: ", ")
            case .questions(let questions): questions.map(\.text).joined(separator: " ")
            case .unknown(let method, _): "It asks for \(method)."
            }
        return ShortText.line(text, limit: 500)
    }
}
