import Crypto
import Kernel
import MigrationTransfer
import Testing

@Suite("What each message means in each state")
struct MachineTests {
    private enum Meaning: Hashable {
        /// Taken, and something changes or is answered.
        case taken
        /// Passed over: nothing changes.
        case ignored
        case refused
    }

    private static let id = "transfer-1"
    private static let meta = PatternPackage(size: 2048, chunkSize: 1024).meta
    private static let now = ContinuousClock.now

    // MARK: - The old phone

    private static let sourceStates = ["preparing", "offered", "sending", "finishing", "ended"]

    private func source(_ state: String) throws -> SourceMachine {
        var machine = SourceMachine(transferID: Self.id)
        machine.linked()
        drain(&machine)
        if state == "preparing" { return machine }
        machine.offer(Self.meta)
        drain(&machine)
        if state == "offered" { return machine }
        try machine.take(
            .startTransfer(StartTransfer(transferID: Self.id, from: ChunkRanges(), window: 1 << 20)),
            at: Self.now
        )
        drain(&machine)
        if state == "sending" { return machine }
        for index in 0..<2 { try machine.take(.chunkAck(ack(index)), at: Self.now) }
        drain(&machine)
        if state == "finishing" { return machine }
        try machine.take(.complete(TransferCompletion(transferID: Self.id, status: .restored)), at: Self.now)
        drain(&machine)
        return machine
    }

    private func drain(_ machine: inout SourceMachine) {
        while machine.next(at: Self.now) != nil {}
    }

    private func ack(_ index: Int) -> ChunkAck { ChunkAck(transferID: Self.id, index: index, status: .ok) }

    private func control(received: ChunkRanges? = nil) -> TransferControl {
        TransferControl(transferID: Self.id, reason: "user", received: received)
    }

    /// Every message, by its name in the table.
    private var messages: [String: MigrationMessage] {
        [
            "Handshake": .handshake(Handshake(role: .target, sessionID: "0123456789abcdef")),
            "AuthPIN": .authPIN(AuthPIN(.share)),
            "StartBackup": .startBackup(StartBackup(transferID: Self.id)),
            "BackupMeta": .backupMeta(Self.meta),
            "StartTransfer": .startTransfer(StartTransfer(transferID: Self.id, from: ChunkRanges(), window: 1 << 20)),
            "PauseTransfer": .pause(control()),
            "ResumeTransfer": .resume(control()),
            "ResumeTransfer with chunks": .resume(control(received: ChunkRanges(0..<1))),
            "CancelTransfer": .cancel(control()),
            "BackupChunk": .chunk(chunk(0), PatternPackage.bytes(0..<1024)),
            "ChunkAck": .chunkAck(ack(0)),
            "Complete": .complete(TransferCompletion(transferID: Self.id, chunkCount: 2)),
            "Complete verified": .complete(TransferCompletion(transferID: Self.id, status: .verified)),
            "Complete restored": .complete(TransferCompletion(transferID: Self.id, status: .restored)),
            "Complete failed": .complete(TransferCompletion(transferID: Self.id, status: .failed, code: "x")),
            "Complete of later": .complete(TransferCompletion(transferID: Self.id, status: .unknown("polished"))),
            "Ping": .ping,
            "unknown": .unknown(type: "Telepathy"),
            "late Cancel": .cancel(TransferControl(transferID: "another")),
            "late Ack": .chunkAck(ChunkAck(transferID: "another", index: 0, status: .ok)),
            "late Complete": .complete(TransferCompletion(transferID: "another", status: .restored)),
        ]
    }

    private func chunk(_ index: Int) -> ChunkHeader {
        let range = Self.meta.range(ofChunk: index)
        return ChunkHeader(
            transferID: Self.id,
            index: index,
            offset: range.lowerBound,
            length: range.count,
            chunkSHA256: Hexadecimal.encode(SHA256.hash(data: PatternPackage.bytes(range)))
        )
    }

