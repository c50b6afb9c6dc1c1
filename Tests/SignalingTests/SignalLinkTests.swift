import Kernel
import KernelTesting
import Logging
import Sealing
import SignalingTesting
import Testing
import Transport

@testable import Signaling

private struct PairedWith: PeerAuthorizer {
    let paired: SessionPeer

    func peer(for agreementKey: AgreementPublicKey, did: DID) async -> SessionPeer? {
        paired.agreementKey == agreementKey && paired.did == did ? paired : nil
    }
}

@Suite("Sessions over signaling", .timeLimit(.minutes(5)))
struct SignalLinkTests {
    private let phoneIdentity = Identity()
    private let desktopIdentity = Identity()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private var phonePeer: SessionPeer {
        SessionPeer(did: phoneIdentity.did, agreementKey: phoneIdentity.agreementKey)
    }

    private func phone(_ sources: [any LinkSource]) async throws -> PeerConnection {
        try await PeerConnection(
            identity: phoneIdentity,
            peer: SessionPeer(did: desktopIdentity.did, agreementKey: desktopIdentity.agreementKey),
            store: InMemorySessionStore(),
            sources: sources,
            logger: logger
        )
    }

    private func desktop() -> SessionListener {
        SessionListener(
            identity: desktopIdentity,
            store: InMemorySessionStore(),
            authorizer: PairedWith(paired: phonePeer),
            logger: logger
        )
    }

    private func receive(_ count: Int, from connection: PeerConnection) async -> [[UInt8]] {
        var messages: [[UInt8]] = []
        for await message in connection.messages() {
            messages.append(message.bytes)
            if messages.count == count { break }
        }
        return messages
    }

    private func wait(_ connection: PeerConnection, for state: PeerConnectionState) async {
        for await next in connection.states() where next == state { return }
    }

    @Test(
        "a session runs through every relay that forwards messages",
        arguments: [InMemoryRelay.Dialect.tandem, .documented, .messagesOnly]
    )
    func dialects(dialect: InMemoryRelay.Dialect) async throws {
        let relay = InMemoryRelay(dialect)
        let phoneClient = relay.client()
        let desktopClient = relay.client()
        let listener = desktop()
        await listener.add(SignalLinkAcceptor(client: desktopClient).links())
        try await desktopClient.start(as: "pc-77")
        try await phoneClient.start(as: phoneIdentity.did.text)
        let phone = try await phone([SignalLinkSource(client: phoneClient, peer: "pc-77")])
        let desktop = try await listener.connection(to: phonePeer)
        for number in UInt8(0)..<20 {
            try await phone.send([number])
            try await desktop.send([number])
        }
        #expect(await receive(20, from: desktop) == (0..<20).map { [$0] })
        #expect(await receive(20, from: phone) == (0..<20).map { [$0] })
        #expect(phone.state == .connected(path: .relay))
        await phone.close()
        await listener.close()
    }

    @Test("a state that is told late, after a device was heard, does not end the device's link")
    func lateState() async throws {
        let relay = InMemoryRelay(.tandem)
        let phoneClient = relay.client()
        let desktopClient = LateSignalClient(relay.client())
        var links = SignalLinkAcceptor(client: desktopClient).links().makeAsyncIterator()
        try await desktopClient.inner.start(as: "pc-77")
        try await phoneClient.start(as: phoneIdentity.did.text)
        let frame = LinkFrame.notice(.unnamed, .unknownSession)
        func hear() async throws {
            try await phoneClient.send(SignalMessage(to: "pc-77", payload: SealedPayload.encode(frame)))
        }
        try await hear()
        let link = try #require(await links.next() as? SignalLink)
        desktopClient.tell(.connecting)
        await desktopClient.asked()
        // Another such state, so that the first one was dealt with to its end.
        desktopClient.tell(.connecting)
        await desktopClient.asked()
        #expect(!link.isEnded)
        // One that holds ends it.
        await desktopClient.inner.disconnect()
        desktopClient.tell(.disconnected)
        while !Task.isCancelled, !link.isEnded { await Task.yield() }
    }

