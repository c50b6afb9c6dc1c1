public import Kernel

/// The sender of a transfer, on the old phone: reads the package by ranges and sends it through whatever link is there.
public actor PackageSender: SessionPart {
    /// What a person is shown.
    public nonisolated let state = LatestValue(MigrationTransferState())
    nonisolated let wake = WakeSignal()

    private let transferID: String
    private let time: any TimeSource
    private let timing: MigrationTiming
    private var machine: SourceMachine
    private var reading: ChunkReading?
    /// The chunk that is sent next, which is read and hashed while the one before it is sent: neither waits for the other. There is one at most. It is
    /// dropped and never cancelled, since somebody may wait for it.
    private var ahead: (index: Int, message: Task<MigrationMessage, any Error>)?
    private var estimate: ProgressEstimate
    private var isLinked = false
    private var peerName: String?
    private var trouble: MigrationTransferError?
    private let settle: @Sendable (TransferEnd) async -> Void
    /// Whether the owner writes down what the new phone said of the end.
    private var isSettling = false
    /// Why the package can no longer be read.
    public private(set) var failure: (any Error)?

    /// - Parameters:
    ///   - transferID: 1 to 128 bytes, another one for each package: its bytes never change.
    ///   - estimatedBytes: What the package will have, as far as is known.
    ///   - settle: Told the end by the new phone's word, before the new phone hears that it arrived: it says it no second time then, so what has
    ///     to outlive a kill of this program is on the disk when this returns.
    public init(
        transferID: String,
        estimatedBytes: Int64? = nil,
        time: any TimeSource,
        timing: MigrationTiming = MigrationTiming(),
        settle: @escaping @Sendable (TransferEnd) async -> Void = { _ in }
    ) {
        self.transferID = transferID
        self.settle = settle
        self.time = time
        self.timing = timing
        machine = SourceMachine(transferID: transferID, estimatedBytes: estimatedBytes)
        estimate = ProgressEstimate(totalBytes: estimatedBytes ?? 0)
    }

    public var end: TransferEnd? { isSettling ? nil : machine.end }
    var hasLastWord: Bool { machine.hasLastWord }
    var isDecided: Bool { machine.end != nil }

    /// Offers the package, once; a second offer changes nothing.
    ///
    /// - Parameters:
    ///   - meta: With this transfer's id.
    ///   - source: Its bytes.
    /// - Throws: ``MigrationTransferError/malformedMessage(what:)`` for sizes that disagree.
    public func offer(_ meta: BackupMeta, from source: any PackageSource) throws(MigrationTransferError) {
        try meta.checkSizes()
        guard reading == nil, meta.transferID == transferID else { return }
        reading = ChunkReading(source: source, meta: meta)
        machine.offer(meta)
        estimate.expect(meta.encSize)
        changed()
    }

    /// Bytes of the data that were read into the package so far, for the time left.
    public func prepared(_ bytes: Int64) {
        guard machine.phase == .preparing else { return }
        estimate.record(bytes, at: time.now)
        changed()
    }

    /// The hashes of the whole package, lowercase hexadecimal. Called at the latest while the last chunk is read.
    public func finishHashes(encSHA256: String?, zipSHA256: String?) {
        machine.finishHashes(encSHA256: encSHA256, zipSHA256: zipSHA256)
    }

    public func pause() {
        machine.pause("user")
        changed()
    }

    /// Ends this side's pause. A pause of the peer's is the peer's to end.
    public func resume() {
        machine.resume()
        changed()
    }

    /// Ends the transfer on both phones; allowed at any time.
    public func cancel() {
        machine.cancel()
        changed()
    }

    func begin() {}

    func linked(to peer: Handshake) {
        isLinked = true
        peerName = peer.deviceName.map { String($0.prefix(64)) }
        trouble = nil
        machine.linked()
        changed()
    }

    func unlinked() {
        isLinked = false
        // Where to go on the new phone says on the next link.
        ahead = nil
        machine.unlinked()
        estimate.pause()
        changed()
    }

    func giveUpOnPeer() {}

    func note(_ trouble: MigrationTransferError?) {
        self.trouble = trouble
        changed()
    }

    func take(_ message: MigrationMessage) async throws {
        let wasDecided = isDecided
        try machine.take(message, at: time.now)
        if let end = machine.end, !wasDecided {
            isSettling = true
            await settle(end)
            isSettling = false
        }
        changed()
    }

    func next() async throws -> MigrationMessage? {
        guard !isSettling else { return nil }
        switch machine.next(at: time.now) {
        case nil: return nil
        case .message(let message): return message
        case .chunk(let index):
            guard let reading else { return nil }
            do {
                let message = try await message(ofChunk: index, reading)
                readAhead(reading)
                return message
            } catch let error as CancellationError {
                // The link ended meanwhile; the chunk is asked for again on the next one.
                throw error
            } catch {
                // Without its bytes the package cannot be finished, now or later: the peer has to know.
                failure = error
                machine.cancel("sourceFailed")
                changed()
                return try await next()
            }
        }
    }

    private func message(ofChunk index: Int, _ reading: ChunkReading) async throws -> MigrationMessage {
        guard let ahead, ahead.index == index else { return try await reading.message(ofChunk: index) }
        self.ahead = nil
        return try await ahead.message.value
    }

    private func readAhead(_ reading: ChunkReading) {
        guard let index = machine.upcoming, index != ahead?.index else { return }
        ahead = (index, Task { try await reading.message(ofChunk: index) })
    }

    func tick() { machine.timeOut(sentBefore: time.now - timing.resend) }

    private func changed() {
        var shown = MigrationTransferState()
        switch machine.phase {
        case .preparing: shown.step = isLinked || peerName != nil ? .preparing : .connecting
        case .offered:
            // After a link was lost the peer says where to go on; the person agreed before.
            shown.step = machine.durableBytes > 0 ? .transferring : .deciding
        case .sending:
            estimate.begin(.send)
            shown.step = .transferring
        case .finishing:
            estimate.begin(machine.peerStatus == .verified ? .restore : .verify)
            shown.step = .restoring
        case .ended(let end): shown.step = .ended(end)
        }
        if machine.phase == .sending {
            if machine.hold.isHeld { estimate.pause() } else { estimate.record(machine.durableBytes, at: time.now) }
        }
        shown.hold = machine.hold
        shown.isLinked = isLinked
        shown.trouble = trouble
        shown.peerName = peerName
        shown.progress = estimate.progress
        if machine.end == .restored { shown.progress.fraction = 1 }
        state.set(shown)
        wake.set()
    }
}
