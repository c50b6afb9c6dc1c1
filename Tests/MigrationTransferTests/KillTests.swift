import Kernel
import KernelTesting
import MigrationTransfer
import Testing

@Suite("A new phone that is killed", .timeLimit(.minutes(5)))
struct KillTests {
    /// Runs a transfer in which the new phone's program dies at the given call of its disk, starts it again, and looks at what arrived.
    ///
    /// - Parameter givingBack: Whether the space of nearly all of it is given back as it comes, and what lay elsewhere is gone in the end.
    private func transfer(
        killedAt call: Int,
        losingPower seed: UInt64?,
        givingBack: Bool = false
    ) async throws -> Bool {
        let phones = TwoPhones(size: 120_000)
        phones.disk.givesSpaceBack = givingBack
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let source = Task { try await phones.source().run() }
        let first = phones.receiver()
        let killed = Locked(false)
        let dying = Task { try await phones.target(first).run() }
        phones.disk.kill(atCall: call) {
            killed.withLock { $0 = true }
            phones.network.pull()
            dying.cancel()
        }
        let restoring = Task { try await TwoPhones.restoring(first) }
        let giving = Task {
            for await _ in first.state.values() {
                await first.release(RangeSet(1000..<110_000), of: phones.package.meta)
            }
        }
        let end = try? await dying.value
        restoring.cancel()
        giving.cancel()
        await first.close()
        let wasKilled = killed.withLock { $0 }
        if !wasKilled {
            #expect(end == .restored)
            #expect(try await source.value == .restored)
            return false
        }
        var generator = SeededGenerator(seed: seed ?? 0)
        if seed != nil { phones.disk.powerLoss(&generator) } else { phones.disk.restart() }
        try expectTruth(of: phones)
        phones.network.plug()
        // The program that starts again knows the keys, if the first proof got that far; else the person types once more.
        let credentials = MigrationCredentials(keys: phones.vault.keys, time: .system) { phones.vault.keys = $0 }
        let second = phones.receiver()
        let again = Task { try await phones.target(second, credentials: credentials).run() }
        let finishing = Task {
            if givingBack { try await TwoPhones.refill(second) }
            try await TwoPhones.restoring(second)
        }
        #expect(try await again.value == .restored)
        #expect(try await source.value == .restored)
        try await finishing.value
        await second.close()
        #expect(phones.hasArrived, "killed at \(call)")
        #expect(phones.asks.count == 1)
        return true
    }

    /// Whatever the journal names lies on the disk, but for what it says was given back.
    private func expectTruth(of phones: TwoPhones) throws {
        let journal = phones.disk.contents(of: SimulatedStore.journalName)
        guard let record = try? TransferProgressRecord(reading: journal) else { return }
        let bytes = phones.disk.contents(of: SimulatedStore.packageName)
        for index in record.received.ranges.flatMap({ Array($0) }) {
            let range = phones.package.meta.range(ofChunk: index)
            try #require(bytes.count >= range.upperBound)
            for kept in RangeSet(range).subtracting(record.released).ranges {
                #expect(Array(bytes[Int(kept.lowerBound)..<Int(kept.upperBound)]) == PatternPackage.bytes(kept))
            }
        }
    }

    @Test("killed at any call of its disk, it goes on where it was")
    func everyCall() async throws {
        var kills = 0
        for call in 1...40 where try await transfer(killedAt: call, losingPower: nil) { kills += 1 }
        #expect(kills >= 30)
        KillPoints.tell(kills)
    }

    @Test(
        "after a loss of power the journal never tells of bytes that are not there",
        arguments: 1...(KillPoints.seeds ?? 3)
    )
    func powerLoss(seed: UInt64) async throws {
        var kills = 0
        for call in stride(from: 1, through: 40, by: 2) {
            if try await transfer(killedAt: call, losingPower: seed &* 100 &+ UInt64(call)) { kills += 1 }
        }
        #expect(kills >= 15)
        KillPoints.tell(kills)
    }

    @Test(
        "after a loss of power the journal knows of every byte that was given back, and all of them come again",
        arguments: 1...(KillPoints.seeds ?? 2)
    )
    func powerLossGivingBack(seed: UInt64) async throws {
        var kills = 0
        for call in stride(from: 1, through: 30, by: 3) {
            let seed = seed &* 1000 &+ UInt64(call)
            if try await transfer(killedAt: call, losingPower: seed, givingBack: true) { kills += 1 }
        }
        #expect(kills >= 7)
        KillPoints.tell(kills)
    }

    @Test("ended between its word that all is in place and the way to the old phone, it says it when it is there again")
    func untold() async throws {
        let phones = TwoPhones(size: 120_000)
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let source = Task { try await phones.source().run() }
        let first = phones.receiver()
        let dying = Task { try await phones.target(first).run() }
        for await state in first.state.values() where state.step == .restoring { break }
        phones.network.pull()
        await first.report(.verified)
        await first.report(.restored)
        dying.cancel()
        _ = await dying.result
        await first.close()
        phones.disk.restart()
        phones.network.plug()
        let credentials = MigrationCredentials(keys: phones.vault.keys, time: .system) { phones.vault.keys = $0 }
        // Who only has this to say wants no package.
        let second = phones.receiver { _ in .decline(reason: "otherTransfer") }
        let again = Task { try await phones.target(second, credentials: credentials).run() }
        try await TwoPhones.restoring(second)
        #expect(try await source.value == .restored)
        #expect(try await again.value == .restored)
        await second.close()
        #expect(try await SimulatedStore(disk: phones.disk, work: phones.work).unfinished() == nil)
    }

    @Test("after a kill at most one sync's bytes are sent again, and nothing is hashed to know the rest")
    func resent() async throws {
        let phones = TwoPhones(size: 4_000_000, chunkSize: 16_384)
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let source = Task { try await phones.source().run() }
        let first = phones.receiver()
        let dying = Task { try await phones.target(first).run() }
        for await state in first.state.values() {
            let progress = state.progress
            if progress.stage.rawValue > TransferStage.send.rawValue { break }
            if progress.stage == .send, progress.doneBytes > 1_000_000 { break }
        }
        phones.network.pull()
        dying.cancel()
        _ = await dying.result
        await first.close()
        for await state in phones.sender.state.values() where !state.isLinked { break }
        let store = SimulatedStore(disk: phones.disk, work: phones.work)
        let begun = try #require(try await store.unfinished())
        let journal = try TransferProgressRecord(reading: phones.disk.contents(of: SimulatedStore.journalName))
        #expect(begun.meta == phones.package.meta)
        let (read, durable) = (phones.package.readBytes, phones.package.meta.bytes(in: journal.received))
        #expect(durable > 1_000_000)
        phones.network.plug()
        let second = phones.receiver()
        let ends = try await (
            Task { [credentials = MigrationCredentials(keys: phones.vault.keys, time: .system) { _ in }] in
                let finishing = Task { try await TwoPhones.restoring(second) }
                let end = try await phones.target(second, credentials: credentials).run()
                try await finishing.value
                return end
            }.value,
            source.value
        )
        #expect(ends == (.restored, .restored))
        #expect(phones.hasArrived)
        // One chunk is read ahead, and may have been when the link broke.
        let again = phones.package.readBytes - read
        #expect(abs(again - (phones.package.meta.encSize - durable)) <= 16_384)
    }
}
