import CommandServer
import Commands
import Kernel
import Logging
import Pairing
import Sealing
import Transport

/// The door for sealed sessions: hands each message of a paired phone to what takes its kind, and answers its commands.
struct SessionDoor: Sendable {
    /// Commands of one phone that run at a time.
    private static let commandLimit = 64

    let records: PhoneRecords
    let router: CommandRouter
    let streams: ActiveStreams
    let sessions: PeerSessions
    let pairing: PairingHost
    /// The door for binary messages. A frame of a feature that is not here is dropped like any unknown message.
    let frames: FrameDoor
    /// The phone says that it has removed this computer.
    let forgotten: @Sendable (DID) async -> Void
    /// The phone says what it is called.
    let named: @Sendable (DID, OwnName) async -> Void
    let logger: Logger

    /// Serves a connection until it is closed.
    func serve(_ connection: PeerConnection) async {
        let phone = connection.peer.did
        // Commands run side by side, so that a slow one holds up no other; over the bound the next message is not taken, and the phone
        // waits.
        await withTaskGroup(of: Int.self) { group in
            var running = RunningRequests(countLimit: Self.commandLimit)
            for await message in connection.messages() {
                if frames.takes(message.bytes) {
                    if let record = records.record(phone) {
                        frames.take(message.bytes, from: records.caller(record, proof: .session))
                    }
                    continue
                }
                guard let envelope = try? JSONValue(parsing: message.bytes) else {
                    logger.notice("message dropped: not JSON", metadata: ["phone": "\(phone)"])
                    continue
                }
                switch envelope["type"]?.stringValue {
                case CommandRequest.type:
                    let size = envelope.roughByteCount
                    while !running.hasRoom(for: size), let ended = await group.next() { running.end(ended) }
                    running.begin(size)
                    group.addTask {
                        await answer(envelope, on: connection)
                        return size
                    }
                case CommandCancel.type: await cancel(envelope, from: phone)
                case PairingForget.type: await forgotten(phone)
                case OwnName.type: if let name = OwnName(message: envelope) { await named(phone, name) }
                default: logger.debug("message of an unknown type", metadata: ["phone": "\(phone)"])
                }
            }
        }
        await sessions.remove(connection)
    }

    private func cancel(_ envelope: JSONValue, from phone: DID) async {
        do {
            guard let phone = records.record(phone) else { return }
            let cancel = try CommandCancel(envelope: envelope)
            await router.cancel(cancel, from: records.caller(phone, proof: .session))
            streams.cancel(cancel.id, of: phone.did.text)
        } catch {
            logger.notice("command not cancelled", metadata: ["reason": "\(error)"])
        }
    }

    private func answer(_ envelope: JSONValue, on connection: PeerConnection) async {
        do {
            guard let phone = records.record(connection.peer.did) else { return }
            let request = try CommandRequest(envelope: envelope)
            streams.began(request.id, of: phone.did.text)
            defer { streams.ended(request.id, of: phone.did.text) }
            let response = await router.answer(request, from: records.caller(phone, proof: .session))
            try await RemoteAnswerWriter(to: request, of: phone.did.text, among: streams)
                .write(response) { try await connection.send($0) }
            // The gates are the own server's and the hub's, in this order.
            let gate = await sessions.path(to: phone.did).map { $0 == .lan ? 0 : 1 }
            try await pairing.noteActivity(of: phone.did, through: gate)
        } catch is CancellationError {
            // The phone wants no more of it, or this computer ends.
        } catch {
            logger.notice("command not answered", metadata: ["reason": "\(error)"])
        }
    }
}
