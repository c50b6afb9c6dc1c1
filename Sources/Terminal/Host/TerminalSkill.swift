package import Capabilities
package import CommandServer
import Commands
import Foundation
package import Kernel
import Terminal

/// The terminals of this computer. They outlive the link: a phone that comes back, or another one of the same owner, lists
/// them and goes on. Source: `docs/protocol.md`, "Terminal".
package actor TerminalSkill: CommandFeature {
    package static let manifest = FeatureManifest("terminal", rights: [.terminal])

    /// Ended ones, kept for what they wrote last.
    static let endedLimit = 8

    private let factory: any PseudoTerminalFactory
    private let outlet: any DeviceOutlet
    private let observer: (any ActivityObserver)?
    private let time: any TimeSource
    private let makeID: @Sendable () -> String
    private let tasks = OwnedTasks()
    private(set) var sessions: [String: TerminalSession] = [:]
    /// Oldest first.
    private var order: [String] = []
    private var starting = 0
    private var isStopped = false

    package init(
        factory: any PseudoTerminalFactory,
        outlet: any DeviceOutlet,
        observer: (any ActivityObserver)? = nil,
        time: any TimeSource = .system,
        makeID: @escaping @Sendable () -> String = { UUID.randomText() }
    ) {
        self.factory = factory
        self.outlet = outlet
        self.observer = observer
        self.time = time
        self.makeID = makeID
    }

    /// - Parameters:
    ///   - factory: Starts this system's shells.
    ///   - time: The clock that shells are timed by; nil for the computer's.
    package static func maker(
        factory: any PseudoTerminalFactory,
        time: (any TimeSource)? = nil
    ) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) {
            TerminalSkill(factory: factory, outlet: $0.outlet, observer: $0.observer, time: time ?? $0.time)
        }
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            TerminalMethods.create.served { try await self.create($0, for: $1) },
            TerminalMethods.list.served { await self.list($0, for: $1) },
            TerminalMethods.stdin.accepted { try await self.type($0, for: $1) },
            TerminalMethods.resize.accepted { try await self.resize($0, for: $1) },
            TerminalMethods.close.accepted { try await self.close($0, for: $1) },
            TerminalMethods.history.served { try await self.history($0, for: $1) },
            TerminalMethods.acknowledge.accepted { try await self.acknowledge($0, for: $1) },
            TerminalMethods.unsubscribe.accepted { try await self.unsubscribe($0, for: $1) },
        ].flatMap(\.self)
    }

    package nonisolated var keeper: (any ActivityKeeper)? { self }

    /// Ends every shell: the computer's program stops.
    package func close() async {
        isStopped = true
        let all = sessions.values
        sessions = [:]
        order = []
        await withDiscardingTaskGroup { group in
            for session in all {
                group.addTask {
                    await session.close()
                    await session.end()
                }
            }
        }
        await tasks.end()
    }

    // MARK: Methods

    private func create(_ params: TerminalMethods.Create, for caller: Caller) async throws -> TerminalMethods.Created {
        guard !isStopped else { throw TerminalError.stopped }
        guard sessions.values.count(where: \.isAlive) + starting < TerminalError.sessionLimit else {
            throw TerminalError.tooManySessions
        }
        starting += 1
        defer { starting -= 1 }
        let terminal = try await factory.start(params.request)
        let session = TerminalSession(
            id: makeID(),
            device: caller.id,
            terminal: terminal,
            size: params.request.size,
            projectID: params.projectID,
            createdAtMilliseconds: time.date.millisecondsSince1970,
            outlet: outlet,
            time: time
        )
        await session.start(acknowledges: params.acknowledges, viewer: params.viewerID)
        // A phone that lost its right meanwhile has its calls cancelled, and then the sessions ended that are in the list.
        guard !isStopped, !Task.isCancelled else {
            // In a task of its own: a cancelled one would not wait for the shell's end, nor kill one that ignores it.
            await Task {
                await session.close()
                await session.end()
            }.value
            guard isStopped else { throw CancellationError() }
            throw TerminalError.stopped
        }
        sessions[session.id] = session
        order.append(session.id)
        forgetEnded()
        observer?.began(Self.activity(of: session))
        return TerminalMethods.Created(
            sessionID: session.id,
            processID: terminal.processID,
            shell: terminal.shell,
            folder: terminal.folder,
            createdAtMilliseconds: session.createdAtMilliseconds,
            projectID: session.projectID
        )
    }

    /// Documented phones get every live session's output from here on. Ours name the one they show, or none.
    private func list(_ params: TerminalMethods.List, for caller: Caller) async -> TerminalMethods.Listing {
        var entries: [TerminalEntry] = []
        for session in order.compactMap({ sessions[$0] }) {
            if params.subscribes, params.sessionID == nil || params.sessionID == session.id {
                await session.subscribe(caller.id, acknowledges: params.acknowledges)
            }
            entries.append(await session.entry())
        }
        return TerminalMethods.Listing(entries, shells: await factory.shells())
    }

    private func type(_ params: TerminalMethods.Input, for caller: Caller) async throws {
        let session = try session(params.sessionID)
        guard session.isAlive else { throw TerminalError.sessionNotAlive }
        if let place = params.place {
            let source = TerminalInput.Source(caller: caller.id, id: place.inputID)
            try await session.type(params.text, seq: place.seq, from: source)
        } else {
            try await session.type(params.text)
        }
    }

    private func resize(_ params: TerminalMethods.Resize, for caller: Caller) async throws {
        let viewer = TerminalViewers.Viewer(device: caller.id, id: params.viewerID ?? "")
        try await session(params.sessionID).resize(to: params.size, for: viewer, isLooking: params.isLooking)
    }

    private func close(_ params: TerminalMethods.Session, for caller: Caller) async throws {
        await close(try session(params.sessionID))
    }

    /// Ends a shell, and lets go of its session once its devices know.
    func close(_ session: TerminalSession) async {
        await session.close()
        if sessions.removeValue(forKey: session.id) != nil {
            order.removeAll { $0 == session.id }
            tasks.add { await session.retire() }
        }
    }

    private func history(_ params: TerminalMethods.Past, for caller: Caller) async throws -> TerminalHistory {
        try await session(params.sessionID).history(from: params.first)
    }

    private func acknowledge(_ params: TerminalMethods.Acknowledgement, for caller: Caller) async throws {
        try await session(params.sessionID).acknowledge(params.seq, by: caller.id)
    }

    private func unsubscribe(_ params: TerminalMethods.Unsubscribe, for caller: Caller) async throws {
        try await session(params.sessionID).unsubscribe(caller.id, viewer: params.viewerID)
    }

    private func session(_ id: String) throws(TerminalError) -> TerminalSession {
        guard !isStopped else { throw .stopped }
        guard let session = sessions[id] else { throw .sessionNotFound }
        return session
    }

    private func forgetEnded() {
        let ended = order.filter { sessions[$0]?.isAlive == false }
        for id in ended.dropLast(Self.endedLimit) {
            order.removeAll { $0 == id }
            if let session = sessions.removeValue(forKey: id) { tasks.add { await session.end() } }
        }
    }
}

extension Method where Answer == TerminalMethods.Accepted {
    /// Serves a method whose answer says only that it is done.
    fileprivate func accepted(by run: @escaping @Sendable (Parameters, Caller) async throws -> Void) -> [RemoteMethod] {
        served { params, caller in
            try await run(params, caller)
            return TerminalMethods.Accepted()
        }
    }
}
