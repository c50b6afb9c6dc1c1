import CommandClient
import CommandServer
import Commands
import Logging
import Pairing
import Sealing
import Signaling
import SignalingServer
import Transport

extension ClearDoor.Hands {
    /// Answers commands of phones that speak only the documented wire through the same gate as those of sessions.
    init(
        records: PhoneRecords,
        router: CommandRouter,
        methods: [MethodDeclaration],
        pairing: PairingHost,
        server: any OwnServer,
        logger: Logger
    ) {
        self.init(
            answer: { request, sender, kind in
                let caller = Self.caller(sendingAs: sender, by: kind, records: records, server: server)
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
                let caller = Self.caller(sendingAs: phone.text, by: kind, records: records, server: server)
                await router.cancel(cancel, from: caller)
            },
            methods: MethodCatalogue(methods),
            policy: RemoteCallPolicy(methods)
        )
    }

    /// The sender of a command outside a session, as far as the server tells it.
    private static func caller(
        sendingAs sender: String,
        by kind: LinkKind,
        records: PhoneRecords,
        server: any OwnServer
    ) -> Caller {
        // An id that is no DID belongs to no device that could be paired.
        guard let phone = (try? DID(sender)).flatMap({ records.record($0) }) else { return .stranger(sender) }
        // The gate says no to a phone that should have come through a session.
        var caller = records.caller(phone, proof: phone.isEndToEnd ? .unsealed : .clear)
        // A hub's word is not enough, nor this computer's own server's for a device that is not near it.
        if kind == .lan, !phone.unsignedRights.isEmpty, server.isLocal(sender) {
            caller.unsignedRights = phone.unsignedRights
        }
        return caller
    }
}