    @Test("records name their session until the other side has shown that it knows whose they are")
    func compactRecords() async throws {
        let relay = InMemoryRelay(.tandem)
        let phoneClient = relay.client()
        let desktopClient = relay.client()
        try await desktopClient.start(as: "pc-77")
        let source = SignalLinkSource(client: phoneClient, peer: "pc-77")
        var links = source.links().makeAsyncIterator()
        try await phoneClient.start(as: phoneIdentity.did.text)
        let link = try #require(await links.next())
        var frames = link.frames().makeAsyncIterator()
        let record = LinkFrame.record(.random(), generation: 0, sequence: 1, ciphertext: [1, 2, 3])
        // How many records went as JSON, which names the session.
        func named() -> Int { phoneClient.sent.count }
        func hear(_ frame: LinkFrame) async throws {
            let payload = SealedPayload.encode(frame)
            try await desktopClient.send(SignalMessage(to: phoneIdentity.did.text, payload: payload))
            _ = await frames.next()
        }
        try await link.send(record)
        #expect(named() == 1)
        try await hear(.notice(.unnamed, .unknownSession))
        try await link.send(record)
        #expect(named() == 2)
        try await hear(record)
        try await link.send(record)
        #expect(named() == 2)
        // It lost the session.
        try await hear(.notice(.unnamed, .unknownSession))
        try await link.send(record)
        #expect(named() == 3)
    }

    @Test("what a relay sees of a session holds nothing of what was said")
    func sealed() async throws {
        let relay = InMemoryRelay(.documented)
        let phoneClient = relay.client()
        let desktopClient = relay.client()
        let listener = desktop()
        await listener.add(SignalLinkAcceptor(client: desktopClient).links())
        try await desktopClient.start(as: "pc-77")
        try await phoneClient.start(as: phoneIdentity.did.text)
        let phone = try await phone([SignalLinkSource(client: phoneClient, peer: "pc-77")])
        try await phone.send(Array("a very secret text".utf8))
        _ = await receive(1, from: try await listener.connection(to: phonePeer))
        let seen = phoneClient.sent.map(\.payload.canonicalText).joined()
        #expect(seen.contains(#""type":"e2e""#))
        #expect(!seen.contains("secret") && !seen.contains(Base64URL.encode(Array("very secret".utf8))))
        await phone.close()
        await listener.close()
    }

    @Test("a device that takes no binary frames is written to in JSON, and nothing is lost")
    func binaryRefused() async throws {
        let relay = InMemoryRelay(.tandem)
        relay.refuseBinary(to: "pc-77")
        let phoneClient = relay.client()
        let desktopClient = relay.client()
        let listener = desktop()
        await listener.add(SignalLinkAcceptor(client: desktopClient).links())
        try await desktopClient.start(as: "pc-77")
        try await phoneClient.start(as: phoneIdentity.did.text)
        let phone = try await phone([SignalLinkSource(client: phoneClient, peer: "pc-77")])
        await wait(phone, for: .connected(path: .relay))
        for number in UInt8(0)..<5 { try await phone.send([number]) }
        #expect(await receive(5, from: try await listener.connection(to: phonePeer)) == (0..<5).map { [$0] })
        await phone.close()
        await listener.close()
    }

    @Test("a relay that loses its connections and comes back brings what was sent meanwhile")
    func relayRestart() async throws {
        let relay = InMemoryRelay()
        let phoneClient = relay.client()
        let desktopClient = relay.client()
        let listener = desktop()
        await listener.add(SignalLinkAcceptor(client: desktopClient).links())
        try await desktopClient.start(as: "pc-77")
        try await phoneClient.start(as: phoneIdentity.did.text)
        let phone = try await phone([SignalLinkSource(client: phoneClient, peer: "pc-77")])
        await wait(phone, for: .connected(path: .relay))
        relay.stop()
        await wait(phone, for: .notConnected)
        for number in UInt8(0)..<5 { try await phone.send([number]) }
        relay.restart()
        try await desktopClient.reconnect()
        try await phoneClient.reconnect()
        #expect(await receive(5, from: try await listener.connection(to: phonePeer)) == (0..<5).map { [$0] })
        await phone.close()
        await listener.close()
    }

