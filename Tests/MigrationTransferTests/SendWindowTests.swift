import MigrationTransfer
import Testing

@Suite("The sender's window")
struct SendWindowTests {
    private let start = ContinuousClock.now
    private let meta = BackupMeta(
        backupID: "b",
        transferID: "t",
        schemaVersion: 1,
        encSize: 10 << 20,
        chunkSize: 1 << 20
    )

    private func ack(_ index: Int, _ status: ChunkAck.Status = .ok, cumulative: Int? = nil) -> ChunkAck {
        var ack = ChunkAck(transferID: "t", index: index, status: status)
        ack.cumulative = cumulative
        return ack
    }

    @Test("#11 two chunks of 1 MiB fit the first window, and an answer in time makes room for more")
    func growth() throws {
        var window = SendWindow(meta, credit: 32 << 20)
        #expect(window.nextChunk(at: start) == 0)
        #expect(window.nextChunk(at: start) == 1)
        #expect(window.nextChunk(at: start) == nil)
        try window.take(ack(0), at: start + .milliseconds(5))
        #expect(window.limit == 3 << 20)
        #expect(window.nextChunk(at: start) == 2)
        #expect(window.nextChunk(at: start) == 3)
        #expect(window.nextChunk(at: start) == nil)
    }

    @Test("#11 a peer without a window gets one chunk at a time")
    func stopAndWait() throws {
        var window = SendWindow(meta, credit: nil)
        for index in 0..<meta.chunkCount {
            #expect(window.nextChunk(at: start) == index)
            #expect(window.nextChunk(at: start) == nil)
            try window.take(ack(index), at: start)
        }
        #expect(window.isComplete)
    }

    @Test("the third damage of one chunk ends in linkCorrupt, and each one before sends it again")
    func damage() throws {
        var window = SendWindow(meta, credit: 1 << 20)
        for _ in 0..<2 {
            #expect(window.nextChunk(at: start) == 0)
            try window.take(ack(0, .resend), at: start)
        }
        #expect(window.nextChunk(at: start) == 0)
        #expect(throws: MigrationTransferError.linkCorrupt(chunk: 0)) { try window.take(ack(0, .resend), at: start) }
    }

    @Test("late chunks are sent again with a smaller window, and a late answer to the first copy counts")
    func timeout() throws {
        var window = SendWindow(meta, credit: 32 << 20)
        _ = window.nextChunk(at: start)
        _ = window.nextChunk(at: start)
        window.timeOut(sentBefore: start + .seconds(1))
        #expect(window.bytesInFlight == 0)
        #expect(window.limit == 1 << 20)
        try window.take(ack(0), at: start + .seconds(2))
        #expect(window.nextChunk(at: start + .seconds(2)) == 1)
    }

    @Test("without credit nothing is sent, and acknowledgements beyond the package are refused")
    func credit() {
        var window = SendWindow(meta, credit: 0)
        #expect(window.nextChunk(at: start) == nil)
        #expect(throws: MigrationTransferError.malformedMessage(what: "acknowledged chunks")) {
            try window.take(ack(10), at: start)
        }
        #expect(throws: MigrationTransferError.malformedMessage(what: "acknowledged chunks")) {
            try window.take(ack(1, cumulative: 11), at: start)
        }
    }
}
