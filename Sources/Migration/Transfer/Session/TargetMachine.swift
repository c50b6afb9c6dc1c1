import Crypto
import Kernel

/// The new phone's side of a transfer as a value: what each message means in each state, and what is sent next. It outlives the links.
///
/// Source of the rules: `docs/protocol.md` 2.14, whose table of states and messages this is.
public struct TargetMachine: Sendable {
    public enum Phase: Hashable, Sendable {
        case waiting
        /// The old phone reads its data.
        case preparing
        /// A package is offered; the person has not agreed yet.
        case deciding
        case receiving
        /// All of it is durable. It is opened and restored.
        case restoring
        case ended(TransferEnd)
    }

    /// What has to be done outside of the machine.
    public enum Effect: Hashable, Sendable {
        /// Ask whether the package is wanted, and then call ``accept(_:received:)`` or ``cancel(_:)``.
        case decide(BackupMeta)
        /// Write the chunk, and then call ``stored(_:)``.
        case store(ChunkHeader, [UInt8])
        /// Make everything durable, and then call ``beginRestoring()``.
        case finish(TransferCompletion)
        /// Note in the journal that the transfer was cancelled.
        case discard
    }

    /// Chunks that wait for one acknowledgement.
    public static let chunksPerAcknowledgement = 8
    /// Bytes that wait for one acknowledgement. Eight large chunks are more than a sender may trust the link with at first, which would then rest until the
    /// clock brings the acknowledgement.
    public static let bytesPerAcknowledgement = 2 << 20
    /// The first chunks of a link are each acknowledged: the sender's window is small then, and an acknowledgement makes it grow.
    public static let chunksAcknowledgedEach = 32

    public private(set) var phase = Phase.waiting
    public private(set) var hold = TransferHold()
    public private(set) var meta: BackupMeta?
    /// Chunks that were written.
    public private(set) var received = ChunkRanges()
    /// Chunks that a loss of power does not take away.
    public private(set) var durable = ChunkRanges()
    public private(set) var estimatedBytes: Int64?
    /// The last thing that was said of the restored package.
    public private(set) var status: TransferCompletion.Status?
    public private(set) var hasLastWord = false
    private let window: Int
    private var code: String?
    /// Whether both sides have said on this link where they are.
    private var isEngaged = false
    private var isLinked = false
    private var outbox: [MigrationMessage] = []
    private var unacknowledged = 0
    private var lastIndex = 0
    private var arrivedOnLink = 0
    /// Whether chunks that were there are asked for again. The old phone's word that it sent all may be on its way then, and means nothing.
    private var asksAgain = false

    /// - Parameter window: Bytes in flight that are allowed.
    public init(window: Int) { self.window = window }

    /// Goes on with a transfer that was begun before a restart.
    public init(window: Int, meta: BackupMeta, durable: ChunkRanges, isPaused: Bool) {
        self.init(window: window)
        self.meta = meta
        received = durable
        self.durable = durable
        phase = .receiving
        hold.own = isPaused ? "user" : nil
    }

    public var end: TransferEnd? {
        guard case .ended(let end) = phase else { return nil }
        return end
    }

    /// Whether this side knows how the migration ended, although the peer may not have heard it yet.
    public var isDecided: Bool { end != nil || status == .restored || status == .failed }

    public mutating func linked() {
        isLinked = true
        isEngaged = false
        hold.peer = nil
        outbox = []
        unacknowledged = 0
        arrivedOnLink = 0
        guard case .ended(.cancelled) = phase, let meta else { return }
        say(.cancel(TransferControl(transferID: meta.transferID, reason: "user")))
    }

    public mutating func unlinked() {
        isLinked = false
        isEngaged = false
        hold.peer = nil
        outbox = []
        if phase == .preparing { phase = .waiting }
    }

    /// The person agreed, and there is space.
    ///
    /// - Parameter received: What is durable of this package already.
    public mutating func accept(_ accepted: BackupMeta, received durable: ChunkRanges) {
        guard phase == .deciding, let meta, meta.isSamePackage(as: accepted) else { return }
        received = durable
        self.durable = durable
        phase = .receiving
        if isEngaged { begin(meta) }
    }

    public mutating func pause(_ reason: String) {
        guard end == nil, hold.own == nil else { return }
        hold.own = reason
        guard let meta, isEngaged else { return }
        say(.pause(TransferControl(transferID: meta.transferID, reason: reason)))
    }

