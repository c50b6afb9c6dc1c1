import GRDB
import Kernel
import KernelTesting
import Logging
import Sealing
import SignalingTesting
import Storage
import Testing

@testable import Transport

/// Who is paired, as a set that a test changes.
actor PairedPeers: PeerAuthorizer {
    private var peers: Set<SessionPeer>

    init(_ peers: Set<SessionPeer>) {
        self.peers = peers
    }

    func remove(_ peer: SessionPeer) { peers.remove(peer) }

    func peer(for agreementKey: AgreementPublicKey, did: DID) -> SessionPeer? {
        peers.first { $0.agreementKey == agreementKey && $0.did == did }
    }
}

@Suite("A peer connection", .timeLimit(.minutes(5)))
struct PeerConnectionTests {
    private let phoneIdentity = Identity()
    private let desktopIdentity = Identity()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private var phonePeer: SessionPeer {
        SessionPeer(did: phoneIdentity.did, agreementKey: phoneIdentity.agreementKey)
    }

    private var desktopPeer: SessionPeer {
        SessionPeer(did: desktopIdentity.did, agreementKey: desktopIdentity.agreementKey)
    }

    private func phone(
        _ store: any SessionStore = InMemorySessionStore(),
        timing: SessionTiming = SessionTiming()
    ) async throws -> PeerConnection {
        try await PeerConnection(
            identity: phoneIdentity,
            peer: desktopPeer,
            store: store,
            timing: timing,
            logger: logger
        )
    }

    private func desktop(
        _ store: any SessionStore = InMemorySessionStore(),
        paired: PairedPeers? = nil
    ) -> SessionListener {
        SessionListener(
            identity: desktopIdentity,
            store: store,
            authorizer: paired ?? PairedPeers([phonePeer]),
            logger: logger
        )
    }

    /// Connects the two with one more link.
    @discardableResult
    private func plug(
        _ phone: PeerConnection,
        _ desktop: SessionListener,
        _ kind: LinkKind = .lan
    ) async -> InMemoryCable {
        let (first, second, cable) = InMemoryLink.pair(kind: kind)
        await desktop.add(second)
        await phone.add(first)
        return cable
    }

    private func wait(_ connection: PeerConnection, for state: PeerConnectionState) async {
        for await next in connection.states() where next == state { return }
    }

    private func receive(_ count: Int, from connection: PeerConnection) async -> [PeerMessage] {
        var messages: [PeerMessage] = []
        for await message in connection.messages() {
            messages.append(message)
            if messages.count == count { break }
        }
        return messages
    }

    @Test("messages pass in both directions, in order")
    func exchange() async throws {
        let phone = try await phone()
        let listener = desktop()
        await plug(phone, listener)
        await wait(phone, for: .connected(path: .lan))
        let desktop = try await listener.connection(to: phonePeer)
        for number in UInt8(0)..<50 {
            try await phone.send([number])
            try await desktop.send([number, number], durable: true)
        }
        #expect(await receive(50, from: desktop).map(\.bytes) == (0..<50).map { [$0] })
        let received = await receive(50, from: phone)
        #expect(received.map(\.bytes) == (0..<50).map { [$0, $0] })
        #expect(received.map(\.durable) == (1...50).map { $0 })
        await phone.close()
        await listener.close()
        #expect(phone.state == .closed)
    }

    @Test("started over, a connection loses nothing, and takes durable messages that count from one again")
    func startedOver() async throws {
        let store = InMemorySessionStore()
        let phone = try await phone(store)
        let listener = desktop()
        await plug(phone, listener)
        await wait(phone, for: .connected(path: .lan))
        let desktop = try await listener.connection(to: phonePeer)
        for number in UInt8(1)...5 { try await desktop.send([number], durable: true) }
        #expect(await receive(3, from: phone).map(\.durable) == [1, 2, 3])
        // One is read now, two wait.
        while await phone.engine.inbox.byteCount < 3 { await Task.yield() }
        #expect(try await phone.startOver())
        #expect(await receive(2, from: phone).map(\.bytes) == [[4], [5]])
        #expect(await store.inboundCursor(from: desktopPeer.agreementKey) == 0)
        // A computer that still knows the phone goes on in the same run.
        try await phone.send([6])
        #expect(await receive(1, from: desktop).map(\.bytes) == [[6]])
        try await desktop.send([7], durable: true)
        #expect(await receive(1, from: phone).map(\.bytes) == [[7]])
        // One that forgot it counts anew.
        await listener.close()
        #expect(try await phone.startOver())
        let next = self.desktop()
        await plug(phone, next)
        let anew = try await next.connection(to: phonePeer)
        for number in UInt8(8)...9 { try await anew.send([number], durable: true) }
        let messages = await receive(2, from: phone)
        #expect(messages.map(\.bytes) == [[8], [9]])
        #expect(messages.map(\.durable) == [1, 2])
        await phone.close()
        #expect(try await phone.startOver() == false)
        await next.close()
    }

