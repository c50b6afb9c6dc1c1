package import AgentHistory
package import Capabilities
package import CommandServer
import Commands
package import Control
package import Conversations
import Foundation
package import Kernel
package import Logging
import ThreadIndex
import Threads

/// The conversations with the coding agents of this computer: listed, read, followed, searched, and answered.
/// Source: `docs/protocol.md`, "Threads".
package actor ThreadsSkill: CommandFeature {
    let library: any ThreadLibrary
    let control: any AgentControl
    let time: any TimeSource
    let logger: Logger
    let followers: ThreadFollowers
    let states: ThreadStates
    private let announcer: ThreadAnnouncer
    private let outlet: ThreadOutlet
    private let following: ThreadFollowing
    private let doctor: @Sendable () async -> [DoctorCheck]

    /// - Parameters:
    ///   - outlet: Reaches devices.
    ///   - announcements: Where it says that an agent is done or asks for something.
    ///   - checks: The checks of the agents, for the person who looks after this computer.
    package init(
        library: any ThreadLibrary,
        control: any AgentControl,
        outlet: any DeviceOutlet,
        observer: (any ActivityObserver)? = nil,
        announcements: Announcements = Announcements(),
        time: any TimeSource = .system,
        logger: Logger,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) {
        self.library = library
        self.control = control
        self.time = time
        self.logger = logger
        doctor = checks
        let reaching = ThreadOutlet(devices: outlet)
        self.outlet = reaching
        following = ThreadFollowing(time: time)
        followers = ThreadFollowers(outlet: reaching, observer: observer, time: time, logger: logger)
        states = ThreadStates(library: library, time: time)
        announcer = ThreadAnnouncer(library: library, announcements: announcements, time: time)
    }

    package nonisolated var keeper: (any ActivityKeeper)? { followers }

    package nonisolated var methods: [RemoteMethod] {
        [
            ThreadMethods.list.served { query, _ in try await self.list(query) },
            ThreadMethods.folders.served { query, _ in
                ThreadFolders(try await self.library.folders(agent: query.agent))
            },
            ThreadMethods.agents.served { _, _ in AgentList(await self.control.agents()) },
            ThreadMethods.get.served { query, _ in try await self.page(query) },
            ThreadMethods.item.served { query, _ in try await self.item(query) },
            ThreadMethods.subscribe.served { try await self.subscribe($0, $1) },
            ThreadMethods.unsubscribe.served { try await self.unsubscribe($0, $1) },
            ThreadMethods.search.served { query, _ in try await self.search(query) },
            ThreadMethods.approvals.served { query, _ in
                ApprovalList(await self.control.approvals(), after: query.cursor)
            },
            ThreadMethods.post.served { post, _ in try await self.post(post) },
            ThreadMethods.start.served { start, _ in try await self.start(start) },
            ThreadMethods.cancel.served { choice, _ in
                try await self.control.cancel(try await self.reference(choice))
            },
            ThreadMethods.approve.served { choice, caller in
                try await self.control.answer(choice.answer, to: choice.approval, by: caller.name)
            },
        ].flatMap(\.self)
    }

    package nonisolated var controlRoutes: [ControlRoute] { owner.control }

    private nonisolated var owner: ThreadRoutes {
        let peer = OwnerPeer(ThreadOwner.caller, methods: { self.methods }, told: outlet.ownerEvents)
        return ThreadRoutes(following: following) { _ in peer }
    }

    package nonisolated func checks() async -> [DoctorCheck] { await doctor() }

    package nonisolated func run() async {
        let changes = await library.changes()
        let events = await control.events()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.library.run() }
            group.addTask { await self.control.run() }
            group.addTask { for await change in changes { await self.take(change) } }
            group.addTask { for await event in events { await self.take(event) } }
            group.addTask { await self.states.run { await self.tellOfFile($0) } }
            group.addTask { await self.lookAtNewest() }
        }
    }

    /// Looks for turns that run already when this program begins: the index tells only of changes.
    private func lookAtNewest() async {
        await library.isWhole()
        // Without it, states are known as soon as something is written.
        guard let page = try? await library.list(ThreadListQuery(limit: 50, includesAll: true)) else { return }
        for thread in page.threads { await states.look(at: thread) }
    }

    package func close() async {
        await following.close()
        await followers.close()
        await announcer.close()
        await control.close()
    }
}