    public mutating func resume() {
        guard end == nil, hold.own != nil else { return }
        hold.own = nil
        guard let meta, isEngaged else { return }
        sayResume(of: meta)
    }

    /// Allowed in each state; after the end, and once the package was restored, it changes nothing.
    public mutating func cancel(_ reason: String = "user") {
        guard !isDecided else { return }
        outbox = []
        hasLastWord = true
        phase = .ended(.cancelled(byPeer: false))
        guard let meta else { return }
        say(.cancel(TransferControl(transferID: meta.transferID, reason: reason)))
    }

    /// Says what became of the package. `restored` and `failed` are final.
    ///
    /// - Parameter code: A word for the old phone, with `failed`.
    public mutating func report(_ status: TransferCompletion.Status, code: String? = nil) {
        guard let meta, !isDecided, phase == .restoring || (phase == .receiving && status == .failed) else { return }
        self.status = status
        self.code = code
        phase = .restoring
        guard isEngaged else { return }
        say(.complete(TransferCompletion(transferID: meta.transferID, status: status, code: code)))
    }

    /// The final status whose receipt is still missing counts as the end when the peer does not come back.
    public mutating func endWithoutReceipt() {
        guard end == nil, let final = finalEnd else { return }
        phase = .ended(final)
    }

    public mutating func stored(_ index: Int) {
        received.insert(index)
        acknowledge(index)
    }

    public mutating func synced(_ ranges: ChunkRanges) {
        durable.formUnion(ranges)
    }

    /// Chunks of a package that was whole are no longer there: the old phone makes them again, and the package counts as whole once they came.
    public mutating func askAgain(for chunks: ChunkRanges) {
        guard !isDecided, phase == .restoring, !chunks.ranges.isEmpty, let meta else { return }
        received = received.subtracting(chunks)
        durable = durable.subtracting(chunks)
        status = nil
        phase = .receiving
        asksAgain = true
        guard isEngaged else { return }
        sayResume(of: meta)
        sayHold(of: meta)
    }

    public mutating func beginRestoring() {
        guard phase == .receiving, let meta else { return }
        asksAgain = false
        phase = .restoring
        status = .received
        say(.complete(TransferCompletion(transferID: meta.transferID, status: .received)))
    }

    /// Queues the acknowledgement of what arrived since the last one, if anything did.
    public mutating func acknowledgeNow() {
        guard unacknowledged > 0, let meta, isEngaged else { return }
        unacknowledged = 0
        say(.chunkAck(ack(lastIndex, .ok, meta)))
    }

    public mutating func next() -> MigrationMessage? { outbox.isEmpty ? nil : outbox.removeFirst() }

    /// Takes a message of the proven peer. Messages of another transfer are late and change nothing.
    ///
    /// - Throws: ``MigrationTransferError/unexpectedMessage(type:)``, ``MigrationTransferError/malformedMessage(what:)``.
    public mutating func take(_ message: MigrationMessage) throws(MigrationTransferError) -> Effect? {
        guard end == nil else { return nil }
        switch message {
        case .ping, .unknown, .startTransfer: return nil
        case .handshake, .authPIN, .chunkAck: throw .unexpectedMessage(type: message.type)
        case .startBackup(let start):
            guard !isEngaged else { throw .unexpectedMessage(type: message.type) }
            estimatedBytes = start.estimatedBytes
            if phase == .waiting { phase = .preparing }
        case .backupMeta(let offered): return try take(offered)
        case .cancel(let control) where isOurs(control.transferID):
            phase = .ended(.cancelled(byPeer: true))
            return .discard
        case .pause(let control) where isOurs(control.transferID):
            hold.peer = String((control.reason ?? "user").prefix(64))
        case .resume(let control) where isOurs(control.transferID): hold.peer = nil
        case .chunk(let header, let bytes) where isOurs(header.transferID): return try take(header, bytes)
        case .complete(let completion) where isOurs(completion.transferID): return try take(completion)
        case .cancel, .pause, .resume, .chunk, .complete: break
        }
        return nil
    }

    /// Before a package is offered there is no id to compare with.
    private func isOurs(_ transferID: String) -> Bool { meta == nil || meta?.transferID == transferID }