    /// T: taken, i: passed over, x: refused. One letter for each state, in order.
    private static let sourceTable: [String: String] = [
        "Handshake": "xxxxi",
        "AuthPIN": "xxxxi",
        "StartBackup": "xxxxi",
        "BackupMeta": "xxxxi",
        "StartTransfer": "xTiii",
        "PauseTransfer": "TTTTi",
        "ResumeTransfer": "iiiii",
        "ResumeTransfer with chunks": "xTTTi",
        "CancelTransfer": "TTTTi",
        "BackupChunk": "xxxxi",
        "ChunkAck": "xxTii",
        "Complete": "xxxii",
        "Complete verified": "xxxTi",
        "Complete restored": "xxxTi",
        "Complete failed": "xxTTi",
        "Complete of later": "xxxii",
        "Ping": "iiiii",
        "unknown": "iiiii",
        "late Cancel": "iiiii",
        "late Ack": "iiiii",
        "late Complete": "iiiii",
    ]

    @Test("the old phone's table of states and messages is complete and holds")
    func sourceMatrix() throws {
        #expect(Set(Self.sourceTable.keys) == Set(messages.keys))
        for (name, message) in messages {
            for (state, expected) in zip(Self.sourceStates, Self.sourceTable[name] ?? "") {
                let before = try source(state)
                var machine = before
                var meaning = Meaning.ignored
                do {
                    try machine.take(message, at: Self.now)
                    if describe(machine) != describe(before) { meaning = .taken }
                } catch {
                    guard case .unexpectedMessage = error else { throw error }
                    meaning = .refused
                }
                #expect(meaning == Self.meanings[expected], "\(name) while \(state)")
            }
        }
    }

    private static let meanings: [Character: Meaning] = ["T": .taken, "i": .ignored, "x": .refused]

    /// All that can be seen of a machine, and what it sends next.
    private func describe(_ machine: SourceMachine) -> String {
        var copy = machine
        var sent: [SourceMachine.Output] = []
        while let output = copy.next(at: Self.now) { sent.append(output) }
        let window = machine.windowLimit ?? 0
        return "\(machine.phase) \(machine.hold) \(String(describing: machine.peerStatus)) \(window) \(sent)"
    }

    // MARK: - The new phone

    private static let targetStates = [
        "waiting", "preparing", "deciding", "receiving", "complete", "restoring", "ended",
    ]

    private func target(_ state: String) throws -> TargetMachine {
        var machine = TargetMachine(window: 1 << 20)
        machine.linked()
        if state == "waiting" { return machine }
        _ = try machine.take(.startBackup(StartBackup(transferID: Self.id)))
        if state == "preparing" { return machine }
        _ = try machine.take(.backupMeta(Self.meta))
        if state == "deciding" { return machine }
        machine.accept(Self.meta, received: ChunkRanges())
        drain(&machine)
        if state == "receiving" { return machine }
        for index in 0..<2 { machine.stored(index) }
        drain(&machine)
        if state == "complete" { return machine }
        machine.synced(ChunkRanges(0..<2))
        machine.beginRestoring()
        machine.report(.restored)
        drain(&machine)
        if state == "restoring" { return machine }
        _ = try machine.take(.complete(TransferCompletion(transferID: Self.id, status: .restored)))
        return machine
    }

    private func drain(_ machine: inout TargetMachine) {
        while machine.next() != nil {}
    }

    private static let targetTable: [String: String] = [
        "Handshake": "xxxxxxi",
        "AuthPIN": "xxxxxxi",
        "StartBackup": "Tixxxxi",
        "BackupMeta": "TTiiiii",
        "StartTransfer": "iiiiiii",
        "PauseTransfer": "TTTTTTi",
        "ResumeTransfer": "iiiiiii",
        "ResumeTransfer with chunks": "iiiiiii",
        "CancelTransfer": "TTTTTTi",
        "BackupChunk": "xxxTTTi",
        "ChunkAck": "xxxxxxi",
        "Complete": "xxxxTii",
        "Complete verified": "xxxxxii",
        "Complete restored": "xxxxxTi",
        "Complete failed": "xxxxxii",
        "Complete of later": "xxxxxii",
        "Ping": "iiiiiii",
        "unknown": "iiiiiii",
        "late Cancel": "TTiiiii",
        "late Ack": "xxxxxxi",
        "late Complete": "xxiiiii",
    ]

