import Kernel

/// The old phone's side of a transfer as a value: what each message means in each state, and what is sent next. It outlives the links.
///
/// Source of the rules: `docs/protocol.md` 2.14, whose table of states and messages this is.
public struct SourceMachine: Sendable {
    public enum Phase: Hashable, Sendable {
        /// The data is being read; no package is offered yet.
        case preparing
        /// The package was offered; the new phone has not said where to begin on this link.
        case offered
        case sending
        /// All chunks arrived; the new phone opens and restores the package.
        case finishing
        case ended(TransferEnd)
    }

    /// What is sent next.
    public enum Output: Hashable, Sendable {
        case message(MigrationMessage)
        case chunk(Int)
    }

    public private(set) var phase = Phase.preparing
    public private(set) var hold = TransferHold()
    public private(set) var meta: BackupMeta?
    /// What the new phone last said of the package that it has.
    public private(set) var peerStatus: TransferCompletion.Status?
    /// Bytes that the new phone has durably.
    public private(set) var durableBytes: Int64 = 0
    /// Whether the last message that ended the transfer is this side's, which then waits for the peer to close the link.
    public private(set) var hasLastWord = false
    private let transferID: String
    private let estimatedBytes: Int64?
    private var encSHA256: String?
    private var zipSHA256: String?
    private var window: SendWindow?
    private var isLinked = false
    private var outbox: [MigrationMessage] = []

    /// - Parameter estimatedBytes: What the package will have, as far as is known.
    public init(transferID: String, estimatedBytes: Int64? = nil) {
        self.transferID = transferID
        self.estimatedBytes = estimatedBytes
    }

    public var end: TransferEnd? {
        guard case .ended(let end) = phase else { return nil }
        return end
    }

    /// Bytes that the link is trusted with at the moment, for tests and measurements.
    public var windowLimit: Int? { window?.limit }

    /// A link to the proven peer is there. What was in flight on the one before is forgotten: the peer says again what it has.
    public mutating func linked() {
        isLinked = true
        hold.peer = nil
        window = nil
        outbox = []
        switch phase {
        case .ended(.cancelled):
            say(.cancel(TransferControl(transferID: transferID, reason: "user")))
            return
        case .ended, .preparing: break
        case .offered, .sending, .finishing: phase = .offered
        }
        announce()
    }

    public mutating func unlinked() {
        isLinked = false
        hold.peer = nil
        outbox = []
    }

    /// The package is ready. Its hashes may follow with ``finishHashes(encSHA256:zipSHA256:)``.
    public mutating func offer(_ package: BackupMeta) {
        guard phase == .preparing, package.transferID == transferID else { return }
        meta = package
        encSHA256 = package.encSHA256
        phase = .offered
        if isLinked { say(.backupMeta(package)) }
    }

    /// The hashes of the whole package, lowercase hexadecimal, which `Complete` carries. Known at the latest once the last chunk was read.
    public mutating func finishHashes(encSHA256: String?, zipSHA256: String?) {
        self.encSHA256 = encSHA256 ?? self.encSHA256
        self.zipSHA256 = zipSHA256
    }

    public mutating func pause(_ reason: String) {
        guard end == nil, hold.own == nil else { return }
        hold.own = reason
        say(.pause(TransferControl(transferID: transferID, reason: reason)))
    }

    public mutating func resume() {
        guard end == nil, hold.own != nil else { return }
        hold.own = nil
        say(.resume(TransferControl(transferID: transferID)))
    }

    /// Allowed in each state; after the end it changes nothing.
    public mutating func cancel(_ reason: String = "user") {
        guard end == nil else { return }
        outbox = []
        hasLastWord = true
        phase = .ended(.cancelled(byPeer: false))
        say(.cancel(TransferControl(transferID: transferID, reason: reason)))
    }

    /// Takes a message of the proven peer. Messages of another transfer are late and change nothing.
    ///
    /// - Throws: ``MigrationTransferError/unexpectedMessage(type:)``, ``MigrationTransferError/malformedMessage(what:)``,
    ///   ``MigrationTransferError/linkCorrupt(chunk:)``, ``MigrationTransferError/differentPackage``.
    public mutating func take(
        _ message: MigrationMessage,
        at now: ContinuousClock.Instant
    ) throws(MigrationTransferError) {
        guard end == nil else { return }
        switch message {
        case .ping, .unknown: break
        case .handshake, .authPIN, .startBackup, .backupMeta, .chunk: throw .unexpectedMessage(type: message.type)
        case .cancel(let control) where control.transferID == transferID: phase = .ended(.cancelled(byPeer: true))
        case .pause(let control) where control.transferID == transferID:
            hold.peer = String((control.reason ?? "user").prefix(64))
        case .resume(let control) where control.transferID == transferID: try take(resume: control)
        case .startTransfer(let start) where start.transferID == transferID: try take(start: start)
        case .chunkAck(let ack) where ack.transferID == transferID: try take(ack: ack, at: now)
        case .complete(let completion) where completion.transferID == transferID: try take(completion)
        case .cancel, .pause, .resume, .startTransfer, .chunkAck, .complete: break
        }
    }

