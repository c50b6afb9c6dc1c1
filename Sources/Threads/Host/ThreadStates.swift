import AgentHistory
import Conversations
import Kernel
import Threads

/// The states of agents that other programs started, as far as their files tell.
actor ThreadStates {
    /// A turn that writes nothing for so long is not believed to run: its program may have died.
    static let patience: Duration = .seconds(600)
    /// A file that grows is looked at so often at most.
    static let pace: Duration = .seconds(1)
    /// Threads whose state is kept.
    static let limit = 512

    private struct Entry {
        var state: AgentState
        /// When its file grew last.
        var grown: ContinuousClock.Instant
    }

    private let library: any ThreadLibrary
    private let time: any TimeSource
    private var entries: [ThreadReference: Entry] = [:]
    private var waiting: Set<ThreadReference> = []
    private let wake: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>

    init(library: any ThreadLibrary, time: any TimeSource) {
        self.library = library
        self.time = time
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func known() -> [ThreadReference: AgentState] {
        let now = time.now
        return entries.mapValues { $0.state == .running && now - $0.grown > Self.patience ? .idle : $0.state }
    }

    /// A thread of the list: looked at when something happened in it lately.
    func look(at thread: AgentThread) {
        let age = time.date.millisecondsSince1970 - thread.updatedMilliseconds
        if age < Int64(Self.patience / .milliseconds(1)) { noteGrowth(of: thread.reference) }
    }

    func noteGrowth(of thread: ThreadReference) {
        waiting.insert(thread)
        entries[thread]?.grown = time.now
        wake.yield()
    }

    /// The turn of an agent that ran here was stopped. What its file says from before counts no more.
    func stop(_ thread: ThreadReference) {
        waiting.remove(thread)
        entries[thread] = Entry(state: .idle, grown: time.now)
    }

    func forget(_ thread: ThreadReference) {
        entries[thread] = nil
        waiting.remove(thread)
    }

    /// Looks at what grew until its task is cancelled.
    ///
    /// - Parameter tell: Told of each thread whose state is another one.
    nonisolated func run(_ tell: @escaping @Sendable (ThreadReference) async -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await _ in self.wakes {
                    for thread in await self.look() { await tell(thread) }
                    guard await self.time.pause(for: Self.pace) else { return }
                }
            }
            group.addTask {
                // A turn that stopped writing has no growth that could tell of it.
                while await self.time.pause(for: Self.patience / 10) {
                    for thread in await self.expire() { await tell(thread) }
                }
            }
        }
    }

    private func expire() -> [ThreadReference] {
        let now = time.now
        let over = entries.filter { $0.value.state == .running && now - $0.value.grown > Self.patience }.map(\.key)
        for thread in over { entries[thread]?.state = .idle }
        return over
    }

    private func look() async -> [ThreadReference] {
        let threads = waiting
        waiting = []
        var changed: [ThreadReference] = []
        for reference in threads {
            let grown = entries[reference]?.grown
            // The next growth looks again.
            guard let thread = try? await library.thread(reference.id, agent: reference.agent),
                let page = try? await library.lastPage(of: thread, before: nil, limits: PageLimits(items: 4))
            else { continue }
            // Settled meanwhile: what was read is from before.
            if let entry = entries[reference], entry.state == .idle, entry.grown != grown { continue }
            let state = Self.state(at: page)
            if entries[reference]?.state != state { changed.append(reference) }
            entries[reference] = Entry(state: state, grown: time.now)
        }
        if entries.count > Self.limit {
            for (key, _) in entries.sorted(by: { $0.value.grown < $1.value.grown }).prefix(entries.count - Self.limit) {
                entries[key] = nil
            }
        }
        return changed
    }

    /// Codex notes where a turn begins and ends. Of Claude Code the last record tells: what the model said ends a turn, anything else has
    /// an answer to come.
    private static func state(at page: ConversationPage) -> AgentState {
        if page.isTurnRunning == true { return .running }
        return switch page.items.last?.content {
        // Stopped by its person, who knows.
        case .notice(let notice) where notice.kind == .interrupted: .idle
        case .notice(let notice): notice.kind == .error ? .failed : .done
        case _ where page.isTurnRunning == false: .done
        case .userMessage, .toolCall, .toolOutput, .fileChange, .plan, .reasoning, .image: .running
        case .agentMessage: .done
        case .compaction, .unknown, nil: .idle
        }
    }
}