    @Test("the new phone's table of states and messages is complete and holds")
    func targetMatrix() throws {
        #expect(Set(Self.targetTable.keys) == Set(messages.keys))
        for (name, message) in messages {
            for (state, expected) in zip(Self.targetStates, Self.targetTable[name] ?? "") {
                let before = try target(state)
                var machine = before
                var meaning = Meaning.ignored
                do {
                    let effect = try machine.take(message)
                    if effect != nil || describe(machine) != describe(before) { meaning = .taken }
                } catch {
                    guard case .unexpectedMessage = error else { throw error }
                    meaning = .refused
                }
                #expect(meaning == Self.meanings[expected], "\(name) while \(state)")
            }
        }
    }

    private func describe(_ machine: TargetMachine) -> String {
        var copy = machine
        var sent: [MigrationMessage] = []
        while let message = copy.next() { sent.append(message) }
        let progress = "\(machine.received) \(machine.durable) \(String(describing: machine.status))"
        return "\(machine.phase) \(machine.hold) \(progress) \(sent)"
    }

    // MARK: - Single rules

    @Test("a new phone that lost parts asks for them, and passes over the word that all was sent before")
    func asksAgain() throws {
        var machine = try target("complete")
        machine.synced(ChunkRanges(0..<2))
        machine.beginRestoring()
        drain(&machine)
        machine.askAgain(for: ChunkRanges(1..<2))
        #expect(machine.phase == .receiving && machine.status == nil)
        guard case .resume(let control)? = machine.next() else {
            Issue.record("nothing was asked for")
            return
        }
        #expect(control.received == ChunkRanges(0..<1))
        let all = TransferCompletion(transferID: Self.id, chunkCount: 2)
        let late = try machine.take(.complete(all))
        #expect(late == nil)
        machine.stored(1)
        let finish = try machine.take(.complete(all))
        #expect(finish == .finish(all))
        machine.synced(ChunkRanges(1..<2))
        machine.beginRestoring()
        #expect(machine.phase == .restoring)
        // The old phone, which heard that all had arrived, sends what is missing, and says again that it did.
        var old = try source("finishing")
        try old.take(.resume(control), at: Self.now)
        #expect(old.phase == .sending)
        guard case .chunk(1)? = old.next(at: Self.now) else {
            Issue.record("nothing was sent again")
            return
        }
        try old.take(.chunkAck(ack(1)), at: Self.now)
        #expect(old.phase == .finishing)
    }

    @Test("#11 each of the first 32 chunks of a link is acknowledged, and then every eighth")
    func acknowledgements() throws {
        let package = PatternPackage(size: 100 << 10, chunkSize: 1 << 10)
        var machine = TargetMachine(window: 1 << 20)
        machine.linked()
        _ = try machine.take(.backupMeta(package.meta))
        machine.accept(package.meta, received: ChunkRanges())
        drain(&machine)
        var acknowledged: [Int] = []
        for index in 0..<50 {
            let range = package.meta.range(ofChunk: index)
            let bytes = PatternPackage.bytes(range)
            let header = ChunkHeader(
                transferID: Self.id,
                index: index,
                offset: range.lowerBound,
                length: range.count,
                chunkSHA256: Hexadecimal.encode(SHA256.hash(data: bytes))
            )
            #expect(try machine.take(.chunk(header, bytes)) == .store(header, bytes))
            machine.stored(index)
            if case .chunkAck(let ack) = machine.next() { acknowledged.append(ack.cumulative ?? -1) }
        }
        #expect(acknowledged == Array(1...32) + [40, 48])
        machine.acknowledgeNow()
        guard case .chunkAck(let last) = machine.next() else {
            Issue.record("no acknowledgement of the rest")
            return
        }
        #expect(last.cumulative == 50)
        #expect(last.durable == 0)
        #expect(machine.next() == nil)
    }