    /// What to send next; nil while there is nothing, which ends with a message, a call or time.
    public mutating func next(at now: ContinuousClock.Instant) -> Output? {
        if !outbox.isEmpty { return .message(outbox.removeFirst()) }
        guard phase == .sending, !hold.isHeld, let index = window?.nextChunk(at: now) else { return nil }
        return .chunk(index)
    }

    /// The chunk that ``next(at:)`` will most likely give next, so that it can be read before; nil where none is known.
    var upcoming: Int? { phase == .sending ? window?.upcoming : nil }

    /// Sends again what was sent before `deadline` and has no acknowledgement.
    public mutating func timeOut(sentBefore deadline: ContinuousClock.Instant) {
        guard !hold.isHeld else { return }
        window?.timeOut(sentBefore: deadline)
    }

    private mutating func announce() {
        if let meta, end == nil {
            say(.backupMeta(meta))
        } else if end == nil {
            say(.startBackup(StartBackup(transferID: transferID, estimatedBytes: estimatedBytes)))
        }
        if let reason = hold.own { say(.pause(TransferControl(transferID: transferID, reason: reason))) }
    }

    private mutating func take(start: StartTransfer) throws(MigrationTransferError) {
        switch phase {
        case .preparing: throw .unexpectedMessage(type: "StartTransfer")
        case .offered: begin(received: start.from ?? ChunkRanges(), credit: start.window)
        case .sending, .finishing, .ended: break
        }
    }

    private mutating func take(resume control: TransferControl) throws(MigrationTransferError) {
        hold.peer = nil
        guard let received = control.received else { return }
        guard let meta else { throw .unexpectedMessage(type: "ResumeTransfer") }
        if let theirs = control.headerSHA256 {
            guard Hexadecimal.decode(theirs) == meta.headerSHA256 else { throw .differentPackage }
        }
        begin(received: received, credit: control.window)
    }

    private mutating func begin(received: ChunkRanges, credit: Int?) {
        guard let meta else { return }
        window = SendWindow(meta, received: received, credit: credit)
        phase = .sending
        durableBytes = meta.bytes(in: received)
        completeIfDone()
    }

    private mutating func take(
        ack: ChunkAck,
        at now: ContinuousClock.Instant
    ) throws(MigrationTransferError) {
        switch phase {
        case .preparing, .offered: throw .unexpectedMessage(type: "ChunkAck")
        case .sending:
            try window?.take(ack, at: now)
            if let durable = ack.durable, let meta { durableBytes = min(max(durableBytes, durable), meta.encSize) }
            completeIfDone()
        case .finishing, .ended: break
        }
    }

    private mutating func take(_ completion: TransferCompletion) throws(MigrationTransferError) {
        switch (phase, completion.status) {
        case (.preparing, _), (.offered, _): throw .unexpectedMessage(type: "Complete")
        case (.sending, .failed), (.finishing, .failed):
            end(.failed(code: String((completion.code ?? "failed").prefix(64))), receipt: .failed)
        case (.sending, _): throw .unexpectedMessage(type: "Complete")
        case (.finishing, .restored): end(.restored, receipt: .restored)
        case (.finishing, .received), (.finishing, .verified): peerStatus = completion.status
        case (.finishing, _), (.ended, _): break
        }
    }

    private mutating func end(_ end: TransferEnd, receipt: TransferCompletion.Status) {
        peerStatus = receipt
        hasLastWord = true
        phase = .ended(end)
        outbox = []
        say(.complete(TransferCompletion(transferID: transferID, status: receipt)))
    }

    private mutating func completeIfDone() {
        guard let window, window.isComplete, let meta else { return }
        phase = .finishing
        var completion = TransferCompletion(transferID: transferID, chunkCount: meta.chunkCount)
        completion.encSHA256 = encSHA256
        completion.zipSHA256 = zipSHA256
        say(.complete(completion))
    }

    private mutating func say(_ message: MigrationMessage) {
        if isLinked { outbox.append(message) }
    }
}
