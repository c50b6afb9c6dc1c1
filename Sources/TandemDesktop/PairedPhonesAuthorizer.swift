import Foundation
import Kernel
import Pairing
import Sealing
import Transport

/// Lets in the phones that the paired phones' store holds, and no other device.
struct PairedPhonesAuthorizer: PeerAuthorizer {
    /// A scanned code waits as long for its phone's answer.
    private static let patience = Duration.seconds(60)

    let phones: SQLitePairingStore<PairedPhone>
    let pairing: PairingHost
    let time: any TimeSource

    func peer(for agreementKey: AgreementPublicKey, did: DID) async -> SessionPeer? {
        let peer = SessionPeer(did: did, agreementKey: agreementKey)
        // Asked first: a scan that ends in between has put its phone into the store by then.
        let isExpected = await pairing.isScanOpen(for: did)
        if holds(peer) { return peer }
        guard isExpected else { return nil }
        // Its answer to the scanned code comes through a server, this handshake perhaps another way and sooner. To say
        // "not paired" now would leave the pairing on one side.
        let deadline = time.now + Self.patience
        return await withTaskGroup(of: SessionPeer?.self) { group in
            group.addTask {
                for await list in phones.list() where list.contains(where: { matches($0, peer) }) { return peer }
                return nil
            }
            group.addTask {
                _ = await time.pause(until: deadline)  // cancelled once there is an answer
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func holds(_ peer: SessionPeer) -> Bool {
        phones.record(peer.did).map { matches($0, peer) } ?? false
    }

    private func matches(_ phone: PairedPhone, _ peer: SessionPeer) -> Bool {
        phone.did == peer.did && phone.agreementKey == peer.agreementKey && !phone.isOver(at: time.date)
    }
}
