import Kernel
import Synchronization
import Testing

@testable import MigrationTransfer

/// A package that is asked for one chunk at a time, and says which ones were asked for.
private final class AskedPackage: PackageSource {
    private let asked = Mutex<[Int64]>([])
    private let failsAt: Int64?

    struct Unreadable: Error {}

    init(failsAt: Int64? = nil) { self.failsAt = failsAt }

    var places: [Int64] { asked.withLock(\.self) }

    func read(_ range: Range<Int64>) async throws -> [UInt8] {
        asked.withLock { $0.append(range.lowerBound) }
        if range.lowerBound == failsAt { throw Unreadable() }
        return PatternPackage.bytes(range)
    }

    /// Waits until so many chunks were asked for.
    func wait(for count: Int) async {
        while places.count < count { await Task.yield() }
    }
}

@Suite("Chunks that are read ahead", .timeLimit(.minutes(1)))
struct ReadAheadTests {
    private let meta = PatternPackage(size: 5000, chunkSize: 1000).meta

    private func sender(_ package: AskedPackage) async throws -> PackageSender {
        let sender = PackageSender(transferID: meta.transferID, time: .system)
        try await sender.offer(meta, from: package)
        return sender
    }

    /// Begins a transfer in which so many chunks may be on their way.
    private func begin(_ sender: PackageSender, chunks: Int) async throws {
        await sender.linked(to: Handshake(role: .target, sessionID: "0123456789abcdef"))
        while try await sender.next() != nil {}
        let start = StartTransfer(transferID: meta.transferID, from: ChunkRanges(), window: chunks * 1000)
        try await sender.take(.startTransfer(start))
    }

    /// The chunk that is sent next, with the bytes of its place; nil for none.
    private func index(_ sender: PackageSender) async throws -> Int? {
        guard case .chunk(let header, let bytes)? = try await sender.next(),
            bytes == PatternPackage.bytes(header.offset..<header.offset + Int64(header.length))
        else { return nil }
        return header.index
    }

    @Test("the next chunk is read while one is sent, one at most, and each once")
    func one() async throws {
        let package = AskedPackage()
        let sender = try await sender(package)
        try await begin(sender, chunks: 1)
        #expect(package.places == [])
        #expect(try await index(sender) == 0)
        await package.wait(for: 2)
        // The window is full, and nothing more is read.
        #expect(try await index(sender) == nil)
        #expect(package.places == [0, 1000])
        var ack = ChunkAck(transferID: meta.transferID, index: 0, status: .ok)
        ack.window = 100_000
        try await sender.take(.chunkAck(ack))
        for chunk in 1..<5 { #expect(try await index(sender) == chunk) }
        #expect(package.places == [0, 1000, 2000, 3000, 4000])
    }

    @Test("a chunk that has to be sent again comes first, and the one that was read stays for its turn")
    func again() async throws {
        let package = AskedPackage()
        let sender = try await sender(package)
        try await begin(sender, chunks: 2)
        #expect(try await index(sender) == 0)
        #expect(try await index(sender) == 1)
        await package.wait(for: 3)
        try await sender.take(.chunkAck(ChunkAck(transferID: meta.transferID, index: 0, status: .resend)))
        #expect(try await index(sender) == 0)
        try await sender.take(.chunkAck(ChunkAck(transferID: meta.transferID, index: 1, status: .ok)))
        #expect(try await index(sender) == 2)
        await package.wait(for: 5)
        #expect(package.places == [0, 1000, 2000, 0, 3000])
    }

    @Test("a chunk that cannot be read ends the transfer when its turn has come")
    func unreadable() async throws {
        let package = AskedPackage(failsAt: 1000)
        let sender = try await sender(package)
        try await begin(sender, chunks: 5)
        #expect(try await index(sender) == 0)
        await package.wait(for: 2)
        #expect(await sender.end == nil)
        guard case .cancel(let control)? = try await sender.next() else {
            Issue.record("the new phone is not told")
            return
        }
        #expect(control.reason == "sourceFailed")
        let failure = await sender.failure
        #expect(failure is AskedPackage.Unreadable)
    }
}
