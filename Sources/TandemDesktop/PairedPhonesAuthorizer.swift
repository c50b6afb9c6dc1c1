import Foundation
import Pairing
import Sealing
import Transport

/// Lets in whoever the paired phones' store holds, and nobody else.
struct PairedPhonesAuthorizer: PeerAuthorizer {
    let phones: SQLitePairingStore<PairedPhone>

    func peer(for agreementKey: AgreementPublicKey, did: DID) async -> SessionPeer? {
        // A store that cannot be read lets nobody in; its own errors are logged where it is used to change something.
        guard let phone = try? await phones.record(did), phone.agreementKey == agreementKey, !phone.isOver(at: Date())
        else {
            return nil
        }
        return SessionPeer(did: did, agreementKey: agreementKey)
    }
}
