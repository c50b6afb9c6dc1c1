import Clipboard
import CommandClient
import Commands
import Files
import Foundation
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import SignalingTesting
import Storage
import TandemPhone
import Terminal
import Testing
import Transfers
import Transport

@testable import TandemDesktop

@Suite("What a phone's rights let through", .timeLimit(.minutes(4)))
struct OutgoingRightsTests {
    private struct OnlyPhone: PeerAuthorizer {
        let peer: SessionPeer

        func peer(for agreementKey: AgreementPublicKey, did: DID) -> SessionPeer? {
            peer.agreementKey == agreementKey && peer.did == did ? peer : nil
        }
    }

    /// A record that a test changes, and a session with its phone over a link in memory.
    private struct Scene {
        /// Comes after everything that went out before it: what did not come before it was not sent.
        static let mark: [UInt8] = Array("mark".utf8)

        let did: DID
        let outlet: RecordedOutlet
        let phones: SQLitePairingStore<PairedPhone>
        private let sessions: PeerSessions
        private let listener: SessionListener
        private let phone: PeerConnection

        init(_ rights: Set<Right>) async throws {
            let (own, other) = (Identity(), Identity())
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            did = other.did
            phones = try SQLitePairingStore<PairedPhone>(
                StateDatabase.inMemory(schema: [SQLitePairingStore<PairedPhone>.migrations]),
                logger: logger
            )
            try await phones.save(
                PairedPhone(
                    did: other.did,
                    deviceID: "p",
                    name: "Ada's phone",
                    platform: .iOS,
                    agreementKey: other.agreementKey,
                    pairedAt: Date(timeIntervalSince1970: 0),
                    lastSeenAt: Date(timeIntervalSince1970: 0),
                    allowedSkills: rights,
                    state: .confirmed
                )
            )
            let peer = SessionPeer(did: other.did, agreementKey: other.agreementKey)
            listener = SessionListener(
                identity: own,
                store: InMemorySessionStore(),
                authorizer: OnlyPhone(peer: peer),
                logger: logger
            )
            phone = try await PeerConnection(
                identity: other,
                peer: SessionPeer(did: own.did, agreementKey: own.agreementKey),
                store: InMemorySessionStore(),
                logger: logger
            )
            let connection = try await listener.connection(to: peer)
            let link = InMemoryLink.pair(kind: .lan)
            await listener.add(link.first)
            await phone.add(link.second)
            for await state in connection.states() where state == .connected(path: .lan) { break }
            sessions = PeerSessions(store: InMemorySessionStore(), logger: logger)
            await sessions.add(connection)
            outlet = RecordedOutlet(
                phones: phones,
                sessions: sessions,
                clearDoor: ClearDoor(isKnown: { _ in false }, logger: logger)
            )
        }

        func change(_ rights: Set<Right>) async throws {
            _ = try await phones.update(did) { $0.allowedSkills = rights }
        }

        /// Everything that went out to the phone, and the end of the session.
        func received() async throws -> [[UInt8]] {
            try await sessions.send(Self.mark, to: did, as: .bulk)
            var received: [[UInt8]] = []
            for await message in phone.messages() {
                if message.bytes == Self.mark { break }
                received.append(message.bytes)
            }
            await sessions.close()
            await phone.close()
            await listener.close()
            return received
        }
    }

    private static let everything = [PeerFeatureMaker].standard.rights.all
    private static let kinds: [EventKind] = [.clipboardChanged, .terminalOutput, .terminalExit]

    @Test("each kind of event goes out with its right, and not after it was taken back", arguments: kinds)
    func events(kind: EventKind) async throws {
        let scene = try await Scene(Self.everything)
        try await scene.outlet.send(kind, ["n": 1], to: scene.did.text)
        try await scene.change(Self.everything.subtracting([kind.right]))
        await #expect(throws: RemoteError.notConnected) {
            try await scene.outlet.send(kind, ["n": 2], to: scene.did.text)
        }
        await #expect(throws: RemoteError.notConnected) {
            try await scene.outlet.keep(kind, ["n": 2], replacing: nil, for: scene.did.text)
        }
        try await scene.change([kind.right])
        try await scene.outlet.send(kind, ["n": 3], to: scene.did.text)
        let expected = [RemoteEvent(kind, ["n": 1]), RemoteEvent(kind, ["n": 3])].map(\.envelope.canonicalBytes)
        #expect(try await scene.received() == expected)
    }

    @Test("nothing goes out to a phone whose record is gone, nor an event whose right nobody gave")
    func gone() async throws {
        let scene = try await Scene(Self.everything)
        await #expect(throws: RemoteError.notConnected) {
            try await scene.outlet.send(
                EventKind("somebody.said", needs: "somebody.hears"),
                [:],
                to: scene.did.text
            )
        }
        try await scene.phones.remove(scene.did)
        for kind in Self.kinds {
            await #expect(throws: RemoteError.notConnected) {
                try await scene.outlet.send(kind, [:], to: scene.did.text)
            }
        }
        #expect(try await scene.received() == [])
    }

    @Test("a file's bytes need the right to read, word of what arrived the right to write, a refusal none")
    func frames() async throws {
        let contents: [(TransferFrame.Content, Right?)] = [
            (.data([1, 2, 3]), .fileRead), (.taken(count: 3), .fileWrite), (.refused(code: -32010, reason: "no"), nil),
        ]
        for (content, right) in contents {
            let frame = TransferFrame(transfer: TransferID(), offset: 0, content: content)
            #expect(frame.rightToReceive == right)
            let without = try await Scene(right.map { Self.everything.subtracting([$0]) } ?? [])
            if right == nil {
                try await send(frame, in: without)
                #expect(try await without.received() == [frame.bytes])
            } else {
                await #expect(throws: RemoteError.notConnected) { try await send(frame, in: without) }
                #expect(try await without.received() == [])
            }
            let with = try await Scene(right.map { [$0] } ?? [])
            try await send(frame, in: with)
            #expect(try await with.received() == [frame.bytes])
        }
    }

    private func send(_ frame: TransferFrame, in scene: Scene) async throws {
        try await scene.outlet.send(frame: frame.bytes, needing: frame.rightToReceive, to: scene.did.text)
    }
}