    private mutating func take(_ offered: BackupMeta) throws(MigrationTransferError) -> Effect? {
        try offered.checkSizes()
        if isEngaged {
            guard let meta, meta == offered else { throw .unexpectedMessage(type: "BackupMeta") }
            return nil
        }
        isEngaged = true
        let isKnown = meta?.isSamePackage(as: offered) ?? false
        meta = offered
        switch phase {
        case .receiving where isKnown, .restoring where isKnown:
            begin(offered)
            return nil
        case .deciding where isKnown:
            sayHold(of: offered)
            return nil
        default:
            // Another package than the one that was begun: it starts from nothing, and what is kept of the other stays in its own folder.
            received = ChunkRanges()
            durable = ChunkRanges()
            status = nil
            asksAgain = false
            phase = .deciding
            sayHold(of: offered)
            return .decide(offered)
        }
    }

    private mutating func begin(_ meta: BackupMeta) {
        if received.ranges.isEmpty {
            say(.startTransfer(StartTransfer(transferID: meta.transferID, from: ChunkRanges(), window: window)))
        } else {
            sayResume(of: meta)
        }
        sayHold(of: meta)
        guard let status else { return }
        say(.complete(TransferCompletion(transferID: meta.transferID, status: status, code: code)))
    }

    private mutating func sayHold(of meta: BackupMeta) {
        guard let reason = hold.own else { return }
        say(.pause(TransferControl(transferID: meta.transferID, reason: reason)))
    }

    private mutating func sayResume(of meta: BackupMeta) {
        guard phase == .receiving || phase == .restoring else {
            say(.resume(TransferControl(transferID: meta.transferID)))
            return
        }
        say(
            .resume(
                TransferControl(
                    transferID: meta.transferID,
                    received: received.longest(ChunkRanges.maximumOnWire),
                    headerSHA256: Hexadecimal.encode(meta.headerSHA256),
                    window: window
                )
            )
        )
    }

    private mutating func take(
        _ header: ChunkHeader,
        _ bytes: [UInt8]
    ) throws(MigrationTransferError) -> Effect? {
        guard let meta, isEngaged, phase == .receiving || phase == .restoring else {
            throw .unexpectedMessage(type: "BackupChunk")
        }
        try header.check(against: meta, rawBytes: bytes.count)
        arrivedOnLink += 1
        guard !received.contains(header.index) else {
            acknowledge(header.index)
            return nil
        }
        // Without space what is on its way is dropped; the sender hears which chunks are there when it may go on.
        guard hold.own != "diskFull" else { return nil }
        guard Hexadecimal.encode(SHA256.hash(data: bytes)) == header.chunkSHA256 else {
            say(.chunkAck(ack(header.index, .resend, meta)))
            return nil
        }
        return .store(header, bytes)
    }

    private mutating func take(_ completion: TransferCompletion) throws(MigrationTransferError) -> Effect? {
        guard let meta, isEngaged else { throw .unexpectedMessage(type: "Complete") }
        switch phase {
        case .waiting, .preparing, .deciding: throw .unexpectedMessage(type: "Complete")
        case .receiving:
            guard completion.status == nil, received.cumulative == meta.chunkCount else {
                if asksAgain { return nil }
                throw .unexpectedMessage(type: "Complete")
            }
            return .finish(completion)
        case .restoring:
            if let final = finalEnd, completion.status == status { phase = .ended(final) }
        case .ended: break
        }
        return nil
    }

    private var finalEnd: TransferEnd? {
        switch status {
        case .restored: .restored
        case .failed: .failed(code: code ?? "failed")
        default: nil
        }
    }

    private mutating func acknowledge(_ index: Int) {
        unacknowledged += 1
        lastIndex = index
        let isEach = arrivedOnLink <= Self.chunksAcknowledgedEach || received.cumulative == meta?.chunkCount
        let isDue =
            unacknowledged >= Self.chunksPerAcknowledgement
            || unacknowledged * (meta?.chunkSize ?? 0) >= Self.bytesPerAcknowledgement
        if isEach || isDue { acknowledgeNow() }
    }

    private func ack(_ index: Int, _ status: ChunkAck.Status, _ meta: BackupMeta) -> ChunkAck {
        var ack = ChunkAck(transferID: meta.transferID, index: index, status: status)
        ack.cumulative = received.cumulative
        ack.ranges = received.above(received.cumulative, atMost: ChunkRanges.maximumOnWire)
        ack.window = window
        ack.durable = meta.bytes(in: durable)
        return ack
    }

    private mutating func say(_ message: MigrationMessage) {
        if isLinked { outbox.append(message) }
    }
}