    @Test("the listener announces each paired device once")
    func announcement() async throws {
        let phone = try await phone()
        let listener = desktop()
        var connections = listener.newConnections().makeAsyncIterator()
        await plug(phone, listener, .relay)
        let desktop = try #require(await connections.next())
        #expect(desktop.peer == phonePeer)
        try await phone.send([1])
        #expect(await receive(1, from: desktop).map(\.bytes) == [[1]])
        await phone.close()
        await listener.close()
        #expect(await connections.next() == nil)
    }

    @Test("a stranger is told that it is not paired, and learns it from the desktop's key only")
    func notPaired() async throws {
        let phone = try await phone()
        let listener = desktop(paired: PairedPeers([]))
        await plug(phone, listener)
        await wait(phone, for: .refused(.notPaired))
        await #expect(throws: SessionError.notPaired) { try await phone.send([1]) }
        await phone.close()
        await listener.close()
    }

    @Test("a device that is forgotten while connected is refused at its next handshake")
    func forgotten() async throws {
        let paired = PairedPeers([phonePeer])
        let listener = desktop(paired: paired)
        let first = try await phone()
        await plug(first, listener)
        await wait(first, for: .connected(path: .lan))
        await paired.remove(phonePeer)
        await listener.remove(phoneIdentity.agreementKey)
        await first.close()
        let second = try await phone()
        await plug(second, listener)
        await wait(second, for: .refused(.notPaired))
        await second.close()
        await listener.close()
    }

    @Test("a link that is cut is replaced by the other, and everything arrives once", arguments: 0..<5)
    func failover(seed: Int) async throws {
        let phone = try await phone()
        let listener = desktop()
        let desktop = try await listener.connection(to: phonePeer)
        let lan = await plug(phone, listener, .lan)
        await plug(phone, listener, .relay)
        await wait(phone, for: .connected(path: .lan))
        async let received = receive(200, from: desktop)
        for number in 0..<200 {
            try await phone.send([UInt8(number)])
            if number == 40 * (seed + 1) - 1 { lan.cut() }
        }
        #expect(await received.map(\.bytes) == (0..<200).map { [UInt8($0)] })
        await wait(phone, for: .connected(path: .relay))
        await phone.close()
        await listener.close()
    }

    @Test("lossy, doubling and reordering links deliver everything in order and once", arguments: 0..<5)
    func faults(seed: Int) async throws {
        let phone = try await phone()
        let listener = desktop()
        let desktop = try await listener.connection(to: phonePeer)
        let cable = await plug(phone, listener, .relay)
        await wait(phone, for: .connected(path: .relay))
        cable.faults = LinkFaults(drop: 0.05, duplicate: 0.2, reorder: 0.2)
        async let received = receive(60, from: desktop)
        for number in UInt8(0)..<60 { try await phone.send([number]) }
        #expect(await received.map(\.bytes) == (0..<60).map { [$0] })
        cable.faults = .none
        await phone.close()
        await listener.close()
    }

    @Test("what is sent while nobody is there waits, and a cancelled sender leaves the line")
    func waitsForLink() async throws {
        let phone = try await phone()
        for number in UInt8(0)..<10 { try await phone.send([number]) }
        let listener = desktop()
        await plug(phone, listener)
        let desktop = try await listener.connection(to: phonePeer)
        #expect(await receive(10, from: desktop).map(\.bytes) == (0..<10).map { [$0] })
        await phone.close()
        await listener.close()
    }

    @Test("a full outbox makes senders wait, and closing ends their wait")
    func fullOutbox() async throws {
        let phone = try await phone()
        let message = [UInt8](repeating: 1, count: 500_000)
        for _ in 0..<16 { try await phone.send(message) }
        let first = Task { try await phone.send(message) }
        let second = Task { try await phone.send(message) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await phone.close()
        await #expect(throws: SessionError.closed) { try await first.value }
        await #expect(throws: SessionError.closed) { try await phone.send([1]) }
    }

    @Test("a message above the limit is refused, one at the limit arrives")
    func limits() async throws {
        let phone = try await phone()
        await #expect(throws: SessionError.messageTooLong(bytes: 700_001, limit: 700_000)) {
            try await phone.send([UInt8](repeating: 0, count: 700_001))
        }
        let listener = desktop()
        await plug(phone, listener)
        try await phone.send([UInt8](repeating: 5, count: 700_000))
        let desktop = try await listener.connection(to: phonePeer)
        #expect(await receive(1, from: desktop).first?.bytes.count == 700_000)
        await phone.close()
        await listener.close()
    }

