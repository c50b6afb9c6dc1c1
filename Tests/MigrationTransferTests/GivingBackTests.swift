import Kernel
import MigrationTransfer
import Testing

@Suite("Space of a package that is given back", .timeLimit(.minutes(2)))
struct GivingBackTests {
    private static let lost = RangeSet<Int64>(5000..<100_000)

    /// Waits until the package is whole.
    private func whole(_ receiver: PackageReceiver) async {
        for await state in receiver.state.values() where state.step == .restoring { return }
    }

    private func run(
        _ phones: TwoPhones,
        _ own: @escaping @Sendable (PackageReceiver) async throws -> Void
    ) async throws {
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let receiver = phones.receiver()
        let (source, target) = (phones.source(), phones.target(receiver))
        let ends = try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
            async let owned: Void = own(receiver)
            async let first = source.run()
            async let second = target.run()
            let both = try await (first, second)
            try await owned
            return both
        }
        await receiver.close()
        #expect(ends == (.restored, .restored))
    }

    @Test("is a hole of which the journal tells, and the old phone makes it again when it is asked")
    func again() async throws {
        let phones = TwoPhones(size: 200_000)
        phones.disk.givesSpaceBack = true
        try await run(phones) { receiver in
            await whole(receiver)
            await receiver.release(Self.lost, of: phones.package.meta)
            #expect(await receiver.released == Self.lost)
            let holes = phones.disk.contents(of: SimulatedStore.packageName)
            #expect(holes[5000..<100_000].allSatisfy { $0 == 0 })
            #expect(Array(holes[..<5000]) == PatternPackage.bytes(0..<5000))
            #expect(Array(holes[100_000...]) == PatternPackage.bytes(100_000..<200_000))
            let journal = try TransferProgressRecord(reading: phones.disk.contents(of: SimulatedStore.journalName))
            #expect(journal.released == Self.lost)
            #expect(journal.received.cumulative == phones.package.meta.chunkCount)
            try await receiver.askAgain(for: Self.lost)
            await whole(receiver)
            #expect(phones.hasArrived)
            #expect(await receiver.released.isEmpty)
            try await TwoPhones.restoring(receiver)
        }
        // Whole chunks come again, and nothing else.
        #expect(phones.package.readBytes <= 200_000 + 95_000 + 2 * 4096 + 2 * 4096)
    }

    @Test("stays where the disk cannot take it, and so does that of another package")
    func unable() async throws {
        let phones = TwoPhones(size: 50_000)
        try await run(phones) { receiver in
            await whole(receiver)
            await receiver.release(RangeSet(0..<40_000), of: phones.package.meta)
            #expect(await receiver.released.isEmpty)
            try await TwoPhones.restoring(receiver)
        }
        #expect(phones.hasArrived)
        let able = TwoPhones(size: 50_000)
        able.disk.givesSpaceBack = true
        try await run(able) { receiver in
            await whole(receiver)
            let other = PatternPackage(size: 50_000, chunkSize: 4096, transferID: "other").meta
            await receiver.release(RangeSet(0..<40_000), of: other)
            try await TwoPhones.restoring(receiver)
        }
        #expect(able.hasArrived)
    }

    @Test("needs half of the room: what the package becomes, and what both have at a time")
    func room() {
        var meta = PatternPackage(size: 1 << 40, chunkSize: 1 << 20).meta
        meta.restoreBytesNeeded = 1 << 41
        let both = PackageReceiver.neededBytes(for: meta, givesSpaceBack: false)
        #expect(both == 1 << 41)
        let one = PackageReceiver.neededBytes(for: meta, givesSpaceBack: true)
        #expect(one > 1 << 40 && one < (1 << 40) / 100 * 105)
        // What a peer claims adds up to nothing impossible.
        meta.restoreBytesNeeded = .max
        #expect(PackageReceiver.neededBytes(for: meta, givesSpaceBack: true) > 1 << 50)
        meta.restoreBytesNeeded = .min
        #expect(PackageReceiver.neededBytes(for: meta, givesSpaceBack: true) < (1 << 40) / 100 * 105)
    }

    @Test("ranges of bytes are joined, cut and compared, and belong to chunks")
    func ranges() {
        var some = RangeSet<Int64>([10..<20, 30..<40])
        some.insert(contentsOf: 20..<30)
        #expect(Array(some.ranges) == [10..<40])
        some.insert(contentsOf: 50..<50)
        some.insert(contentsOf: 60..<70)
        #expect(Array(some.subtracting(RangeSet([0..<12, 35..<65])).ranges) == [12..<35, 65..<70])
        #expect(Array(some.intersection(RangeSet(35..<65)).ranges) == [35..<40, 60..<65])
        #expect(RangeSet<Int64>(5..<5).isEmpty)
        let meta = PatternPackage(size: 2500, chunkSize: 1000).meta
        #expect(Array(meta.chunks(with: RangeSet([999..<1000, 2400..<2500])).ranges) == [0..<1, 2..<3])
        #expect(Array(meta.chunks(with: RangeSet(1000..<2001)).ranges) == [1..<3])
        #expect(Array(meta.byteRanges(of: ChunkRanges(1..<3)).ranges) == [1000..<2500])
    }
}
