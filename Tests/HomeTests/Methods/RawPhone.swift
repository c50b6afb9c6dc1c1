import Commands
import Foundation
import HomeTesting
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import Signaling
import SignalingTesting
import TandemDesktop
import Transfers
import Transport

/// A phone that says to a computer exactly the bytes that a test gives it: through a sealed session, or in the clear.
actor RawPhone {
    nonisolated let id: String
    /// What the computer knows of it; nil for one that is not paired.
    nonisolated let record: PairedPhone?
    private let proof: Caller.Proof
    private let identity = Identity()
    private let desktop: Desktop
    private let client: any MaintainedSignalClient
    private let inbox: AsyncStream<SignalEvent>
    private var session: PeerConnection?

    /// - Parameter proof: What the computer can know of its messages. In the clear it speaks under the recorded phone's name.
    init(_ proof: Caller.Proof, at desktop: Desktop, in home: Home) {
        let own = identity
        let did = proof == .session ? own.did : (try? DID(MethodHome.phone)) ?? own.did
        let client = home.network.access.makeClient(own, nil)
        id = proof == .stranger ? Identity().did.text : did.text
        record =
            proof == .stranger
            ? nil
            : PairedPhone(
                did: did,
                deviceID: UUID().uuidString,
                name: "Ada's phone",
                platform: .android,
                agreementKey: proof == .clear ? nil : own.agreementKey,
                pairedAt: MethodHome.date,
                lastSeenAt: MethodHome.date,
                state: .confirmed
            )
        self.proof = proof
        self.desktop = desktop
        self.client = client
        inbox = client.messages()
    }

    func start() async throws {
        guard let url = URL(string: "ws://127.0.0.1:\(try await desktop.boundPort())") else { return }
        try await client.maintain(url, as: id, device: SignalDevice(category: .mobile))
        guard proof == .session else { return }
        let computer = desktop.device.identity
        session = try await PeerConnection(
            identity: identity,
            peer: SessionPeer(did: computer.did, agreementKey: computer.agreementKey),
            store: InMemorySessionStore(),
            sources: [SignalLinkSource(client: client, peer: desktop.device.deviceID, kind: .lan)],
            logger: Logger(label: "phone")
        )
    }

    func end() async {
        await session?.close()
        await client.disconnect()
    }

    /// The computer's answer to a command's bytes. Commands are asked one after the other.
    func answer(to bytes: some Sequence<UInt8> & Sendable) async throws -> JSONValue {
        if let session {
            try await session.send(Array(bytes))
        } else {
            let message = try JSONValue(parsing: bytes)
            try await client.send(SignalMessage(to: desktop.device.deviceID, payload: message))
        }
        while true {
            guard let message = await next() else { throw RemoteError.notConnected }
            guard let envelope = try? JSONValue(parsing: message) else { continue }
            if envelope["type"]?.stringValue == CommandResponse.type { return envelope }
        }
    }

    /// What a command is refused with; nil when it is done.
    func refusal(of bytes: some Sequence<UInt8> & Sendable) async throws -> RemoteFailure? {
        let outcome = try CommandResponse(envelope: try await answer(to: bytes)).outcome
        return if case .failure(let failure) = outcome { failure } else { nil }
    }

    func send(frame: [UInt8]) async throws {
        guard let session else {
            let frame = SignalBinaryFrame(flags: 0, sequence: 0, ciphertext: frame[...])
            return try await client.sendBinary(frame, to: desktop.device.deviceID)
        }
        try await session.send(frame, isBulk: true)
    }

    /// The next frame that the computer sends.
    func frame() async throws -> TransferFrame {
        while true {
            guard let message = await next() else { throw RemoteError.notConnected }
            if let frame = TransferFrame(message) { return frame }
        }
    }

    private func next() async -> [UInt8]? {
        if let session {
            for await message in session.messages() { return message.bytes }
        } else {
            for await event in inbox {
                if case .message(let message) = event { return message.payload.canonicalBytes }
            }
        }
        return nil
    }
}
