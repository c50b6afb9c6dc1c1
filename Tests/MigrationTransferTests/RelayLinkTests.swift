import Foundation
import Kernel
import KernelTesting
import Sealing
import Signaling
import SignalingTesting
import Synchronization
import Testing

@testable import MigrationTransfer

@Suite("A migration's links through a hub", .timeLimit(.minutes(2)))
struct RelayLinkTests {
    private static func access(_ relay: InMemoryRelay) -> SignalAccess { SignalAccess { _, _ in relay.client() } }

    private static func place() throws -> RelayPlace {
        try RelayPlace(hub: #require(URL(string: "wss://hub.example.net")), room: RelayRoom())
    }

    /// Both ends of one room, for the length of `body`.
    private static func withRoom(
        _ relay: InMemoryRelay,
        _ body: (RelayLinkDialer, RelayLinkListener) async throws -> Void
    ) async throws {
        let place = try place()
        let listener = try await RelayLinkListener.open(place, through: access(relay), time: .system)
        let dialer = RelayLinkDialer(place, through: access(relay), time: .system)
        let result: Result<Void, any Error>
        do { result = .success(try await body(dialer, listener)) } catch { result = .failure(error) }
        await dialer.close()
        await listener.close()
        #expect(relay.onlineIDs.isEmpty, "both have left the hub")
        try result.get()
    }

    @Test(
        "#3 a package arrives whole, whichever phone dials; the hub sees keys of this move only",
        arguments: [true, false]
    )
    func whole(sourceDials: Bool) async throws {
        let relay = InMemoryRelay()
        try await Self.withRoom(relay) { dialer, listener in
            let phones = TwoPhones(
                size: 3_000_000,
                chunkSize: 256 << 10,
                links: sourceDials ? (dialer, listener) : (listener, dialer)
            )
            let ends = try await phones.transfer()
            #expect(ends.source == .restored && ends.target == .restored)
            #expect(phones.hasArrived)
            #expect(phones.asks.count == 1)
            #expect(relay.onlineIDs.count == 2 && relay.onlineIDs.allSatisfy { $0.hasPrefix("did:key:") })
            #expect(!relay.onlineIDs.contains { $0.contains(listener.place.room.text) })
        }
    }

    @Test("a hub that ends and comes back in the middle costs a link, and no PIN")
    func hubRestarts() async throws {
        let relay = InMemoryRelay()
        try await Self.withRoom(relay) { dialer, listener in
            let phones = TwoPhones(size: 6_000_000, chunkSize: 64 << 10, links: (dialer, listener))
            let cuts = Task {
                var cuts = 0
                for await state in phones.sender.state.values()
                where state.isLinked && state.progress.doneBytes > Int64(cuts + 1) * 1_000_000 {
                    relay.stop()
                    for await state in phones.sender.state.values() where !state.isLinked { break }
                    relay.restart()
                    cuts += 1
                    if cuts == 3 { break }
                }
                return cuts
            }
            let ends = try await phones.transfer()
            cuts.cancel()
            #expect(ends.source == .restored && ends.target == .restored)
            #expect(phones.hasArrived)
            #expect(phones.asks.count == 1)
            #expect(await cuts.value > 0)
        }
    }

    @Test(
        "a hub that passes on no bytes is said on both sides by its name, and leaves the local network to whoever listens"
    )
    func oldHub() async throws {
        for dialect in [InMemoryRelay.Dialect.documented, .messagesOnly] {
            let relay = InMemoryRelay(dialect)
            try await Self.withRoom(relay) { dialer, listener in
                let failure = MigrationTransferError.hubCarriesNoMoves(hub: "hub.example.net")
                await #expect(throws: failure) { _ = try await dialer.next() }
                let network = MemoryNetwork()
                let joined = JoinedListeners([network.acceptor, listener])
                await #expect(throws: failure) { _ = try await joined.next() }
                let near = try await network.dialer.next()
                let came = try await joined.next()
                try await near.send([1, 2, 3])
                #expect(try await came.receive() == [1, 2, 3])
            }
        }
        #expect("\(MigrationTransferError.hubCarriesNoMoves(hub: "h"))".contains("The hub h is of an earlier version"))
    }

    @Test("a room in which nobody listens is no link, which the hub says at once")
    func nobody() async throws {
        let relay = InMemoryRelay()
        let dialer = RelayLinkDialer(try Self.place(), through: Self.access(relay), time: .system)
        await #expect(throws: MigrationTransferError.linkLost) { _ = try await dialer.next() }
        await dialer.close()
    }

    @Test("a ninth caller takes the place of the first that waits; one that is cut off waits no longer")
    func manyCallers() async throws {
        let relay = InMemoryRelay()
        let place = try Self.place()
        let listener = try await RelayLinkListener.open(place, through: Self.access(relay), time: .system)
        var callers: [(dialer: RelayLinkDialer, link: any MigrationLink)] = []
        for _ in 0..<9 {
            let dialer = RelayLinkDialer(place, through: Self.access(relay), time: .system)
            callers.append((dialer, try await dialer.next()))
        }
        #expect(try await callers[0].link.receive() == nil, "its place was taken")
        let second = try await listener.next()
        try await second.send([7])
        #expect(try await callers[1].link.receive() == [7])
        await callers[1].dialer.close()
        #expect(try await second.receive() == nil)
        for caller in callers { await caller.dialer.close() }
        await listener.close()
        await #expect(throws: MigrationTransferError.linkLost) { _ = try await listener.next() }
    }

    // MARK: One link

    /// A link whose other end is a client that notes what comes.
    private static func link(
        closed: @escaping @Sendable (RelayLink.Key) -> Void = { _ in }
    ) async throws -> (link: RelayLink, frames: Locked<[RelayFrame.Content]>, stop: @Sendable () -> Void) {
        let relay = InMemoryRelay()
        let (client, peer) = (relay.client(), relay.client())
        try await client.start(as: "me")
        try await peer.start(as: "peer")
        let frames = Locked<[RelayFrame.Content]>([])
        let stop = peer.observe { event in
            guard case .binary("me", let frame) = event, let frame = RelayFrame(frame) else { return }
            frames.withLock { $0.append(frame.content) }
        }
        let key = RelayLink.Key(peer: "peer", link: 9)
        return (RelayLink(key, over: client, isAccepted: true, whenClosed: closed), frames, stop)
    }

    @Test(
        "a piece that is missing, comes twice, or is more than was allowed ends the link, and the other side is told",
        arguments: [[0, 10], [0, 0], [-1]]
    )
    func gaps(offsets: [Int]) async throws {
        let ended = Locked(0)
        let (link, _, stop) = try await Self.link { _ in ended.withLock { $0 += 1 } }
        defer { stop() }
        for offset in offsets {
            let bytes = offset < 0 ? [UInt8](repeating: 0, count: 64 << 10 + 1) : [0, 0, 0]
            link.take(.bytes(offset: UInt64(max(0, offset)), bytes[...]))
        }
        #expect(try await link.receive() == nil)
        #expect(ended.withLock { $0 } == 1)
        await #expect(throws: MigrationTransferError.linkLost) { try await link.send([1]) }
        link.close()
        #expect(ended.withLock { $0 } == 1, "it ends once")
    }

    @Test("no more is sent than the other side has room for, and what waits goes on with its word")
    func credit() async throws {
        let (link, frames, stop) = try await Self.link()
        defer { stop() }
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let sending = Task { try await link.send(body) }
        func sent() -> [UInt8] {
            frames.withLock { contents in
                contents.reduce(into: []) { all, content in if case .bytes(_, let bytes) = content { all += bytes } }
            }
        }
        while sent().count < 64 << 10 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(sent().count == 64 << 10)
        link.take(.credit(100_000))
        while sent().count < 100_000 { await Task.yield() }
        // An older word takes nothing back.
        link.take(.credit(70_000))
        link.take(.credit(1 << 20))
        try await sending.value
        var head: [UInt8] = []
        head.append(bigEndian: UInt32(body.count))
        #expect(sent() == head + body)
        var next: UInt64 = 0
        for case .bytes(let offset, let bytes) in frames.withLock({ $0 }) {
            #expect(offset == next && bytes.count <= 64 << 10)
            next += UInt64(bytes.count)
        }
    }

    @Test("room is made for a body that is longer than the window, and for no more than a reader waits for")
    func room() async throws {
        let (link, frames, stop) = try await Self.link()
        defer { stop() }
        link.allowBodies(ofBytes: 8 << 20)
        let receiving = Task { try await link.receive() }
        func granted() -> UInt64 {
            frames.withLock { contents in
                contents.reduce(UInt64(64 << 10)) { total, content in
                    if case .credit(let credit) = content { max(total, credit) } else { total }
                }
            }
        }
        while granted() < RelayLink.window { await Task.yield() }
        let size = 5 << 20
        var stream: [UInt8] = []
        stream.append(bigEndian: UInt32(size))
        stream += [UInt8](repeating: 5, count: size)
        var offset = 0
        while offset < stream.count {
            let count = min(64 << 10, stream.count - offset)
            while granted() < UInt64(offset + count) { await Task.yield() }
            link.take(.bytes(offset: UInt64(offset), stream[offset..<offset + count]))
            offset += count
        }
        #expect(try await receiving.value?.count == size)
        #expect(granted() <= UInt64(stream.count) + RelayLink.window)
        #expect(link.bytesHeard == UInt64(stream.count))
    }

    @Test(
        "a frame of another kind, of a later version or without its link is passed over, and ours come back as they were"
    )
    func frames() {
        let contents: [RelayFrame.Content] = [.open, .accept, .bytes(offset: 1 << 40, [1, 2]), .credit(.max), .close]
        for content in contents {
            let frame = RelayFrame(link: 0x0102_0304_0506_0708, content: content)
            let bytes = frame.binary.header(route: 3) + frame.binary.ciphertext
            #expect(bytes[0] == 2 && SignalBinaryFrame(bytes).flatMap { RelayFrame($0) } == frame)
        }
        let short = SignalBinaryFrame(kind: 2, flags: 3, sequence: 0, ciphertext: [1, 2, 3, 4, 5, 6, 7])
        #expect(RelayFrame(short) == nil)
        for (kind, flags) in [(1, 3), (3, 3), (2, 0), (2, 6), (2, 255)] as [(UInt8, UInt8)] {
            let other = SignalBinaryFrame(kind: kind, flags: flags, sequence: 0, ciphertext: [0, 0, 0, 0, 0, 0, 0, 0])
            #expect(RelayFrame(other) == nil)
        }
    }
}
