public import Kernel

/// The receiver of a transfer, on the new phone: checks and writes what arrives, and knows after a kill what is there.
public actor PackageReceiver: SessionPart {
    /// The answer to an offered package.
    public enum Decision: Hashable, Sendable {
        case accept
        /// The transfer is cancelled. The word travels to the old phone.
        case decline(reason: String)
    }

    /// Bytes that may be written and not be durable: what a loss of power costs at most.
    static let maximumUnsyncedBytes = 16 << 20
    /// Bytes after which they are made durable.
    static let bytesPerSync = 8 << 20
    /// Bytes between two looks at the disk's space.
    static let bytesPerSpaceCheck = 64 << 20
    /// Bytes that stay free.
    static let reservedBytes: Int64 = 200 << 20
    /// Bytes that the package and what it becomes both have at a time, where the disk gets the package's back: files that are not durable yet, and
    /// those whose space is being given back.
    private static let heldTwice: Int64 = 160 << 20

    /// What a person is shown.
    public nonisolated let state = LatestValue(MigrationTransferState())
    nonisolated let wake = WakeSignal()

    private let store: any PackageStore
    private let window: Int
    private let time: any TimeSource
    private let decide: @Sendable (BackupMeta) async -> Decision
    private var machine: TargetMachine
    private var package: ReceivedPackage?
    private var front: PackageFront?
    private var estimate = ProgressEstimate()
    private var isLinked = false
    private var peerName: String?
    private var trouble: MigrationTransferError?
    private let tasks = OwnedTasks()
    /// Asks the person about the package that was offered last.
    private var question: Task<Void, Never>?
    private let timing: MigrationTiming
    private var unsyncedBytes = 0
    private var uncheckedBytes = 0
    private var lastSync: ContinuousClock.Instant
    private var syncing: Task<Void, any Error>?
    /// Whether the disk takes parts of the package back.
    package private(set) var givesSpaceBack = false
    /// What may be given back, also what was, in so far as it is durable.
    private var wanted = RangeSet<Int64>()
    /// Bytes of the package that may be holes in its file: its owner has them elsewhere.
    package private(set) var released = RangeSet<Int64>()
    private var releasing: Task<Void, Never>?
    /// The package for which the person was asked, or space was missing.
    private var asked: BackupMeta?
    /// Whether the journal is told of the end.
    private var isNotingEnd = false
    /// Why the package can no longer be written.
    public private(set) var failure: (any Error)?
    /// What the old phone said of the whole package with its last chunk.
    public private(set) var completion: TransferCompletion?

    /// - Parameters:
    ///   - store: Where packages are kept.
    ///   - window: Bytes in flight that are allowed; at most ``SendWindow/maximumBytes``.
    ///   - decide: Asks the person whether the package is wanted. The package's password can be checked here, before anything is sent (rule #8).
    public init(
        store: any PackageStore,
        window: Int = SendWindow.maximumBytes,
        time: any TimeSource,
        timing: MigrationTiming = MigrationTiming(),
        decide: @escaping @Sendable (BackupMeta) async -> Decision
    ) {
        self.store = store
        self.window = min(max(1, window), SendWindow.maximumBytes)
        self.time = time
        self.timing = timing
        self.decide = decide
        machine = TargetMachine(window: self.window)
        lastSync = time.now
    }

    public var end: TransferEnd? { isNotingEnd ? nil : machine.end }
    /// The package that was offered, or goes on.
    public var meta: BackupMeta? { machine.meta }
    /// The package that the person agreed to in this run, for a thread that reads it while it comes; nil without one.
    package var arriving: (meta: BackupMeta, front: PackageFront)? {
        guard let meta = machine.meta, let front else { return nil }
        return (meta, front)
    }
    var hasLastWord: Bool { machine.hasLastWord }
    var isDecided: Bool { machine.isDecided }

    public func pause() async throws {
        machine.pause("user")
        changed()
        try await package?.note(.paused)
    }

    /// Ends this side's pause. A pause of the peer's is the peer's to end.
    ///
    /// - Throws: ``MigrationTransferError/diskFull(neededBytes:)`` while there is no space; errors of the disk.
    public func resume() async throws {
        guard machine.hold.own != nil else { return }
        if machine.phase == .deciding, let meta = machine.meta {
            try await checkSpace(for: meta)
            machine.resume()
            ask(about: meta)
        } else {
            if let package { try await checkRest(of: package) }
            machine.resume()
            try await package?.note(.resumed)
        }
        changed()
    }

    /// Ends the transfer on both phones; allowed at any time. Once the package was restored it changes nothing.
    public func cancel() {
        machine.cancel()
        discard()
        changed()
    }

    /// Says what became of the package: `verified`, and then `restored` or `failed`, which end the transfer.
    ///
    /// - Parameter code: A word for the old phone, with `failed`.
    public func report(_ status: TransferCompletion.Status, code: String? = nil) {
        machine.report(status, code: code)
        changed()
    }

    /// Bytes of the package that were opened or restored so far, for the time left.
    public func restored(_ bytes: Int64, of stage: TransferStage) {
        guard machine.phase == .restoring else { return }
        estimate.begin(stage)
        estimate.record(bytes, at: time.now)
        changed()
    }

    /// Ends what the receiver does beside the links.
    public func close() async {
        leaveFront()
        await tasks.end()
        // What was begun is brought to its end; whether it went well the journal tells.
        _ = await syncing?.result
        await releasing?.value
    }

    func begin() async throws {
        guard package == nil, machine.phase == .waiting, let begun = try await store.unfinished() else { return }
        package = begun
        released = begun.released
        givesSpaceBack = try await store.givesSpaceBack()
        machine = TargetMachine(
            window: window,
            meta: begun.meta,
            durable: begun.durable,
            isPaused: begun.wasPaused
        )
        estimate.expect(begun.meta.encSize)
        changed()
    }

    func linked(to peer: Handshake) {
        isLinked = true
        peerName = peer.deviceName.map { String($0.prefix(64)) }
        trouble = nil
        machine.linked()
        changed()
    }

    func unlinked() {
        isLinked = false
        machine.unlinked()
        estimate.pause()
        changed()
    }

    func giveUpOnPeer() async {
        machine.endWithoutReceipt()
        await noteEnd()
        changed()
    }

    func note(_ trouble: MigrationTransferError?) {
        self.trouble = trouble
        changed()
    }

    func next() -> MigrationMessage? { machine.next() }

    func take(_ message: MigrationMessage) async throws {
        let wasEnded = machine.end != nil
        switch try machine.take(message) {
        case nil: break
        case .decide(let meta): offered(meta)
        case .store(let header, let bytes): await store(header, bytes)
        case .finish(let completion): await finish(completion)
        case .discard: discard()
        }
        if !wasEnded { await noteEnd() }
        changed()
    }

    /// Ends the journal once the old phone has heard the end, or is waited for no longer. A program that is ended before that has the package when
    /// it starts again, and tells the old phone, which would take a package that nobody knows for a move that was cancelled.
    private func noteEnd() async {
        switch machine.end {
        case .restored, .failed: break
        case .cancelled, nil: return
        }
        isNotingEnd = true
        // Where it cannot be noted, the end is told once more, which changes nothing.
        try? await package?.note(.done)
        isNotingEnd = false
    }

    func tick() async {
        machine.acknowledgeNow()
        if unsyncedBytes > 0, time.now - lastSync >= timing.sync { startSync() }
        changed()
    }

    // MARK: - Deciding

    private func offered(_ meta: BackupMeta) {
        estimate.expect(meta.encSize)
        package = nil
        (wanted, released) = (RangeSet(), RangeSet())
        leaveFront()
        asked = meta
        question?.cancel()
        question = tasks.add { [weak self] in
            do {
                try await self?.checkSpace(for: meta)
                await self?.ask(about: meta)
            } catch MigrationTransferError.diskFull {
                await self?.holdForSpace()
            } catch {
                await self?.fail(error)
            }
        }
    }

    private func holdForSpace() {
        machine.pause("diskFull")
        changed()
    }

    private func ask(about meta: BackupMeta) {
        guard asked?.isSamePackage(as: meta) == true else { return }
        question?.cancel()
        question = tasks.add { [weak self, decide] in
            let decision = await decide(meta)
            // Who is asked anew has not declined what they were asked before.
            guard !Task.isCancelled else { return }
            await self?.take(decision, about: meta)
        }
    }

    private func take(_ decision: Decision, about meta: BackupMeta) async {
        guard machine.phase == .deciding, asked?.isSamePackage(as: meta) == true else { return }
        switch decision {
        case .decline(let reason): machine.cancel(reason)
        case .accept:
            do {
                let opened = try await store.open(meta)
                // Another package may have been offered meanwhile.
                guard asked?.isSamePackage(as: meta) == true else { return }
                package = opened
                released = opened.released
                front = PackageFront()
                machine.accept(meta, received: opened.durable)
                moveFront()
            } catch {
                fail(error)
            }
        }
        changed()
    }

    /// - Throws: ``MigrationTransferError/diskFull(neededBytes:)`` unless the package and what it becomes fit.
    private func checkSpace(for meta: BackupMeta) async throws {
        givesSpaceBack = try await store.givesSpaceBack()
        let need = Self.neededBytes(for: meta, givesSpaceBack: givesSpaceBack) + Self.reservedBytes
        let free = try await store.availableBytes()
        guard free >= need else { throw MigrationTransferError.diskFull(neededBytes: need - free) }
    }

    /// The space that a package needs with what it becomes, beside what stays free.
    ///
    /// - Parameter givesSpaceBack: Whether the package's space is given back as it is restored (``release(_:of:)``).
    package static func neededBytes(for meta: BackupMeta, givesSpaceBack: Bool) -> Int64 {
        let package = meta.encSize + meta.encSize / 50
        // The peer's number is a claim; above this it needs more than any disk has.
        let all = min(meta.restoreBytesNeeded ?? 0, 1 << 52)
        guard givesSpaceBack else { return max(all, package) }
        // What the package becomes is all of it without the package.
        return max(all > meta.encSize ? all - meta.encSize : 0, package) + min(heldTwice, meta.encSize)
    }

    /// - Throws: ``MigrationTransferError/diskFull(neededBytes:)`` unless what is missing of the package fits.
    private func checkRest(of package: ReceivedPackage) async throws {
        let need = package.meta.encSize - package.meta.bytes(in: machine.received) + Self.reservedBytes
        let free = try await package.sink.availableBytes()
        guard free >= need else { throw MigrationTransferError.diskFull(neededBytes: need - free) }
    }

    // MARK: - Receiving

    private func store(_ header: ChunkHeader, _ bytes: [UInt8]) async {
        guard let package else { return }
        do {
            if uncheckedBytes >= Self.bytesPerSpaceCheck {
                uncheckedBytes = 0
                try await checkRest(of: package)
            }
            try await package.sink.write(bytes, at: header.offset)
            machine.stored(header.index)
            moveFront()
            uncheckedBytes += bytes.count
            unsyncedBytes += bytes.count
            if unsyncedBytes >= Self.bytesPerSync { startSync() }
            if unsyncedBytes >= Self.maximumUnsyncedBytes { try await syncing?.value }
        } catch is CancellationError {
            // The link ended meanwhile; the chunk comes again on the next one.
        } catch {
            stopped(by: error)
        }
    }

    /// A full disk waits for the person; every other failure of the disk ends the transfer on both phones.
    private func stopped(by error: any Error) {
        guard case MigrationTransferError.diskFull = error else { return fail(error) }
        machine.pause("diskFull")
        changed()
    }

    private func fail(_ error: any Error) {
        failure = error
        leaveFront()
        if machine.phase == .receiving {
            machine.report(.failed, code: "storeFailed")
        } else {
            machine.cancel("storeFailed")
        }
        changed()
    }

    /// Makes durable what was written so far, beside what goes on arriving. One at a time.
    private func startSync() {
        guard syncing == nil, let package else { return }
        let ranges = machine.received.subtracting(machine.durable)
        unsyncedBytes = 0
        lastSync = time.now
        guard !ranges.ranges.isEmpty else { return }
        syncing = Task {
            defer { syncing = nil }
            do {
                try await package.synchronize(ranges)
                machine.synced(ranges)
                if !wanted.isEmpty { tasks.add { [weak self] in await self?.releaseDurable() } }
            } catch {
                stopped(by: error)
                throw error
            }
            changed()
        }
    }

    private func finish(_ completion: TransferCompletion) async {
        self.completion = completion
        while machine.durable != machine.received {
            startSync()
            guard let syncing else { return }
            // What keeps it from being durable has paused or ended the transfer.
            guard (try? await syncing.value) != nil else { return }
        }
        machine.beginRestoring()
        estimate.begin(.verify)
    }

    private func moveFront() {
        guard let front, let meta = machine.meta else { return }
        front.advance(to: min(Int64(machine.received.cumulative) * Int64(meta.chunkSize), meta.encSize))
    }

    private func leaveFront() {
        front?.end()
        front = nil
    }

    // MARK: - Giving space back

    /// Gives the space of a package's bytes back to the disk, now or once they are durable. They may be holes in the package's file from now on, so
    /// they are somewhere else for certain, and ``released`` names them, also after a kill. Does nothing where the disk cannot.
    package func release(_ bytes: RangeSet<Int64>, of meta: BackupMeta) async {
        guard givesSpaceBack, let package, package.meta.isSamePackage(as: meta) else { return }
        wanted.formUnion(bytes)
        await releaseDurable()
    }

    private func releaseDurable() async {
        let releasing = releasing ?? Task { await giveBack() }
        self.releasing = releasing
        await releasing.value
        // Somebody may wait for this very space.
        if machine.phase == .receiving, machine.hold.own == "diskFull" { try? await resume() }
    }

    private func giveBack() async {
        defer { releasing = nil }
        guard let package else { return }
        // Chunks become durable meanwhile, and more may be given back.
        while self.package?.meta.isSamePackage(as: package.meta) == true {
            let durable = package.meta.byteRanges(of: machine.durable)
            let next = wanted.subtracting(released).intersection(durable)
            guard !next.isEmpty else { return }
            released.formUnion(next)
            do {
                try await package.release(next)
            } catch {
                // They count as holes, and are somewhere else. The space is missed where it is missing.
                wanted = RangeSet()
                return
            }
        }
    }

    /// Asks the old phone again for bytes that are not there any more, of a package that was whole: it is received until they came.
    ///
    /// - Throws: What the disk says.
    package func askAgain(for bytes: RangeSet<Int64>) async throws {
        // What comes again must not become a hole behind that.
        wanted = RangeSet()
        await releasing?.value
        guard machine.phase == .restoring, !machine.isDecided, let package else { return }
        let chunks = package.meta.chunks(with: bytes)
        try await package.noteMissing(chunks)
        released = released.subtracting(package.meta.byteRanges(of: chunks))
        machine.askAgain(for: chunks)
        changed()
    }

    private func discard() {
        leaveFront()
        guard let package else { return }
        self.package = nil
        tasks.add { [store] in
            // What cannot be removed now is never opened again, and goes when it is seven days old.
            try? await package.note(.cancelled)
            try? await store.remove(package.meta)
        }
    }

    private func changed() {
        var shown = MigrationTransferState()
        switch machine.phase {
        case .waiting: shown.step = .connecting
        case .preparing: shown.step = .preparing
        case .deciding: shown.step = .deciding
        case .receiving:
            estimate.begin(.send)
            shown.step = .transferring
        case .restoring: shown.step = .restoring
        case .ended(let end): shown.step = .ended(end)
        }
        if machine.phase == .receiving, let meta = machine.meta {
            if machine.hold.isHeld || !isLinked {
                estimate.pause()
            } else {
                estimate.record(meta.bytes(in: machine.durable), at: time.now)
            }
        }
        shown.hold = machine.hold
        shown.isLinked = isLinked
        shown.trouble = trouble
        shown.peerName = peerName
        shown.progress = estimate.progress
        if machine.isDecided, machine.status == .restored { shown.progress.fraction = 1 }
        state.set(shown)
        wake.set()
    }
}
