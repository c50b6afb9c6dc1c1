import CommandServer
import Commands
import Kernel
import Terminal

/// One shell: reads what it writes, keeps the newest of it, and sends it to every device that asked.
actor TerminalSession {
    /// The bytes of lag after which a device that still takes some makes the shell wait: what it misses then is in history.
    static let waitingLimit = 176 * 1024
    /// The waiting limit for a device that shows it faster than a person reads. With what is read in one go and the chunk that grows, no
    /// more than history can keep.
    static let fastWaitingLimit = 640 * 1024
    /// Bytes under way with which a device is sure to acknowledge some: see ``TerminalClient/acknowledgeEvery``.
    static let busyLimit = 96 * 1024
    /// Milliseconds: a device that takes longer for as much is sent no more ahead than that.
    static let slowStep = 100.0
    static let readLimit = 128 * 1024
    /// The bytes of one read while a device is slow.
    static let slowReadLimit = 16 * 1024
    /// How long the shell waits for a device that takes nothing.
    static let patience: Duration = .seconds(2)
    /// Into how many parts that is divided: after each but the last, a device is reminded.
    static let reminders = 4
    /// The wait after the shell's end: for output that its other programs still write.
    static let grace: Duration = .milliseconds(300)
    /// The time between a hang-up and the end by force.
    static let killDelay: Duration = .seconds(2)
    static let inputPatience: Duration = .seconds(5)
    /// How often a session without input and output is looked at, and how often until it is ended. Source:
    /// `docs/protocol.md`, "Terminal".
    static let idleCheck: Duration = .seconds(3600)
    static let idleChecks = 24
    /// How long a closed session tries to tell its end.
    static let farewell: Duration = .seconds(10)

    nonisolated let id: String
    /// The device that opened it.
    nonisolated let device: String
    nonisolated let terminal: any PseudoTerminal
    nonisolated let projectID: String?
    nonisolated let createdAtMilliseconds: Int64
    private let outlet: any DeviceOutlet
    private let time: any TimeSource
    private let startedAt: ContinuousClock.Instant
    private let tasks = OwnedTasks()
    private let subscriberCount = LatestValue(0)
    private let ended = LatestValue<TerminalExit?>(nil)
    private var ring = TerminalRing()
    private var viewers = TerminalViewers()
    private var size: TerminalSize
    private var decoder = UTF8Stream()
    /// Ends the patience with pieces of input that wait for an earlier one.
    private var inputTimer = DeadlineTimer()
    private var input = TerminalInput()
    private var subscribers: [String: TerminalSubscriber] = [:]
    private var reader: CheckedContinuation<Void, Never>?
    private var patienceTask: Task<Void, Never>?
    private var shellExit: TerminalExit?
    private var isOutputOver = false
    private var idleCount = 0
    private var writtenAtMilliseconds: Int64?

    init(
        id: String,
        device: String,
        terminal: any PseudoTerminal,
        size: TerminalSize,
        projectID: String?,
        createdAtMilliseconds: Int64,
        outlet: any DeviceOutlet,
        time: any TimeSource
    ) {
        self.id = id
        self.device = device
        self.terminal = terminal
        self.size = size
        self.projectID = projectID
        self.createdAtMilliseconds = createdAtMilliseconds
        self.outlet = outlet
        self.time = time
        startedAt = time.now
    }

    /// The device that opened it gets the output from its first byte on.
    func start(acknowledges: Bool, viewer: String?) {
        if let viewer { viewers.place(TerminalViewers.Viewer(device: device, id: viewer), size: size, isLooking: true) }
        subscribe(device, acknowledges: acknowledges)
        tasks.add { await self.readOutput() }
        tasks.add { await self.awaitExit() }
        tasks.add { await self.watchIdleness() }
    }

    nonisolated var isAlive: Bool { ended.value == nil }
    nonisolated var exit: TerminalExit? { ended.value }

    // MARK: What devices ask

    /// Seals the last chunk: the caller has seen it, and the number says where the caller is.
    func entry() -> TerminalEntry {
        ring.seal()
        let exit = exit
        let foreground = shellExit == nil ? terminal.foreground : nil
        return TerminalEntry(
            id: id,
            shell: terminal.shell,
            folder: terminal.folder,
            isAlive: exit == nil,
            lastSeq: ring.lastSeq,
            projectID: projectID,
            createdAtMilliseconds: createdAtMilliseconds,
            exitCode: exit.map { Int($0.code) },
            signal: exit?.signal.map(Int.init),
            program: foreground?.program,
            currentFolder: foreground?.folder,
            writtenAtMilliseconds: writtenAtMilliseconds,
            size: size,
            lastLine: ring.lastLine
        )
    }

    func history(from seq: Int64) -> TerminalHistory {
        ring.seal()
        return TerminalHistory(of: ring, from: seq)
    }

    /// A viewer's window has this size.
    ///
    /// - Parameter isLooking: Whether the terminal takes it at once.
    func resize(to size: TerminalSize, for viewer: TerminalViewers.Viewer, isLooking: Bool) throws(TerminalError) {
        guard isAlive, shellExit == nil else { throw .sessionNotAlive }
        viewers.place(viewer, size: size, isLooking: isLooking)
        takeSize()
        // One that has just told of itself does not know the terminal's size yet.
        subscribers[viewer.device]?.wake.yield()
    }

    /// The terminal has the size of the viewer who looked or typed last. Every device that has viewers is told before it is sent what the
    /// programs write for that size.
    private func takeSize() {
        guard let wanted = viewers.size, wanted != size, isAlive, shellExit == nil else { return }
        size = wanted
        ring.resized()
        terminal.resize(to: wanted)
        for subscriber in subscribers.values { subscriber.wake.yield() }
    }

    /// Types text that carries no number.
    func type(_ text: String) throws(TerminalError) { try type(Array(text.utf8)) }

    private func type(_ bytes: [UInt8]) throws(TerminalError) {
        guard shellExit == nil else { throw .sessionNotAlive }
        idleCount = 0
        try terminal.write(bytes)
    }

    /// Types text in its turn.
    func type(_ text: String, seq: Int64, from source: TerminalInput.Source) async throws {
        guard shellExit == nil else { throw TerminalError.sessionNotAlive }
        let bytes = Array(text.utf8)
        let (place, forgotten) = input.place(of: seq, from: source, bytes: bytes.count)
        for held in forgotten { held.answer.resume(throwing: TerminalError.inputOutOfOrder) }
        if place != .repeated {
            viewers.typed(TerminalViewers.Viewer(device: source.caller, id: source.id))
            takeSize()
        }
        switch place {
        case .repeated: return
        case .tooFar: throw TerminalError.inputFull
        case .now: try typeInTurn(bytes, from: source)
        case .later:
            try await withCheckedThrowingContinuation { answer in
                let deadline = time.now + Self.inputPatience
                input.hold(TerminalInput.Held(bytes: bytes, deadline: deadline, answer: answer), at: seq, from: source)
                setInputTimer(to: deadline)
            }
        }
    }

    private func typeInTurn(_ bytes: [UInt8], from source: TerminalInput.Source) throws(TerminalError) {
        do {
            try type(bytes)
        } catch {
            // Later input must not overtake it.
            for held in input.takeAll(of: source) { held.answer.resume(throwing: error) }
            throw error
        }
        guard let next = input.advance(source) else { return }
        do {
            try typeInTurn(next.bytes, from: source)
            next.answer.resume()
        } catch {
            next.answer.resume(throwing: error)
        }
    }

    private func setInputTimer(to deadline: ContinuousClock.Instant) {
        inputTimer.set(to: deadline, on: time) { [weak self] in await self?.inputTimerRang($0) }
    }

    private func inputTimerRang(_ deadline: ContinuousClock.Instant) {
        guard inputTimer.rang(deadline) else { return }
        for held in input.takeOverdue(at: time.now) { held.answer.resume(throwing: TerminalError.inputOutOfOrder) }
        if let next = input.nextDeadline { setInputTimer(to: next) }
    }

    // MARK: Output

    private func readOutput() async {
        while let bytes = await terminal.read(upTo: readSize) {
            idleCount = 0
            writtenAtMilliseconds = time.date.millisecondsSince1970
            append(decoder.decode(bytes))
            await untilReadersKeepUp()
        }
        append(decoder.finish())
        isOutputOver = true
        endIfOver()
    }

    /// The bytes of one read: they are shown also after Ctrl-C, so they are few where that takes long.
    private var readSize: Int {
        subscribers.values.contains { $0.window < Self.waitingLimit } ? Self.slowReadLimit : Self.readLimit
    }

    private func append(_ text: String) {
        guard !text.isEmpty else { return }
        let safe = subscribers.values.filter { !$0.isLagging }.map(\.safe).min()
        ring.append(text, needed: safe.map { ring.end(of: $0) } ?? .max)
        for subscriber in subscribers.values { subscriber.wake.yield() }
    }

    /// The devices so far behind that the shell waits. None once it has ended: little of its output is left.
    private func blockers() -> [String] {
        guard shellExit == nil else { return [] }
        return subscribers.filter { !$0.value.isLagging && ring.end - ring.end(of: $0.value.done) > $0.value.window }
            .map(\.key)
    }

    private func untilReadersKeepUp() async {
        guard !blockers().isEmpty, !Task.isCancelled else { return }
        for device in subscribers.keys { subscribers[device]?.hasProgressed = false }
        patienceTask = Task { [time] in
            // Cancelled as soon as the shell may go on.
            var turns = 0
            while await time.pause(for: Self.patience / Self.reminders) {
                turns += 1
                if turns.isMultiple(of: Self.reminders) { giveUpOnStalled() } else { remindStalled() }
            }
        }
        await withCheckedContinuation { reader = $0 }
        patienceTask?.cancel()
        patienceTask = nil
    }

    /// Sends the newest output again to devices that may have lost all that is under way, since nothing more comes to show the gap.
    /// A device that has it shows it once.
    private func remindStalled() {
        for device in blockers() {
            guard let subscriber = subscribers[device], let shown = subscriber.shown, !subscriber.hasProgressed,
                subscriber.cursor > max(shown + 1, ring.firstSeq)
            else { continue }
            subscribers[device]?.cursor -= 1
            subscriber.wake.yield()
        }
    }

    private func giveUpOnStalled() {
        for device in blockers() {
            if subscribers[device]?.hasProgressed == false { subscribers[device]?.isLagging = true }
            subscribers[device]?.hasProgressed = false
        }
        resumeReading()
    }

    private func resumeReading() {
        guard let waiting = reader, blockers().isEmpty else { return }
        reader = nil
        waiting.resume()
    }

    // MARK: Devices

    /// Sends a device what comes from now on. One that gets it already goes on.
    ///
    /// - Parameter acknowledges: Whether it says what it has shown; nil: as before, at first not.
    func subscribe(_ device: String, acknowledges: Bool?) {
        guard isAlive else { return }
        ring.seal()
        if let subscriber = subscribers[device] {
            if let acknowledges { subscribers[device]?.shown = acknowledges ? subscriber.done : nil }
            subscriber.wake.yield()
            return
        }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let last = ring.lastSeq
        let shown = acknowledges == true ? last : nil
        subscribers[device] = TerminalSubscriber(cursor: last + 1, shown: shown, wake: wake)
        subscriberCount.set(subscribers.count)
        tasks.add { await self.pump(to: device, wakes) }
        wake.yield()
    }

    /// A device says what it has shown.
    func acknowledge(_ seq: Int64, by device: String) {
        guard let subscriber = subscribers[device], let shown = subscriber.shown, seq > shown, seq <= ring.lastSeq
        else { return }
        subscribers[device]?.acknowledge(ring.end(of: seq) - ring.end(of: shown), at: time.now - startedAt)
        subscribers[device]?.shown = seq
        // Output that it got by asking for history is not sent again.
        subscribers[device]?.cursor = max(subscriber.cursor, seq + 1)
        progressed(device)
        subscriber.wake.yield()
    }

    /// The devices that get its output.
    var watchers: [String] { Array(subscribers.keys) }

    /// A device does not want the output any more, or may not have it.
    ///
    /// - Parameter viewer: The only one of its windows that is closed; nil for all.
    func unsubscribe(_ device: String, viewer: String? = nil) {
        if let viewer {
            viewers.leave(TerminalViewers.Viewer(device: device, id: viewer))
            takeSize()
            if viewers.hasAny(device) { return }
        }
        subscribers[device]?.wake.finish()
    }

    private func progressed(_ device: String) {
        subscribers[device]?.isLagging = false
        subscribers[device]?.hasProgressed = true
        resumeReading()
    }

    private func pump(to device: String, _ wakes: AsyncStream<Void>) async {
        do {
            for await _ in wakes {
                try await tellSize(to: device)
                while let chunk = takeNext(for: device) {
                    try await send(.output(text: chunk.text, seq: chunk.seq), to: device)
                    if subscribers[device]?.shown == nil { progressed(device) }
                    try await tellSize(to: device)
                }
                if let exit = ended.value {
                    try await send(.exit(code: Int(exit.code), signal: exit.signal.map(Int.init)), to: device)
                    break
                }
            }
        } catch {
            // It is not here any more, or the session ends. When it comes back it lists, and asks for what it missed.
        }
        subscribers[device] = nil
        viewers.leave(device: device)
        takeSize()
        subscriberCount.set(subscribers.count)
        resumeReading()
    }

    private func tellSize(to device: String) async throws {
        guard viewers.areTold(device), ended.value == nil, subscribers[device]?.toldSize != size else { return }
        subscribers[device]?.toldSize = size
        try await send(.resized(size), to: device)
    }

    private func takeNext(for device: String) -> TerminalRing.Chunk? {
        guard let subscriber = subscribers[device] else { return nil }
        let seq = max(subscriber.cursor, ring.firstSeq)
        if let shown = subscriber.shown, ended.value == nil {
            let underWay = ring.end(of: seq - 1) - ring.end(of: shown)
            if underWay > subscriber.window { return nil }
            // A device that is busy showing has nothing from a small chunk: it grows until the next acknowledgement.
            if underWay >= Self.busyLimit, ring.isGrowing(seq) { return nil }
        }
        guard let chunk = ring.chunk(seq) else { return nil }
        if seq == ring.lastSeq { ring.seal() }
        subscribers[device]?.cursor = seq + 1
        resumeReading()
        return chunk
    }

    private func send(_ event: TerminalEvent, to device: String) async throws {
        try await outlet.send(event.kind, event.members(session: id, project: projectID), to: device)
    }

    // MARK: The end

    private func awaitExit() async {
        shellExit = await terminal.exit()
        resumeReading()
        endIfOver()
        guard ended.value == nil else { return }
        // Cancelled only when the session is ended, which hangs up too.
        try? await time.sleep(for: Self.grace)
        terminal.hangUp()
    }

    private func endIfOver() {
        guard isOutputOver, let shellExit, ended.value == nil else { return }
        terminal.hangUp()
        inputTimer.cancel()
        for held in input.takeAll() { held.answer.resume(throwing: TerminalError.sessionNotAlive) }
        ended.set(shellExit)
        for subscriber in subscribers.values { subscriber.wake.yield() }
    }

    private func watchIdleness() async {
        // Cancelled when the session ends.
        while await time.pause(for: Self.idleCheck) {
            idleCount += 1
            if idleCount >= Self.idleChecks { return await close() }
        }
    }

    /// Ends the shell, and returns when it has ended.
    func close() async {
        terminal.hangUp()
        let deadline = time.now + Self.killDelay
        tasks.add { [time, terminal] in
            // Cancelled when everything has ended before.
            if await time.pause(until: deadline) { terminal.kill() }
        }
        for await exit in ended.values() where exit != nil { return }
    }

    /// Lets go of a session that has ended, once its devices know.
    func retire() async {
        let count = subscriberCount
        // A device that did not hear of it by then is gone.
        try? await withTimeout(Self.farewell, on: time, throwing: TerminalError.stopped) {
            for await left in count.values() where left == 0 { return }
        }
        await end()
    }

    /// Lets go of a session that has ended, without waiting for its devices to know.
    func end() async {
        inputTimer.cancel()
        await tasks.end()
    }
}
