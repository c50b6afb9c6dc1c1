import Kernel
import KernelTesting
import MigrationTransfer
import Synchronization
import Testing

@Suite("A migration's session", .timeLimit(.minutes(2)))
struct SessionTests {
    @Test(
        "#3 #5 with the PIN a package arrives whole, whichever side dials, and both phones know it",
        arguments: [true, false]
    )
    func whole(sourceDials: Bool) async throws {
        let phones = TwoPhones(sourceDials: sourceDials)
        let ends = try await phones.transfer()
        #expect(ends.source == .restored)
        #expect(ends.target == .restored)
        #expect(phones.hasArrived)
        #expect(phones.asks.count == 1)
        #expect(phones.network.linkCount == 1)
        #expect(phones.package.readBytes == phones.package.meta.encSize)
        #expect(phones.sender.state.value.progress.fraction == 1)
        #expect(phones.sender.state.value.peerName == "New phone")
        #expect(await phones.sourceCredentials.keys == phones.vault.keys)
        #expect(phones.vault.keys != nil)
        // What was restored is not gone on with after a restart.
        #expect(try await SimulatedStore(disk: phones.disk, work: phones.work).unfinished() == nil)
    }

    @Test(
        "100 cuts in one transfer: it goes on by itself, with one PIN, and everything arrives",
        arguments: [1, 2] as [UInt64]
    )
    func hundredCuts(seed: UInt64) async throws {
        // Each link is cut at a place of its own, within its proof or behind it, until there were a hundred.
        var generator = SeededGenerator(seed: seed)
        // The first one proves by the PIN in eight messages, and is left to.
        let places = (0..<100).map { Int.random(in: ($0 == 0 ? 10 : 6)..<16, using: &generator) }
        let kinds = (0..<100).map { _ in generator.chance(0.5) }
        let counts = Counters()
        let network = MemoryNetwork { passage in
            guard passage.link < 100 else { return .none }
            guard counts.next(of: passage.link) >= places[passage.link] else { return .none }
            return kinds[passage.link] ? .cutAfter : .cutBefore
        }
        let phones = TwoPhones(network: network, size: 2_000_000, chunkSize: 4096)
        let ends = try await phones.transfer()
        #expect(ends.source == .restored)
        #expect(ends.target == .restored)
        #expect(phones.hasArrived)
        #expect(network.linkCount > 100)
        #expect(phones.asks.count == 1)
    }

    @Test(
        "a fault at any message, in either direction, costs at most another link",
        arguments: [MemoryNetwork.Fault.cutBefore, .cutAfter, .flip]
    )
    func everyPlace(fault: MemoryNetwork.Fault) async throws {
        // Where the receipt is what was lost, the new phone waits for it in vain.
        var timing = TwoPhones.quick
        timing.lastWord = .seconds(5)
        let whole = MemoryNetwork()
        _ = try await TwoPhones(network: whole, size: 40_000).transfer()
        for place in 0..<whole.bodyCount {
            let network = MemoryNetwork { $0.number == place ? fault : .none }
            let phones = TwoPhones(network: network, size: 40_000, timing: timing)
            let ends = try? await phones.transfer()
            #expect(ends?.source == .restored, "at \(place)")
            #expect(ends?.target == .restored, "at \(place)")
            #expect(phones.hasArrived, "at \(place)")
        }
        KillPoints.tell(whole.bodyCount)
    }

    @Test("a link on which nothing arrives any more is given up, and the next one goes on")
    func halfOpen() async throws {
        var timing = TwoPhones.quick
        timing.ping = .milliseconds(20)
        timing.death = .milliseconds(300)
        let network = MemoryNetwork { $0.link == 0 && $0.isFromDialer && $0.number > 12 ? .swallow : .none }
        let phones = TwoPhones(network: network, timing: timing)
        let ends = try await phones.transfer()
        #expect(ends.source == .restored)
        #expect(phones.hasArrived)
        #expect(network.linkCount > 1)
        #expect(phones.asks.count == 1)
    }

