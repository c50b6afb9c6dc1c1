package import Capabilities
package import CommandServer
import Commands
package import Control
import Foundation
import Kernel
import Logging
package import Rights
import SavedCommands

/// The commands that the owner of this computer saved, and their runs. A phone names a command by its id and adds nothing to it.
/// Source: `docs/protocol.md`, "Saved commands, lock and sleep".
package actor SavedCommandsSkill: CommandFeature {
    package static let manifest = FeatureManifest(
        "saved-commands",
        rights: [.savedCommands],
        migrations: SavedCommandStore.migrations
    )

    /// Between two events of a run that prints.
    static let tellInterval = Duration.milliseconds(200)
    /// A phone that takes no more misses the event, and asks by itself.
    private static let sendLimit = Duration.seconds(5)

    /// A run that goes on.
    private struct Going {
        var kept: KeptRun
        var output = KeptOutput()
        /// Nil while it starts.
        var program: (any RunningCommand)?
        /// Why Tandem ends it; nil while it does not.
        var cause: CommandEnd?
        /// Reads it to its end.
        var following: Task<Void, Never>?
        /// Whether an event is about to be sent.
        var isTelling = false
    }

    private let store: SavedCommandStore
    private let launcher: any CommandLauncher
    private let outlet: any DeviceOutlet
    private let observer: (any ActivityObserver)?
    private let time: any TimeSource
    private let logger: Logger
    private let tasks = OwnedTasks()
    private nonisolated let changes = Broadcaster<Void>(capacity: 1)

    private var commands: [SavedCommand]
    private var going: [String: Going] = [:]
    /// The newest first.
    private var history: [KeptRun]
    /// The output of the last runs that ended, the newest first.
    private var outputs: [(run: String, output: KeptOutput)] = []
    private var isStopped = false

    /// - Parameter launcher: Starts this system's programs.
    package static func maker(launcher: any CommandLauncher) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { context in
            try SavedCommandsSkill(
                store: SavedCommandStore(database: context.database, logger: context.logger),
                launcher: launcher,
                outlet: context.outlet,
                observer: context.observer,
                time: context.time,
                logger: context.logger
            )
        }
    }

    /// - Throws: What the database says.
    init(
        store: SavedCommandStore,
        launcher: any CommandLauncher,
        outlet: any DeviceOutlet,
        observer: (any ActivityObserver)? = nil,
        time: any TimeSource = .system,
        logger: Logger
    ) throws {
        self.store = store
        self.launcher = launcher
        self.outlet = outlet
        self.observer = observer
        self.time = time
        self.logger = logger
        commands = try store.commands()
        // A run without an end was under way when the program before this one was killed.
        history = try store.runs().map { kept in
            var kept = kept
            if kept.run.end == nil { kept.run.end = .hostEnded }
            return kept
        }
    }

    package nonisolated var methods: [RemoteMethod] {
        [
            SavedCommandMethods.list.served { _, caller in await self.list(for: caller) },
            SavedCommandMethods.run.served { try await self.run($0, for: $1) },
            SavedCommandMethods.runs.served { await self.runs($0, for: $1) },
            SavedCommandMethods.output.served { try await self.output($0, for: $1) },
            SavedCommandMethods.stop.served { try await self.stop($0, for: $1) },
        ].flatMap(\.self)
    }

    package nonisolated var keeper: (any ActivityKeeper)? { self }

    package nonisolated var controlRoutes: [ControlRoute] {
        [
            ControlRoute(SavedCommandControl.list) { _ in await self.owned() },
            ControlRoute(SavedCommandControl.add) { try await self.add($0) },
            ControlRoute(SavedCommandControl.change) { try await self.change($0) },
            ControlRoute(SavedCommandControl.remove) { try await self.remove($0.command) },
            ControlRoute(SavedCommandControl.permit) { try await self.permit($0) },
            ControlRoute(SavedCommandControl.runs) { await self.ownedRuns($0.limit ?? 20) },
            ControlRoute(SavedCommandControl.output) { try await self.ownedOutput($0) },
            ControlRoute(SavedCommandControl.stop) { choice in
                try await self.ownerStops(choice.run)
                return NoControlAnswer()
            },
        ]
    }

    package nonisolated var topics: [ControlTopic] {
        [
            ControlTopic(SavedCommandControl.topic) { [changes] tell in
                let news = changes.subscribe()
                tell([:])
                for await _ in news { tell([:]) }
            }
        ]
    }

    /// Ends every run.
    package func close() async {
        isStopped = true
        await end(Array(going.keys), .hostEnded)
        await tasks.end()
        changes.finish()
    }

    // MARK: Phones

    private func list(for caller: Caller) -> SavedCommandList {
        let own = commands.filter { $0.allowedDevices.contains(caller.id) }.sorted { $0.name < $1.name }
        return SavedCommandList(own.map(\.entry))
    }

    private func run(_ params: RunCommand, for caller: Caller) async throws -> CommandRun {
        guard !isStopped else { throw SavedCommandError.stopped }
        guard let command = commands.first(where: { $0.id == params.id }), command.allowedDevices.contains(caller.id)
        else { throw SavedCommandError.unknown }
        guard !command.needsConfirmation || params.isConfirmed else {
            throw SavedCommandError.notConfirmed(name: command.name)
        }
        guard !going.values.contains(where: { $0.kept.run.command == command.id }) else {
            throw SavedCommandError.alreadyRuns(name: command.name)
        }
        guard going.count < SavedCommandLimits.running else {
            throw SavedCommandError.tooManyRuns(limit: SavedCommandLimits.running)
        }
        let run = CommandRun(
            id: UUID.randomText(),
            command: command.id,
            name: command.name,
            startedAt: time.date.millisecondsSince1970
        )
        let kept = KeptRun(run: run, device: caller.id, deviceName: caller.name)
        // Before anything is awaited: what ends runs from here on finds this one.
        going[run.id] = Going(kept: kept)
        do {
            try await store.save(kept)
        } catch {
            going[run.id] = nil
            throw error
        }
        return await start(command, as: run.id) ?? run
    }

    private func start(_ command: SavedCommand, as id: String) async -> CommandRun? {
        if Task.isCancelled, going[id]?.cause == nil { going[id]?.cause = .stopped }
        guard going[id]?.cause == nil else { return await finish(id, nil) }
        let program: any RunningCommand
        do {
            program = try await launcher.start(command.program.words, in: command.folder)
        } catch {
            return await finish(id, .failedToStart("\(error)"))
        }
        going[id]?.program = program
        // Its call was cancelled while it started: by the phone, or with the right, which says so itself.
        if Task.isCancelled, going[id]?.cause == nil { going[id]?.cause = .stopped }
        if going[id]?.cause != nil || isStopped { program.end() }
        // Not one of `tasks`, whose end cancels: a run is read to its end and kept.
        going[id]?.following = Task { await self.follow(id, program, limit: command.timeoutSeconds) }
        if let activity = going[id].map({ Self.activity(of: $0) }) { observer?.began(activity) }
        // The gate's log has the method and the phone; this one says which command it was. Names are the owner's own, what runs is not logged.
        logger.notice(
            "saved command began",
            metadata: [
                "command": "\(command.name)", "method": "\(SavedCommandMethods.run.name)", "run": "\(id)",
            ]
        )
        changes.send(())
        return going[id]?.kept.run
    }

    private func runs(_ query: CommandRunQuery, for caller: Caller) -> CommandRunList {
        CommandRunList(all.filter { $0.device == caller.id }.prefix(query.limit).map(\.run))
    }

    private func output(_ query: CommandOutputQuery, for caller: Caller) throws -> CommandOutput {
        guard let kept = all.first(where: { $0.run.id == query.run && $0.device == caller.id }) else {
            throw SavedCommandError.unknownRun
        }
        return part(of: kept, from: query.offset)
    }

    private func stop(_ reference: CommandRunReference, for caller: Caller) async throws -> Done {
        guard all.contains(where: { $0.run.id == reference.run && $0.device == caller.id }) else {
            throw SavedCommandError.unknownRun
        }
        await end([reference.run], .stopped)
        return Done()
    }

    // MARK: Runs

    /// The runs that go on, then those that ended, the newest first.
    private var all: [KeptRun] {
        let now = going.values.map(\.kept).sorted { ($1.run.startedAt, $0.run.id) < ($0.run.startedAt, $1.run.id) }
        return now + history
    }

    private func part(of kept: KeptRun, from offset: Int64) -> CommandOutput {
        let id = kept.run.id
        let output = going[id]?.output ?? outputs.first { $0.run == id }?.output
        let isEnded = going[id] == nil
        guard let output else {
            // Its output went with an earlier program, or with older runs.
            let end = kept.run.printedCount
            return CommandOutput(offset: end, next: end, text: "", isComplete: isEnded, run: kept.run)
        }
        var part = output.part(from: offset, isEnded: isEnded)
        part.run = kept.run
        return part
    }

    private func follow(_ id: String, _ program: any RunningCommand, limit: Int?) async {
        let deadline = limit.map { time.now + .seconds($0) }
        let timer = deadline.flatMap { deadline in
            tasks.add { [time] in if await time.pause(until: deadline) { await self.timeIsUp(id) } }
        }
        while let bytes = await program.read(upTo: 16 << 10) { took(bytes, of: id) }
        let exit = await program.ended()
        timer?.cancel()
        let end: CommandEnd =
            switch exit {
            case .exited(let status): .exited(status)
            case .killed(let signal): .signalled(signal)
            }
        _ = await finish(id, end)
    }

    private func took(_ bytes: [UInt8], of id: String) {
        guard var run = going[id] else { return }
        run.output.append(bytes)
        run.kept.run.printedCount = run.output.end
        let tells = !run.isTelling
        run.isTelling = true
        going[id] = run
        guard tells else { return }
        tasks.add { [time] in if await time.pause(for: Self.tellInterval) { await self.tellPrinted(id) } }
    }

    private func tellPrinted(_ id: String) async {
        guard let kept = going[id]?.kept else { return }
        going[id]?.isTelling = false
        await tell(kept)
    }

    /// Tells the run's phone, and the computer's page, that there is more to ask for.
    private func tell(_ kept: KeptRun) async {
        changes.send(())
        let late = RemoteError.timeout(id: "", method: EventKind.savedCommandRunChanged.name, after: Self.sendLimit)
        do {
            try await withTimeout(Self.sendLimit, on: time, throwing: late) { [outlet] in
                try await outlet.send(
                    .savedCommandRunChanged,
                    ["run": .string(kept.run.id), "id": .string(kept.run.command)],
                    to: kept.device
                )
            }
        } catch {
            // It is away, too slow, or lost the right: a phone that looks at a run asks by itself as well.
        }
    }

    private func timeIsUp(_ id: String) {
        guard going[id]?.cause == nil else { return }
        going[id]?.cause = .timedOut
        going[id]?.program?.end()
    }

    /// Ends runs, and returns once they have ended. Each keeps the first cause.
    private func end(_ ids: [String], _ cause: CommandEnd) async {
        for id in ids where going[id] != nil {
            if going[id]?.cause == nil { going[id]?.cause = cause }
            going[id]?.program?.end()
        }
        for id in ids { await going[id]?.following?.value }
    }

    /// Moves a run into the history.
    ///
    /// - Parameter end: How its program ended; nil where it was never started.
    private func finish(_ id: String, _ end: CommandEnd?) async -> CommandRun? {
        guard var run = going.removeValue(forKey: id) else { return nil }
        run.kept.run.endedAt = time.date.millisecondsSince1970
        run.kept.run.end = run.cause ?? end ?? .stopped
        history.insert(run.kept, at: 0)
        history = Array(history.prefix(SavedCommandLimits.history))
        outputs.insert((id, run.output), at: 0)
        outputs = Array(outputs.prefix(SavedCommandLimits.keptOutputs))
        do {
            try await store.save(run.kept)
        } catch {
            logger.error("the end of a run is not kept", metadata: ["reason": "\(error)"])
        }
        let kept = run.kept
        tasks.add { await self.tell(kept) }
        return kept.run
    }

    // MARK: The owner

    private func owned() -> OwnedCommandList {
        let known = knownPhones
        return OwnedCommandList(commands: commands.sorted { $0.name < $1.name }.map { owned($0, known) })
    }

    /// The paired phones: one that lacks the right may get it later.
    private var knownPhones: [OutletDevice] { outlet.devices(needing: nil) }

    private func owned(_ command: SavedCommand, _ known: [OutletDevice], ended: Int? = nil) -> OwnedCommand {
        let able = Set(outlet.devices(needing: .savedCommands).map(\.id))
        let phones = command.allowedDevices.map { id in
            OwnedCommand.Phone(id: id, name: known.first { $0.id == id }?.name, hasRight: able.contains(id))
        }
        var arguments: [String]?
        var shell: String?
        switch command.program {
        case .arguments(let words): arguments = words
        case .shell(let line): shell = line
        }
        return OwnedCommand(
            id: command.id,
            name: command.name,
            arguments: arguments,
            shell: shell,
            folder: command.folder,
            confirm: command.needsConfirmation,
            timeout: command.timeoutSeconds,
            phones: phones.sorted { ($0.name ?? "", $0.id) < ($1.name ?? "", $1.id) },
            running: ended ?? runs(of: command).count
        )
    }

    private func runs(of command: SavedCommand) -> [String] {
        going.values.filter { $0.kept.run.command == command.id }.map(\.kept.run.id)
    }

    private func add(_ new: NewSavedCommand) async throws -> OwnedCommand {
        guard commands.count < SavedCommandLimits.commands else {
            throw SavedCommandError.tooMany(limit: SavedCommandLimits.commands)
        }
        let command = try SavedCommand(
            name: new.name,
            program: new.shell.map(SavedCommand.Program.shell) ?? .arguments(new.arguments ?? []),
            folder: new.folder,
            needsConfirmation: new.confirm ?? false,
            timeoutSeconds: new.timeout == 0 ? nil : new.timeout
        )
        try await keep(command)
        return owned(command, knownPhones)
    }

    private func change(_ change: SavedCommandChange) async throws -> OwnedCommand {
        var command = try find(change.command)
        if let name = change.name { command.name = name }
        if let shell = change.shell {
            command.program = .shell(shell)
        } else if let arguments = change.arguments {
            command.program = .arguments(arguments)
        }
        if let folder = change.folder { command.folder = folder.isEmpty ? nil : folder }
        if let confirm = change.confirm { command.needsConfirmation = confirm }
        if let timeout = change.timeout { command.timeoutSeconds = timeout == 0 ? nil : timeout }
        try command.check()
        try await keep(command)
        return owned(command, knownPhones)
    }

    private func remove(_ name: String) async throws -> OwnedCommand {
        let command = try find(name)
        try await store.remove(command.id)
        commands.removeAll { $0.id == command.id }
        let runs = runs(of: command)
        await end(runs, .stopped)
        changes.send(())
        return owned(command, knownPhones, ended: runs.count)
    }

    func permit(_ permit: SavedCommandPermit) async throws -> OwnedCommand {
        var command = try find(permit.command)
        let known = knownPhones
        let device = try phone(permit.device, of: command)
        if permit.allowed {
            command.allowedDevices.insert(device)
        } else {
            command.allowedDevices.remove(device)
        }
        try await keep(command)
        if !permit.allowed {
            await end(runs(of: command).filter { going[$0]?.kept.device == device }, .rightEnded)
        }
        return owned(command, known)
    }

    /// A phone's id: of a paired one by its id or name, of one that is not paired any more by the id that the command has.
    private func phone(_ text: String, of command: SavedCommand) throws -> String {
        if command.allowedDevices.contains(text) { return text }
        let named = outlet.devices(typed: text)
        guard let first = named.first else { throw SavedCommandError.noPhone(text) }
        guard named.count == 1 else {
            throw SavedCommandError.severalPhones(text, ids: TypedDevice.choices(named.map(\.id).sorted(), for: text))
        }
        return first.id
    }

    private func find(_ name: String) throws -> SavedCommand {
        guard let command = commands.first(where: { $0.id == name }) ?? commands.first(where: { $0.name == name })
        else { throw SavedCommandError.noCommand(name) }
        return command
    }

    private func keep(_ command: SavedCommand) async throws {
        guard !commands.contains(where: { $0.name == command.name && $0.id != command.id }) else {
            throw SavedCommandError.nameTaken(command.name)
        }
        let index = commands.firstIndex { $0.id == command.id }
        let before = index.map { commands[$0] }
        // In memory first: what is taken back is not run while the disk is waited for, and a second call finds the name taken.
        if let index { commands[index] = command } else { commands.append(command) }
        do {
            try await store.save(command)
        } catch {
            if let at = commands.firstIndex(where: { $0.id == command.id }) {
                if let before { commands[at] = before } else { commands.remove(at: at) }
            }
            throw error
        }
        changes.send(())
    }

    private func ownedRuns(_ limit: Int) -> OwnedRunList {
        let count = min(max(limit, 1), SavedCommandLimits.history)
        return OwnedRunList(runs: all.prefix(count).map(\.owned))
    }

    private func ownedOutput(_ query: OwnedOutputQuery) throws -> OwnedOutput {
        guard let kept = all.first(where: { $0.run.id == query.run }) else { throw SavedCommandError.unknownRun }
        let part = part(of: kept, from: query.offset ?? 0)
        return OwnedOutput(
            offset: part.offset,
            next: part.next,
            text: part.text,
            complete: part.isComplete,
            state: kept.owned
        )
    }

    private func ownerStops(_ run: String) async throws {
        guard all.contains(where: { $0.run.id == run }) else { throw SavedCommandError.unknownRun }
        await end([run], .stopped)
    }
}

extension Activity.Kind {
    static let savedCommand = Activity.Kind(
        "saved-command",
        needs: .savedCommands,
        words: "runs a saved command",
        isShown: true
    )
}

extension SavedCommandsSkill: ActivityKeeper {
    private static func activity(of going: Going) -> Activity {
        Activity(
            .savedCommand,
            going.kept.run.id,
            device: going.kept.device,
            since: Date(millisecondsSince1970: going.kept.run.startedAt),
            detail: going.kept.run.name
        )
    }

    package func activities() -> [Activity] { going.values.map { Self.activity(of: $0) } }

    package func end(_ id: Activity.ID) async -> Bool {
        guard let run = going.values.first(where: { Self.activity(of: $0).id == id }) else { return false }
        await end([run.kept.run.id], .stopped)
        return true
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async {
        guard rights.contains(.savedCommands) else { return }
        await end(going.filter { $0.value.kept.device == device }.map(\.key), .rightEnded)
    }
}
