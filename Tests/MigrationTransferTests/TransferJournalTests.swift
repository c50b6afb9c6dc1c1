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
        #expect(state.received.ranges == [0..<9])
        #expect(state.isPaused)
        #expect(state.wholeBytes == journal.count)
        #expect(state.isBound(toHeader: hash, transferID: "t-1"))
        #expect(!state.isBound(toHeader: hash, transferID: "t-2"))
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
}