    @Test("a phone that was in the background for longer than the other waits goes on where it was")
    func background() async throws {
        var timing = TwoPhones.quick
        timing.reconnection = .seconds(1)
        let network = MemoryNetwork()
        let gate = Counter()
        let phones = TwoPhones(network: network, timing: timing) { target, _ in
            _ = gate.next()
            return .pin(try #require(await target.shown?.pin))
        }
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let receiver = phones.receiver()
        let (source, target) = (phones.source(), phones.target(receiver))
        let firstSource = Task { try await source.run() }
        let firstTarget = Task { try await target.run() }
        // The network goes away once both are linked, for longer than they wait.
        for await state in phones.sender.state.values() where state.peerName != nil {
            network.pull()
            break
        }
        await #expect(throws: MigrationTransferError.linkLost) { try await firstSource.value }
        await #expect(throws: MigrationTransferError.linkLost) { try await firstTarget.value }
        network.plug()
        let ends = try await phones.ends(receiver, timing: TwoPhones.quick)
        #expect(ends.source == .restored)
        #expect(ends.target == .restored)
        #expect(phones.hasArrived)
        #expect(gate.count == 1)
    }

    @Test("the new phone's word about the end is written down before it hears that it arrived")
    func settledBeforeReceipt() async throws {
        let held = Mutex<PackageReceiver?>(nil)
        let seen = Mutex<[String]>([])
        let phones = TwoPhones(settle: { end in
            // A receipt that was on its way already would arrive meanwhile.
            for _ in 0..<2000 { await Task.yield() }
            let heard = await held.withLock(\.self)?.end
            seen.withLock { $0.append("\(end) \(String(describing: heard))") }
        })
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let receiver = phones.receiver()
        held.withLock { $0 = receiver }
        let ends = try await phones.ends(receiver)
        #expect(ends.source == .restored && ends.target == .restored)
        #expect(seen.withLock(\.self) == ["restored nil"])
    }

    @Test("two phones with the same role are both told so")
    func roleClash() async throws {
        let phones = TwoPhones()
        let other = PackageSender(transferID: "other", time: .system)
        let clash = MigrationSessionManager(
            sending: other,
            as: TwoPhones.profile(.source),
            credentials: MigrationCredentials(time: .system, keep: { _ in }) { .pin(MigrationPIN()) },
            over: phones.network.acceptor,
            time: .system,
            timing: phones.timing
        )
        let accepting = Task { try await clash.run() }
        _ = await phones.targetCredentials.show(addresses: [])
        await #expect(throws: MigrationTransferError.sameRole) { try await phones.source().run() }
        for await state in other.state.values() where state.trouble == .sameRole { break }
        accepting.cancel()
        await #expect(throws: CancellationError.self) { try await accepting.value }
    }

    @Test("data that is newer than the new phone's app is refused before the package, on both phones")
    func newerSchema() async throws {
        let phones = TwoPhones()
        _ = await phones.targetCredentials.show(addresses: [])
        let newer = MigrationSessionManager(
            sending: phones.sender,
            as: TwoPhones.profile(.source, schema: 3),
            credentials: phones.sourceCredentials,
            over: phones.network.dialer,
            time: .system,
            timing: phones.timing
        )
        let receiver = phones.receiver()
        let target = phones.target(receiver)
        let accepting = Task { try await target.run() }
        await #expect(throws: MigrationTransferError.needsAppUpdate(theirs: 3, ours: 1)) { try await newer.run() }
        await #expect(throws: MigrationTransferError.needsAppUpdate(theirs: 3, ours: 1)) { try await accepting.value }
    }

    @Test("what the new phone's person does not want is cancelled on both, and nothing of it was sent")
    func declined() async throws {
        let phones = TwoPhones()
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let ends = try await phones.ends(phones.receiver { _ in .decline(reason: "user") })
        #expect(ends.source == .cancelled(byPeer: true))
        #expect(ends.target == .cancelled(byPeer: false))
        #expect(phones.package.readBytes == 0)
    }

    @Test("#14 a restore that failed is told to the old phone, with its word")
    func failed() async throws {
        let phones = TwoPhones()
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let receiver = phones.receiver()
        let (source, target) = (phones.source(), phones.target(receiver))
        async let first = source.run()
        async let second = target.run()
        for await state in receiver.state.values() where state.step == .restoring { break }
        await receiver.report(.failed, code: "wrongPassword")
        #expect(try await first == .failed(code: "wrongPassword"))
        #expect(try await second == .failed(code: "wrongPassword"))
    }

    @Test("a package whose bytes can no longer be read ends the transfer on both phones")
    func unreadable() async throws {
        let phones = TwoPhones()
        phones.package.fail(.differentPackage)
        let ends = try await phones.transfer()
        #expect(ends.source == .cancelled(byPeer: false))
        #expect(ends.target == .cancelled(byPeer: true))
        #expect(await phones.sender.failure as? MigrationTransferError == .differentPackage)
    }
}

/// Counts the bodies of each link.
private final class Counters: Sendable {
    private let counts = Locked<[Int: Int]>([:])
    func next(of link: Int) -> Int {
        counts.withLock { counts in
            counts[link, default: 0] += 1
            return counts[link, default: 0]
        }
    }
}
