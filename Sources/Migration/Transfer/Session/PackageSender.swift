import Crypto
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
    private var source: (any PackageSource)?
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
        guard self.source == nil, meta.transferID == transferID else { return }
        self.source = source
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
            guard let source, let meta = machine.meta else { return nil }
            let range = meta.range(ofChunk: index)
            do {
                let bytes = try await source.read(range)
                guard bytes.count == range.count else { throw MigrationTransferError.differentPackage }
                return .chunk(
                    ChunkHeader(
                        transferID: transferID,
                        index: index,
                        offset: range.lowerBound,
                        length: bytes.count,
                        chunkSHA256: Hexadecimal.encode(SHA256.hash(data: bytes))
                    ),
                    bytes
                )
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