    @Test("durable messages survive both processes, in a database, and arrive once")
    func durable() async throws {
        let phoneStore = SQLiteSessionStore(try StateDatabase.inMemory(schema: [SQLiteSessionStore.migrations]))
        let desktopStore = SQLiteSessionStore(try StateDatabase.inMemory(schema: [SQLiteSessionStore.migrations]))
        let offline = try await phone(phoneStore)
        for number in UInt8(1)...5 { try await offline.send([number], durable: true) }
        await offline.close()

        let phone = try await phone(phoneStore)
        let listener = desktop(desktopStore)
        await plug(phone, listener)
        try await phone.send([6], durable: true)
        let desktop = try await listener.connection(to: phonePeer)
        // Six are taken; the sixth is not handled, because nobody asks for another.
        #expect(await receive(6, from: desktop).map(\.durable) == [1, 2, 3, 4, 5, 6])
        await listener.close()
        await phone.close()
        #expect(try await desktopStore.inboundCursor(from: phoneIdentity.agreementKey) == 5)

        let again = try await self.phone(phoneStore)
        let restarted = self.desktop(desktopStore)
        await plug(again, restarted)
        try await again.send([7], durable: true)
        let next = try await restarted.connection(to: phonePeer)
        #expect(await receive(2, from: next).map(\.durable) == [6, 7])
        await again.close()
        await restarted.close()
    }

    @Test("a last message is done with when the peer leaves on reading it", .timeLimit(.minutes(5)))
    func lastMessage() async throws {
        let phone = try await phone()
        let listener = desktop()
        await #expect(throws: SessionError.notConnected) { try await phone.sendLast([1]) }
        await plug(phone, listener)
        await wait(phone, for: .connected(path: .lan))
        let desktop = try await listener.connection(to: phonePeer)
        let reader = Task {
            for await message in desktop.messages() {
                await desktop.close()
                return message.bytes
            }
            return []
        }
        try await phone.sendLast([7], within: .seconds(3600))
        #expect(await reader.value == [7])
        await phone.close()
        await listener.close()
    }

    @Test("a last message ends in time where a peer that acknowledges nothing leaves no room for it")
    func lastMessageWithoutRoom() async throws {
        var timing = SessionTiming()
        // A pong that comes late on a busy machine is no lost link.
        timing.initialTimeout = .seconds(60)
        timing.minimumTimeout = .seconds(60)
        let phone = try await phone(timing: timing)
        let listener = desktop()
        await plug(phone, listener)
        await wait(phone, for: .connected(path: .lan))
        // Nothing is read at the other end, so only a few of them are acknowledged.
        let filling = Task { while !Task.isCancelled { try await phone.send([1]) } }
        while await phone.engine.hasRoom(for: 1) { await Task.yield() }
        await #expect(throws: SessionError.linkDown) { try await phone.sendLast([7], within: .milliseconds(1)) }
        // Without the task that had the turn, it waits for room itself.
        filling.cancel()
        _ = await filling.result
        await #expect(throws: SessionError.linkDown) { try await phone.sendLast([7], within: .milliseconds(1)) }
        await phone.close()
        await listener.close()
    }

    @Test("the second connection resumes the first")
    func resumption() async throws {
        let phoneStore = InMemorySessionStore()
        let desktopStore = InMemorySessionStore()
        let patterns = LatestValue<[String]>([])
        for _ in 0..<2 {
            let phone = try await phone(phoneStore)
            let listener = desktop(desktopStore)
            let (first, second, cable) = InMemoryLink.pair(kind: .lan)
            cable.setTap { frame, _ in
                if case .handshake(_, let pattern, 1, _, _) = frame { patterns.set(patterns.value + [pattern]) }
            }
            await listener.add(second)
            await phone.add(first)
            try await phone.send([1])
            let desktop = try await listener.connection(to: phonePeer)
            #expect(await receive(1, from: desktop).count == 1)
            await phone.close()
            await listener.close()
        }
        // On a machine that is busy for seconds a handshake is begun again: the same kind, so repeats say nothing.
        #expect(patterns.value.first == "IK")
        #expect(patterns.value.last == "IKpsk2")
        #expect(patterns.value == patterns.value.sorted())
    }

    @Test("a desktop that restarts is found again without anyone doing anything")
    func restart() async throws {
        let store = InMemorySessionStore()
        let phone = try await phone()
        let first = desktop(store)
        let cable = await plug(phone, first, .relay)
        await wait(phone, for: .connected(path: .relay))
        // As when the process is killed: no good-bye, and the link goes down.
        cable.cut()
        let second = desktop(store)
        await plug(phone, second, .relay)
        try await phone.send([9])
        let desktop = try await second.connection(to: phonePeer)
        #expect(await receive(1, from: desktop).map(\.bytes) == [[9]])
        await phone.close()
        await first.close()
        await second.close()
    }
}
