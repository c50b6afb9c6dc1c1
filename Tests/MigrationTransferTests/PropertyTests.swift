import KernelTesting
import MigrationTransfer
import Testing

@Suite("Ranges and windows against models")
struct PropertyTests {
    @Test("a set of ranges says what a set of numbers says", arguments: 0..<200 as Range<UInt64>)
    func ranges(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var ranges = ChunkRanges()
        var model: Set<Int> = []
        for _ in 0..<60 {
            let start = Int.random(in: 0..<64, using: &generator)
            let end = start + Int.random(in: 0...6, using: &generator)
            ranges.insert(start..<end)
            model.formUnion(start..<end)
            #expect(ranges.count == model.count)
            #expect(ranges.cumulative == (0...80).first { !model.contains($0) })
            for index in 0..<80 {
                #expect(ranges.contains(index) == model.contains(index))
                #expect(ranges.firstMissing(from: index) == (index...80).first { !model.contains($0) })
            }
            // Sorted, apart and not empty: one set has one form.
            for (one, next) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
                #expect(one.upperBound < next.lowerBound)
            }
            #expect(ranges.ranges.allSatisfy { !$0.isEmpty })
        }
        var other = ChunkRanges()
        var otherModel: Set<Int> = []
        for _ in 0..<10 {
            let start = Int.random(in: 0..<64, using: &generator)
            other.insert(start..<start + 3)
            otherModel.formUnion(start..<start + 3)
        }
        #expect(Set(ranges.subtracting(other).ranges.flatMap { Array($0) }) == model.subtracting(otherModel))
    }

    @Test(
        "whatever is lost, damaged, repeated or late, every chunk arrives and the books balance",
        arguments: 0..<300 as Range<UInt64>
    )
    func window(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let meta = BackupMeta(
            backupID: "b",
            transferID: "t",
            schemaVersion: 1,
            encSize: 40 * 1000 + 123,
            chunkSize: 1000
        )
        var window = SendWindow(meta, credit: 1 << 20)
        var receiver = ChunkRanges()
        var damages: [Int: Int] = [:]
        var acks: [ChunkAck] = []
        var now = ContinuousClock.now
        var steps = 0
        while !window.isComplete {
            steps += 1
            try #require(steps < 20_000, "stands still")
            now += .milliseconds(1)
            if let index = window.nextChunk(at: now) {
                #expect(!window.acknowledged.contains(index))
                var ack = ChunkAck(transferID: "t", index: index, status: .ok)
                if generator.chance(0.1) {
                    // Lost on the way.
                } else if generator.chance(0.1), damages[index, default: 0] < 2, !receiver.contains(index) {
                    damages[index, default: 0] += 1
                    ack.status = .resend
                    acks.append(ack)
                } else {
                    receiver.insert(index)
                    ack.cumulative = receiver.cumulative
                    acks.append(ack)
                }
            }
            if let place = acks.indices.randomElement(using: &generator), generator.chance(0.7) {
                let ack = acks.remove(at: place)
                if ack.status == .ok, generator.chance(0.1) { acks.append(ack) }
                // An answer that was lost is made up for by a later one.
                if !generator.chance(0.1) { try window.take(ack, at: now) }
            }
            if generator.chance(0.05) { window.timeOut(sentBefore: now - .milliseconds(20)) }
            #expect(window.bytesInFlight >= 0)
            #expect(window.bytesInFlight <= max(window.limit, SendWindow.initialBytes) + meta.chunkSize)
        }
        #expect(receiver.cumulative == meta.chunkCount)
        #expect(window.bytesInFlight == 0)
        #expect(window.nextChunk(at: now) == nil)
    }

    @Test("CRC-32C has the check value of its definition")
    func checksum() {
        #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(CRC32C.checksum([]) == 0)
        #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    }
}
