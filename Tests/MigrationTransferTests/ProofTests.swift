import Kernel
import MigrationTransfer
import Sealing
import Testing

@Suite("Who may link", .timeLimit(.minutes(2)))
struct ProofTests {
    @Test("#4 a scanned code replaces the PIN")
    func code() async throws {
        let phones = TwoPhones { target, _ in .code(try #require(await target.shown?.code)) }
        let ends = try await phones.transfer()
        #expect(ends.source == .restored)
        #expect(ends.target == .restored)
        #expect(phones.hasArrived)
        #expect(await phones.targetCredentials.shown == nil)
    }

    @Test("#4 knowing a code's secret does not make a phone the one whose code it is")
    func photographedCode() async throws {
        // The attacker's phone shows a code of its own with the secret of the photographed one, and takes the new phone's place.
        let attacker = TwoPhones()
        let shown = await attacker.targetCredentials.show(addresses: [])
        let genuine = MigrationCode(
            publicKey: Identity().agreementKey,
            secret: shown.code.secret,
            addresses: []
        )
        let phones = TwoPhones(network: attacker.network) { _, count in
            guard count == 1 else { throw TimedOut() }
            return .code(genuine)
        }
        let receiver = attacker.receiver()
        let accepting = Task { try await attacker.target(receiver).run() }
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        await #expect(throws: TimedOut.self) { try await phones.source().run() }
        #expect(await phones.sourceCredentials.keys == nil)
        #expect(phones.package.readBytes == 0)
        accepting.cancel()
        _ = await accepting.result
    }

    @Test("#5 three wrong PINs use one up, the right one no longer works, and a new one does")
    func threeTries() async throws {
        let left = Locked<[Int?]>([])
        let phones = TwoPhones { target, count in
            let shown = try #require(await target.shown)
            left.withLock { $0.append(shown.attemptsLeft) }
            if count <= 3 { return .pin(try Self.other(than: shown.pin)) }
            if count == 4 { return .pin(shown.pin) }
            return .pin(await target.show(addresses: []).pin)
        }
        let ends = try await phones.transfer()
        #expect(ends.source == .restored)
        #expect(phones.asks.count == 5)
        #expect(left.withLock { $0 } == [3, 2, 1, 0, 0])
    }

    @Test("#5 somebody in between two honest phones, without the PIN, gets neither of them to go on")
    func inBetween() async throws {
        let (front, back) = (MemoryNetwork(), MemoryNetwork())
        let old = TwoPhones(network: front) { _, count in
            guard count == 1 else { throw TimedOut() }
            return .pin(try MigrationPIN("482913"))
        }
        try await old.sender.offer(old.package.meta, from: old.package)
        // To the old phone the attacker is a new one, and to the new one an old one, each with a PIN of its own.
        let falseNew = TwoPhones(network: front)
        _ = await falseNew.targetCredentials.show(addresses: [])
        let new = TwoPhones(network: back)
        let shown = await new.targetCredentials.show(addresses: [])
        let falseOld = TwoPhones(network: back) { _, count in
            guard count == 1 else { throw TimedOut() }
            return .pin(try Self.other(than: shown.pin))
        }
        let (falseReceiver, receiver) = (falseNew.receiver(), new.receiver())
        let accepting = [
            Task { try await falseNew.target(falseReceiver).run() }, Task { try await new.target(receiver).run() },
        ]
        await #expect(throws: TimedOut.self) { try await old.source().run() }
        await #expect(throws: TimedOut.self) { try await falseOld.source().run() }
        for task in accepting {
            task.cancel()
            _ = await task.result
        }
        #expect(old.package.readBytes == 0)
        #expect(await old.sourceCredentials.keys == nil)
        #expect(new.vault.keys == nil)
        #expect(await new.targetCredentials.shown?.attemptsLeft == 2)
    }

    @Test("#5 a peer that accepts every PIN is not believed")
    func fakeReceiver() async throws {
        let network = MemoryNetwork()
        let old = TwoPhones(network: network) { _, count in
            guard count == 1 else { throw TimedOut() }
            return .pin(MigrationPIN())
        }
        let run = Task { try await old.source().run() }
        let link = try await network.acceptor.next()
        guard case .handshake(let theirs) = try await Self.receive(on: link) else {
            Issue.record("no handshake")
            return
        }
        try await Self.send(
            .handshake(Handshake(role: .target, sessionID: theirs.sessionID, nonce: [UInt8](repeating: 7, count: 16))),
            on: link
        )
        _ = try await Self.receive(on: link)
        try await Self.send(.authPIN(AuthPIN(.result, ok: true, attemptsLeft: 3)), on: link)
        for await state in old.sender.state.values() where state.trouble == .unexpectedMessage(type: "AuthPIN") {
            break
        }
        run.cancel()
        _ = await run.result
        #expect(await old.sourceCredentials.keys == nil)
    }

    @Test("#5 a PIN in clear is refused")
    func legacyPIN() async throws {
        let network = MemoryNetwork()
        let new = TwoPhones(network: network, sourceDials: false)
        _ = await new.targetCredentials.show(addresses: [])
        let receiver = new.receiver()
        let run = Task { try await new.target(receiver).run() }
        let link = try await network.acceptor.next()
        guard case .handshake(let theirs) = try await Self.receive(on: link) else {
            Issue.record("no handshake")
            return
        }
        try await Self.send(
            .handshake(Handshake(role: .source, sessionID: theirs.sessionID, nonce: [UInt8](repeating: 7, count: 16))),
            on: link
        )
        let frame = MigrationFrame(json: ["type": "AuthPIN", "payload": ["pin": "482913"]])
        try await link.send(frame.body())
        await #expect(throws: MigrationTransferError.legacyPINRefused) { try await run.value }
    }

    @Test(
        "#30 before the proof every message but the expected one is refused, and a long one is not even read",
        arguments: ["StartBackup", "BackupMeta", "BackupChunk", "Complete", "ResumeTransfer", "long"]
    )
    func beforeProof(type: String) async throws {
        let network = MemoryNetwork()
        let new = TwoPhones(network: network, sourceDials: false)
        _ = await new.targetCredentials.show(addresses: [])
        let receiver = new.receiver()
        let run = Task { try await new.target(receiver).run() }
        let link = try await network.acceptor.next()
        _ = try await Self.receive(on: link)
        if type == "long" {
            try await link.send([UInt8](repeating: 0, count: MigrationFrame.maximumBytesBeforeProof + 1))
            try await expect(.messageTooLarge(bytes: 16_385, limit: 16_384), of: receiver, run)
            return
        }
        try await link.send(
            MigrationFrame(
                json: [
                    "type": .string(type),
                    "payload": [
                        "transferId": "t", "backupId": "b", "schemaVersion": 1, "encSize": 1, "chunkSize": 1024,
                        "chunkCount": 1, "index": 0, "offset": 0, "length": 0, "chunkSHA256": "",
                    ],
                ]
            ).body()
        )
        try await expect(.unexpectedMessage(type: type), of: receiver, run)
    }

    @Test("#30 a peer that says sealed another thing than it said in clear is not believed", arguments: [true, false])
    func changedGreeting(isHonest: Bool) async throws {
        let network = MemoryNetwork()
        let new = TwoPhones(network: network)
        let shown = await new.targetCredentials.show(addresses: [])
        let receiver = new.receiver()
        let run = Task { try await new.target(receiver).run() }
        let link = try await network.dialer.next()
        let clear = Handshake(
            role: .source,
            sessionID: "0123456789abcdef",
            nonce: [UInt8](repeating: 7, count: 16)
        )
        try await Self.send(.handshake(clear), on: link)
        guard case .handshake(let theirs) = try await Self.receive(on: link) else {
            Issue.record("no handshake")
            return
        }
        var proof = try PeerProof(method: .pin, secret: Array(shown.pin.digits.utf8), own: clear, peer: theirs)
        try await Self.send(.authPIN(AuthPIN(.share, data: proof.share, method: .pin)), on: link)
        let tag = try proof.take(share: try await Self.step(on: link))
        try await Self.send(.authPIN(AuthPIN(.confirm, data: tag)), on: link)
        let keys = try proof.take(tag: try await Self.step(on: link))
        var sealing = FrameCipher(key: keys.sending)
        var whole = clear
        whole.deviceName = "Old phone"
        whole.schemaVersion = 1
        if !isHonest { whole.nonce = WireData([UInt8](repeating: 8, count: 16)) }
        try await link.send(sealing.seal(MigrationMessage.handshake(whole).frame().body()))
        if isHonest {
            try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
                for await state in receiver.state.values() where state.peerName == "Old phone" { return }
            }
            run.cancel()
            _ = await run.result
        } else {
            try await expect(.peerNotProven, of: receiver, run)
        }
    }

    @Test("keys that only the old phone has are refused twice, and then the person types again")
    func lostKeys() async throws {
        let phones = TwoPhones()
        let forgotten = MigrationKeys(
            resumption: [UInt8](repeating: 1, count: 32),
            package: [UInt8](repeating: 2, count: 32)
        )
        let kept = Vault()
        let asks = Counter()
        let credentials = MigrationCredentials(keys: forgotten, time: .system, keep: { kept.keys = $0 }) {
            _ = asks.next()
            return .pin(try #require(await phones.targetCredentials.shown?.pin))
        }
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let receiver = phones.receiver()
        let source = MigrationSessionManager(
            sending: phones.sender,
            as: TwoPhones.profile(.source),
            credentials: credentials,
            over: phones.network.dialer,
            time: .system,
            timing: phones.timing
        )
        let target = phones.target(receiver)
        let ends = try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
            async let restoring: Void = TwoPhones.restoring(receiver)
            async let first = source.run()
            async let second = target.run()
            let both = try await (first, second)
            try await restoring
            return both
        }
        #expect(ends == (.restored, .restored))
        #expect(asks.count == 1)
        #expect(phones.network.linkCount == 3)
        #expect(kept.keys == phones.vault.keys)
        #expect(kept.keys != forgotten)
    }

    private static func step(on link: any MigrationLink) async throws -> [UInt8] {
        guard case .authPIN(let auth) = try await receive(on: link) else { throw TimedOut() }
        return try #require(auth.data?.bytes)
    }

    /// The session names the trouble, and waits for a better peer.
    private func expect(
        _ trouble: MigrationTransferError,
        of receiver: PackageReceiver,
        _ run: Task<TransferEnd, any Error>
    ) async throws {
        try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
            for await state in receiver.state.values() where state.trouble == trouble { return }
        }
        run.cancel()
        _ = await run.result
        #expect(receiver.state.value.peerName == nil)
    }

    private static func other(than pin: MigrationPIN) throws -> MigrationPIN {
        try MigrationPIN(pin.digits == "000000" ? "000001" : "000000")
    }

    private static func receive(on link: any MigrationLink) async throws -> MigrationMessage {
        try MigrationMessage(MigrationFrame(body: try #require(try await link.receive())))
    }

    private static func send(_ message: MigrationMessage, on link: any MigrationLink) async throws {
        try await link.send(message.frame().body())
    }
}
