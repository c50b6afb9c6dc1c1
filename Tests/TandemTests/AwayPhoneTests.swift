import CommandClient
import Commands
import Files
import Foundation
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import SignalingServer
import SignalingTesting
import TandemPhone
import Terminal
import Testing
import Transfers
import Transport

@testable import TandemDesktop

/// The one phone that was paired when it shook hands.
private struct WasPaired: PeerAuthorizer {
    let peer: SessionPeer

    func peer(for agreementKey: AgreementPublicKey, did: DID) async -> SessionPeer? { peer }
}

@Suite("What goes out to a phone that is away", .timeLimit(.minutes(4)))
struct AwayPhoneTests {
    private let identity = Identity()

    private var record: PairedPhone {
        PairedPhone(
            did: identity.did,
            deviceID: "p",
            name: "Ada's phone",
            platform: .iOS,
            agreementKey: identity.agreementKey,
            pairedAt: Date(timeIntervalSince1970: 0),
            lastSeenAt: Date(timeIntervalSince1970: 0),
            allowedSkills: [PeerFeatureMaker].standard.rights.all,
            state: .confirmed
        )
    }

    private func wait(_ connection: PeerConnection, for state: PeerConnectionState) async {
        for await next in connection.states() where next == state { return }
    }

    @Test("a part of a file waits for the phone's return, an event does not, and nothing waits for one that never came")
    func away() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "ta-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let folder = try StateFolder(root)
        let configuration = DesktopConfiguration(
            device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
            version: "1",
            server: SignalingServerConfiguration()
        )
        // It does not run: sessions come from links in memory, and nothing else is sent.
        let desktop = try Desktop(folder: folder, configuration: configuration, logger: logger)
        let record = record
        try await desktop.phones.records.store.save(record)
        let outlet = RecordedOutlet(
            phones: desktop.phones.records.store,
            sessions: desktop.sessions,
            clearDoor: desktop.clearDoor
        )
        let part = TransferFrame(transfer: TransferID(), offset: 0, content: .data([1, 2, 3]))
        await #expect(throws: RemoteError.notConnected) {
            try await outlet.send(frame: part.bytes, needing: part.rightToReceive, to: record.did.text)
        }

        let keys = desktop.device.identity
        let connection = try await desktop.listener.connection(
            to: SessionPeer(did: identity.did, agreementKey: identity.agreementKey)
        )
        await desktop.sessions.add(connection)
        let phone = try await PeerConnection(
            identity: identity,
            peer: SessionPeer(did: keys.did, agreementKey: keys.agreementKey),
            store: InMemorySessionStore(),
            logger: logger
        )
        let (phoneEnd, desktopEnd, cable) = InMemoryLink.pair(kind: .lan)
        await desktop.listener.add(desktopEnd)
        await phone.add(phoneEnd)
        await wait(connection, for: .connected(path: .lan))
        cable.cut()
        await wait(connection, for: .notConnected)
        await #expect(throws: RemoteError.notConnected) {
            try await outlet.send(.terminalOutput, ["data": "missed"], to: record.did.text)
        }
        try await outlet.send(frame: part.bytes, needing: part.rightToReceive, to: record.did.text)

        let (nextPhoneEnd, nextDesktopEnd, _) = InMemoryLink.pair(kind: .lan)
        await desktop.listener.add(nextDesktopEnd)
        await phone.add(nextPhoneEnd)
        await wait(connection, for: .connected(path: .lan))
        // Events keep their order, so one that had waited would come before this one.
        let event = RemoteEvent(.terminalOutput, ["data": "later"])
        try await outlet.send(.terminalOutput, ["data": "later"], to: record.did.text)
        let expected: Set<[UInt8]> = [part.bytes, event.envelope.canonicalBytes]
        var received: Set<[UInt8]> = []
        for await message in phone.messages() {
            received.insert(message.bytes)
            if received.isSuperset(of: expected) { break }
        }
        #expect(received == expected)
        await phone.close()
        await desktop.listener.close()
    }

    @Test("a phone that was forgotten while it shook hands is told so, and has no session")
    func forgottenMeanwhile() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "ta-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = DesktopConfiguration(
            device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
            version: "1",
            server: SignalingServerConfiguration()
        )
        // It does not run, so its addresses are not asked of its server.
        configuration.server.address = "127.0.0.1"
        configuration.advertisedURL = URL(string: "ws://127.0.0.1:9")
        let desktop = try Desktop(folder: StateFolder(root), configuration: configuration, logger: logger)
        let keys = desktop.device.identity
        let peer = SessionPeer(did: identity.did, agreementKey: identity.agreementKey)
        let listener = SessionListener(
            identity: keys,
            store: InMemorySessionStore(),
            authorizer: WasPaired(peer: peer),
            logger: logger
        )
        let connection = try await listener.connection(to: peer)
        await desktop.sessions.add(connection)
        let following = Task { await desktop.followState(of: connection) }
        let phone = try await PeerConnection(
            identity: identity,
            peer: SessionPeer(did: keys.did, agreementKey: keys.agreementKey),
            store: InMemorySessionStore(),
            logger: logger
        )
        let (phoneEnd, desktopEnd, _) = InMemoryLink.pair(kind: .lan)
        await listener.add(desktopEnd)
        await phone.add(phoneEnd)
        var isTold = false
        for await message in phone.messages() where message.bytes == PairingForget.message {
            isTold = true
            break
        }
        #expect(isTold)
        #expect(await desktop.sessions.connection(with: peer.did) == nil)
        await phone.close()
        await listener.close()
        await following.value
        await desktop.sessions.close()
    }
}