// MARK: What is asked

extension ThreadsSkill {
    private func list(_ query: ThreadListQuery) async throws -> ThreadList {
        if let state = query.state { return try await list(in: state, query) }
        var query = query
        while true {
            let page = try await library.list(query)
            let list = ThreadList(
                await summaries(of: page.threads),
                next: page.next,
                total: page.total,
                indexing: await library.progress
            )
            let size = list.items.reduce(0) { $0 + $1.wire.canonicalBytes.count }
            guard size > ThreadLimits.pageBytes, query.limit > 1 else { return list }
            // Paths can be long: as many as would have fitted.
            query.limit = max(1, min(query.limit, list.items.count) * ThreadLimits.pageBytes / size * 9 / 10)
        }
    }

    /// The few threads in one state are known without the index.
    private func list(in state: AgentState, _ query: ThreadListQuery) async throws -> ThreadList {
        let wanted = await currentStates().filter { $0.value == state }
        let summaries = await summaries(of: try await library.threads(Set(wanted.keys)))
            .filter { summary in
                (query.agent.map { $0 == summary.reference.agent } ?? true)
                    && (query.folder.map { $0 == summary.workingFolder } ?? true)
            }
            .sorted { $0.newest > $1.newest }
        return ThreadList(
            Array(summaries.prefix(query.limit)),
            total: summaries.count,
            indexing: await library.progress
        )
    }

    private func search(_ query: ThreadSearchQuery) async throws -> ThreadHits {
        let found = try await library.search(query)
        let summaries = await summaries(of: found.hits.map(\.thread))
        return ThreadHits(
            zip(found.hits, summaries).map { hit, summary in
                ThreadHits.Hit(
                    thread: summary,
                    item: hit.item,
                    cursor: hit.cursor,
                    kind: hit.kind,
                    snippet: hit.snippet,
                    marks: hit.marks
                )
            },
            next: found.next,
            indexing: found.progress
        )
    }

    private func post(_ post: ThreadPost) async throws -> ThreadProgress {
        guard let thread = try await library.thread(post.thread.id, agent: post.thread.agent) else {
            // Its agent may write its history in a way that is not known here, or has not written it yet.
            return try await control.post(post.prompt, to: try await running(post.thread), in: nil)
        }
        // Only Codex notes in its files where a turn begins and ends. A second program would write into the same conversation.
        if thread.agent == .codex, await control.states()[thread.reference] ?? .idle == .idle,
            await states.known()[thread.reference] == .running
        {
            throw ThreadsError.runsElsewhere
        }
        return try await control.post(post.prompt, to: thread.reference, in: thread.workingFolder)
    }

    private func start(_ start: ThreadStart) async throws -> StartedThread {
        let reference = try await control.start(start.agent, in: start.folder, start.prompt)
        if let thread = try await library.thread(reference.id, agent: reference.agent) {
            return StartedThread(await summary(of: thread))
        }
        // Agents write a thread's file with its first answer.
        var summary = ThreadSummary(
            reference,
            title: start.prompt.text.isEmpty ? nil : ShortText.line(start.prompt.text),
            updatedMilliseconds: time.date.millisecondsSince1970,
            state: .running,
            canPost: true
        )
        summary.workingFolder = start.folder
        return StartedThread(summary)
    }

    func thread(_ choice: ThreadChoice) async throws -> AgentThread {
        guard let thread = try await library.thread(choice.id, agent: choice.agent) else {
            throw ThreadsError.noSuchThread
        }
        return thread
    }

    /// The thread that is meant, which may have no file yet.
    func reference(_ choice: ThreadChoice) async throws -> ThreadReference {
        if let agent = choice.agent { return ThreadReference(agent: agent, id: choice.id) }
        // An agent that has the thread open is asked first: what was started here can be stopped, whatever its file is like.
        if let running = try? await running(choice) { return running }
        return try await thread(choice).reference
    }

    /// A thread that an agent has open here, or had open lately.
    private func running(_ choice: ThreadChoice) async throws -> ThreadReference {
        let known = await control.states().keys.first { reference in
            reference.id == choice.id && choice.agent.map { $0 == reference.agent } ?? true
        }
        guard let known else { throw ThreadsError.noSuchThread }
        return known
    }
}

