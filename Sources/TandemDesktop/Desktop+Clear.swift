import CommandServer
import Commands
import Logging
import Pairing
import Rights
import Sealing
import Signaling
import SignalingServer
import Transport

/// Phones that speak only the documented wire.
extension Desktop {
    static func clearDoor(
        local: WebSocketSignalClient,
        hub: WebSocketSignalClient?,
        phones: SQLitePairingStore<PairedPhone>,
        pairing: PairingHost,
        server: SignalingServer,
        router: CommandRouter,
        logger: Logger
    ) -> ClearDoor {
        ClearDoor(
            servers: [.init(client: local, kind: .lan)] + (hub.map { [.init(client: $0, kind: .relay)] } ?? []),
            hands: .init(
                isKnown: { phones.record($0).map { !$0.isEndToEnd } ?? false },
                answer: { request, sender, kind in
                    let caller = caller(sendingAs: sender, by: kind, phones: phones, server: server)
                    let response = await router.answer(request, from: caller)
                    guard caller.proof == .clear, let phone = try? DID(sender) else { return response }
                    do {
                        try await pairing.noteActivity(of: phone, through: kind == .lan ? 0 : 1)
                    } catch {
                        logger.notice("activity not noted", metadata: ["reason": "\(error)"])
                    }
                    return response
                },
                cancel: { cancel, phone, kind in
                    let caller = caller(sendingAs: phone.text, by: kind, phones: phones, server: server)
                    await router.cancel(cancel, from: caller)
                }
            ),
            logger: logger
        )
    }

    /// Who sent a command outside a session, as far as the server says so.
    private static func caller(
        sendingAs sender: String,
        by kind: LinkKind,
        phones: SQLitePairingStore<PairedPhone>,
        server: SignalingServer
    ) -> Caller {
        // An id that is no DID belongs to nobody who could be paired.
        guard let phone = (try? DID(sender)).flatMap({ phones.record($0) }) else { return .stranger(sender) }
        // The gate says no to whoever should have come through a session.
        var caller = caller(phone, proof: phone.isEndToEnd ? .unsealed : .clear)
        // A hub's word is not enough, nor this computer's own server's for somebody who is not near it.
        if kind == .lan, !phone.unsignedRights.isEmpty, server.isLocal(sender) {
            caller.unsignedSkills = Set(phone.unsignedRights.map(\.rawValue))
        }
        return caller
    }
}