    @Test("#10 a chunk whose hash is wrong is asked for again and not stored")
    func damagedChunk() throws {
        var machine = try target("receiving")
        var bytes = PatternPackage.bytes(0..<1024)
        bytes[5] ^= 1
        #expect(try machine.take(.chunk(chunk(0), bytes)) == nil)
        guard case .chunkAck(let ack) = machine.next() else {
            Issue.record("nothing asked for again")
            return
        }
        #expect(ack.status == .resend)
        #expect(ack.index == 0)
        #expect(machine.received == ChunkRanges())
    }

    @Test("a chunk at another place than its index says is refused")
    func misplacedChunk() throws {
        var machine = try target("receiving")
        var header = chunk(0)
        header.offset = 1
        #expect(throws: MigrationTransferError.malformedMessage(what: "chunk offset")) {
            try machine.take(.chunk(header, PatternPackage.bytes(0..<1024)))
        }
    }

    @Test("on a new link the old phone begins where the new one says, and another package's header ends it")
    func resume() throws {
        var machine = try source("sending")
        machine.unlinked()
        machine.linked()
        #expect(machine.phase == .offered)
        #expect(machine.next(at: Self.now) == .message(.backupMeta(Self.meta)))
        var other = control(received: ChunkRanges(0..<1))
        other.headerSHA256 = Hexadecimal.encode([UInt8](repeating: 1, count: 32))
        #expect(throws: MigrationTransferError.differentPackage) { try machine.take(.resume(other), at: Self.now) }
        other.headerSHA256 = Hexadecimal.encode(Self.meta.headerSHA256)
        other.window = 1 << 20
        try machine.take(.resume(other), at: Self.now)
        #expect(machine.next(at: Self.now) == .chunk(1))
        #expect(machine.next(at: Self.now) == nil)
        #expect(machine.durableBytes == 1024)
    }

    @Test("on a new link another package than the one that was begun is asked about and starts from nothing")
    func otherPackage() throws {
        var machine = try target("receiving")
        machine.stored(0)
        machine.unlinked()
        machine.linked()
        let other = PatternPackage(size: 2048, chunkSize: 1024, transferID: "transfer-2").meta
        #expect(try machine.take(.backupMeta(other)) == .decide(other))
        #expect(machine.received == ChunkRanges())
        #expect(machine.phase == .deciding)
    }

    @Test("#14 a result whose receipt was lost is told again on the next link")
    func lostReceipt() throws {
        var machine = try target("restoring")
        machine.unlinked()
        machine.linked()
        _ = try machine.take(.backupMeta(Self.meta))
        guard case .resume(let control) = machine.next() else {
            Issue.record("no ResumeTransfer")
            return
        }
        #expect(control.received == ChunkRanges(0..<2))
        #expect(machine.next() == .complete(TransferCompletion(transferID: Self.id, status: .restored)))
        var sender = try source("finishing")
        sender.unlinked()
        sender.linked()
        drain(&sender)
        try sender.take(.resume(control), at: Self.now)
        try sender.take(.complete(TransferCompletion(transferID: Self.id, status: .restored)), at: Self.now)
        #expect(sender.end == .restored)
    }

    @Test("while either side pauses no chunk is sent, and what is said is")
    func heldBack() throws {
        var machine = try source("sending")
        machine.unlinked()
        machine.linked()
        drain(&machine)
        var resume = control(received: ChunkRanges())
        resume.window = 1 << 20
        try machine.take(.resume(resume), at: Self.now)
        machine.pause("user")
        #expect(machine.next(at: Self.now) == .message(.pause(control())))
        #expect(machine.next(at: Self.now) == nil)
        try machine.take(.pause(control()), at: Self.now)
        machine.resume()
        #expect(machine.next(at: Self.now) == .message(.resume(TransferControl(transferID: Self.id))))
        #expect(machine.next(at: Self.now) == nil)
        try machine.take(.resume(control()), at: Self.now)
        #expect(machine.next(at: Self.now) == .chunk(0))
    }

    @Test("cancelling twice, or after the end, changes nothing")
    func idempotentCancel() throws {
        var machine = try source("ended")
        machine.cancel()
        #expect(machine.end == .restored)
        var receiver = try target("receiving")
        receiver.cancel()
        drain(&receiver)
        receiver.cancel("other")
        #expect(receiver.next() == nil)
        #expect(receiver.end == .cancelled(byPeer: false))
    }
}