    @Test("a device that is away takes the link down, and its return brings it back")
    func presence() async throws {
        let relay = InMemoryRelay()
        let phoneClient = relay.client()
        let desktopClient = relay.client()
        try await phoneClient.start(as: phoneIdentity.did.text)
        let phone = try await phone([SignalLinkSource(client: phoneClient, peer: "pc-77", time: ManualClock())])
        await wait(phone, for: .notConnected)
        let listener = desktop()
        await listener.add(SignalLinkAcceptor(client: desktopClient).links())
        try await desktopClient.start(as: "pc-77")
        await wait(phone, for: .connected(path: .relay))
        relay.cut("pc-77")
        await wait(phone, for: .notConnected)
        try await desktopClient.reconnect()
        await wait(phone, for: .connected(path: .relay))
        // Only the handshake that found nobody was queued.
        #expect(phoneClient.sent.count < 20)
        await phone.close()
        await listener.close()
    }

    @Test("LAN lost, relay used; LAN back, LAN used; in order and once all the time")
    func twoServers() async throws {
        let relay = InMemoryRelay()
        let lan = InMemoryRelay()
        let phoneRelay = relay.client()
        let phoneLAN = lan.client()
        let desktopRelay = relay.client()
        let desktopLAN = lan.client()
        let listener = desktop()
        await listener.add(SignalLinkAcceptor(client: desktopRelay, kind: .relay).links())
        await listener.add(SignalLinkAcceptor(client: desktopLAN, kind: .lan).links())
        for client in [desktopRelay, desktopLAN] { try await client.start(as: "pc-77") }
        for client in [phoneRelay, phoneLAN] { try await client.start(as: phoneIdentity.did.text) }
        let phone = try await phone([
            SignalLinkSource(client: phoneRelay, peer: "pc-77", kind: .relay),
            SignalLinkSource(client: phoneLAN, peer: "pc-77", kind: .lan),
        ])
        let desktop = try await listener.connection(to: phonePeer)
        await wait(phone, for: .connected(path: .lan))
        async let received = receive(90, from: desktop)
        for number in UInt8(0)..<90 {
            try await phone.send([number])
            if number == 30 {
                lan.stop()
                await wait(phone, for: .connected(path: .relay))
            } else if number == 60 {
                lan.restart()
                try await desktopLAN.reconnect()
                try await phoneLAN.reconnect()
                await wait(phone, for: .connected(path: .lan))
            }
        }
        #expect(await received == (0..<90).map { [$0] })
        await phone.close()
        await listener.close()
    }

    @Test(
        "payloads have the documented fields and are read back",
        arguments: [
            LinkFrame.handshake(
                .unnamed,
                pattern: "IKpsk2",
                index: 1,
                resumption: [UInt8](repeating: 2, count: 16),
                bytes: [1]
            ),
            .handshake(.unnamed, pattern: "IK", index: 2, resumption: nil, bytes: [1, 2]),
            .record(.unnamed, generation: 3, sequence: 4, ciphertext: [5]),
            .notice(.unnamed, .unknownSession), .notice(.unnamed, .noResumption),
        ]
    )
    func payloads(frame: LinkFrame) {
        #expect(SealedPayload.decode(SealedPayload.encode(frame)) == frame)
    }

    @Test("the documented payload, to the byte")
    func payloadBytes() {
        let frame = LinkFrame.record(.unnamed, generation: 3, sequence: 4, ciphertext: [255])
        #expect(
            SealedPayload.encode(frame).canonicalText
                == #"{"ct":"_w","g":3,"n":4,"sid":"AAAAAAAAAAAAAAAAAAAAAA","type":"e2e"}"#
        )
    }

    @Test(
        "payloads that are not what they say are dropped",
        arguments: [
            #"{"type":"e2e"}"#, #"{"type":"e2e","sid":"AA","ct":"_w","g":3,"n":4}"#,
            #"{"type":"e2e","sid":"AAAAAAAAAAAAAAAAAAAAAA","ct":"_w","g":-1,"n":4}"#,
            #"{"type":"e2e","sid":"AAAAAAAAAAAAAAAAAAAAAA","ct":"_w","g":3}"#,
            #"{"type":"e2e","sid":"AAAAAAAAAAAAAAAAAAAAAA","p":"IK","m":3,"hs":"_w"}"#,
            #"{"type":"e2e","sid":"AAAAAAAAAAAAAAAAAAAAAA","p":"IK","m":1,"hs":"_w","rid":"_w"}"#,
            #"{"type":"e2e","sid":"AAAAAAAAAAAAAAAAAAAAAA","err":"later"}"#, #""e2e""#,
        ]
    )
    func malformed(text: String) throws {
        #expect(SealedPayload.decode(try JSONValue(parsing: Array(text.utf8))) == nil)
    }
}