// MARK: Lines of the list

extension ThreadsSkill {
    func summary(of thread: AgentThread) async -> ThreadSummary { await summaries(of: [thread])[0] }

    func summaries(of threads: [AgentThread]) async -> [ThreadSummary] {
        let states = await currentStates()
        let reasons = await control.reasons()
        let postable = await control.postable()
        return threads.map { thread in
            let state = states[thread.reference] ?? .idle
            var summary = ThreadSummary(thread, state: state, canPost: postable.contains(thread.agent))
            summary.reason = state == .failed ? reasons[thread.reference] : nil
            return summary
        }
    }

    /// An agent that runs here knows its state; of others only their files tell.
    private func currentStates() async -> [ThreadReference: AgentState] {
        await states.known().merging(await control.states()) { $1 == .idle ? $0 : $1 }
    }

    /// An agent that runs here has told of itself.
    private func tellOfFile(_ reference: ThreadReference) async {
        if await control.states()[reference] ?? .idle == .idle, let state = await states.known()[reference] {
            await announcer.note(reference, state, isOwn: false)
        }
        await tell(reference)
    }

    private func tell(_ reference: ThreadReference) async {
        // One without a file yet is told once it has one.
        guard let thread = try? await library.thread(reference.id, agent: reference.agent) else { return }
        await followers.tellList(.threadChanged, ["thread": await summary(of: thread).wire], of: reference)
    }

    func take(_ change: ThreadChange) async {
        switch change {
        case .changed(let thread):
            await states.look(at: thread)
            await followers.tellList(.threadChanged, ["thread": await summary(of: thread).wire], of: thread.reference)
        case .grown(let reference):
            await followers.poke(reference)
            await states.noteGrowth(of: reference)
        case .removed(let reference):
            await states.forget(reference)
            await followers.tellList(.threadRemoved, reference.members, of: reference)
        }
    }

    func take(_ event: AgentEvent) async {
        switch event {
        case .started(let reference, _): await take(reference, .running)
        case .state(let reference, let state, let reason): await take(reference, state, reason: reason)
        // The last words of a turn that is done are no reason: its file has them.
        case .finished(let reference, let state, let summary):
            await take(reference, state, reason: state == .failed ? summary : nil)
        case .delta(let reference, let item, let offset, let text):
            var members = reference.members
            members["item"] = .string(item)
            members["offset"] = .integer(Int64(offset))
            members["text"] = .string(text)
            await followers.tell(.threadDelta, members, of: reference)
        case .opened(let approval):
            await announcer.ask(approval)
            await followers.tellList(.threadApproval, ["approval": approval.wire], of: approval.thread)
        case .closed(let id, let reference, let option, let device):
            var members = reference.members
            members["approval"] = .string(id)
            members["option"] = option.map(JSONValue.string)
            members["by"] = device.map(JSONValue.string)
            await followers.tellList(.threadApprovalClosed, members, of: reference)
        }
    }

    /// Tells the state of an agent that runs here.
    private func take(_ reference: ThreadReference, _ state: AgentState, reason: String? = nil) async {
        await announcer.note(reference, state, reason: reason, isOwn: true)
        // A program that was ended does not write so into its file.
        if state == .idle { await states.stop(reference) }
        await tell(reference)
    }
}

extension AgentThread {
    package var reference: ThreadReference { ThreadReference(agent: agent, id: id) }
}

extension ThreadSummary {
    fileprivate var newest: Int64 { lastMessageMilliseconds ?? updatedMilliseconds }

    init(_ thread: AgentThread, state: AgentState, canPost: Bool) {
        self.init(
            thread.reference,
            title: thread.title,
            updatedMilliseconds: thread.updatedMilliseconds,
            isArchived: thread.isArchived,
            isInteractive: thread.isInteractive,
            state: state,
            canPost: canPost
        )
        createdMilliseconds = thread.createdMilliseconds
        lastMessageMilliseconds = thread.lastMessageMilliseconds
        workingFolder = thread.workingFolder
        gitBranch = thread.gitBranch
        model = thread.modelProvider
        origin = thread.source?.word
        parentID = thread.parentID
        size = thread.size
        unreadable = thread.unreadable?.rawValue
    }
}
