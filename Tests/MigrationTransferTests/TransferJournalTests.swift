import Kernel
import MigrationTransfer
import Testing

@Suite("The receiver's transfer.journal")
struct TransferJournalTests {
    private let hash = [UInt8](repeating: 7, count: 32)
    private var records: [TransferRecord] {
        [
            .header(headerSHA256: hash, transferID: "t-1"), .meta([123, 125]), .received(0..<8), .received(8..<9),
            .paused,
        ]
    }

    @Test("a journal tells the package, the ranges and the pause")
    func whole() throws {
        let journal = records.flatMap { $0.encoded() }
        let state = try TransferProgressRecord(reading: journal)
        #expect(Array(state.received.ranges) == [0..<9])
        #expect(state.isPaused)
        #expect(state.wholeBytes == journal.count)
        #expect(state.isBound(toHeader: hash, transferID: "t-1"))
        #expect(!state.isBound(toHeader: hash, transferID: "t-2"))
    }

    @Test("what was given back counts as received until it is missing, and then comes again")
    func givenBack() throws {
        let meta = PatternPackage(size: 10_000, chunkSize: 1000).meta
        var records: [TransferRecord] = [
            .header(headerSHA256: hash, transferID: "t-1"), .meta(try JSONValue(encoding: meta).canonicalBytes),
            .received(0..<10), .released(1500..<4500), .released(4500..<6000),
        ]
        var state = try TransferProgressRecord(reading: records.flatMap { $0.encoded() })
        #expect(Array(state.received.ranges) == [0..<10])
        #expect(Array(state.released.ranges) == [1500..<6000])
        records.append(.missing(2..<4))
        state = try TransferProgressRecord(reading: records.flatMap { $0.encoded() })
        #expect(Array(state.received.ranges) == [0..<2, 4..<10])
        #expect(Array(state.released.ranges) == [1500..<2000, 4000..<6000])
        records.append(.received(2..<4))
        state = try TransferProgressRecord(reading: records.flatMap { $0.encoded() })
        #expect(Array(state.received.ranges) == [0..<10])
        #expect(Array(state.released.ranges) == [1500..<2000, 4000..<6000])
    }

    @Test("cut anywhere, a journal tells exactly its whole records")
    func tornTail() throws {
        let ends = records.map { $0.encoded().count }.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        let journal = records.flatMap { $0.encoded() }
        for length in ends[1]...journal.count {
            let state = try TransferProgressRecord(reading: Array(journal.prefix(length)))
            #expect(state.wholeBytes == ends.last { $0 <= length })
        }
        for length in 0..<ends[1] {
            #expect(throws: MigrationTransferError.damagedJournal) {
                try TransferProgressRecord(reading: Array(journal.prefix(length)))
            }
        }
    }

    @Test("one flipped bit never adds a chunk")
    func flips() throws {
        let journal = records.flatMap { $0.encoded() }
        let whole = try TransferProgressRecord(reading: journal).received
        for bit in 0..<journal.count * 8 {
            var damaged = journal
            damaged[bit / 8] ^= 1 << (bit % 8)
            guard let state = try? TransferProgressRecord(reading: damaged) else { continue }
            #expect(state.received.ranges.allSatisfy { range in range.allSatisfy(whole.contains) })
            #expect(state.wholeBytes < journal.count)
        }
    }

    @Test(
        "what lies behind a torn record is cut off when the journal is opened, and the next record follows the last whole one"
    )
    func cutOff() async throws {
        let (disk, work) = (SimulatedDisk(), BlockingWork("test.journal", width: 1))
        let meta = PatternPackage(size: 5000, chunkSize: 1024).meta
        let store = SimulatedStore(disk: disk, work: work)
        _ = try await store.open(meta)
        let whole = disk.contents(of: SimulatedStore.journalName)
        // A record whose write was lost, and the one behind it, which came through.
        let lost = [UInt8](repeating: 0, count: TransferRecord.received(0..<2).encoded().count)
        let file = disk.file(SimulatedStore.journalName)
        try file.write(lost + TransferRecord.received(2..<4).encoded(), at: Int64(whole.count))
        let (journal, record) = try await TransferJournal.open(file, on: work)
        #expect(record.received == ChunkRanges())
        #expect(disk.contents(of: SimulatedStore.journalName) == whole)
        try await journal.append([.received(0..<1), .paused])
        let after = try TransferProgressRecord(reading: disk.contents(of: SimulatedStore.journalName))
        #expect(after.received == ChunkRanges(0..<1))
        #expect(after.isPaused)
    }
}
