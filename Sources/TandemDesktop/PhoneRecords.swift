import Commands
import Pairing
import Rights
import Sealing
import Transport

/// The records of paired phones, as this computer's doors ask for them.
struct PhoneRecords: Sendable {
    let store: SQLitePairingStore<PairedPhone>
    /// The rights that this computer's features declare.
    let rights: RightsCatalogue
    let deadlines: RightDeadlines

    func all() -> [PairedPhone] { store.all() }

    func record(_ phone: DID) -> PairedPhone? { store.record(phone) }

    /// The asker that a phone is, with the rights that mean something here.
    func caller(_ phone: PairedPhone, proof: Caller.Proof) -> Caller {
        Caller(
            id: phone.did.text,
            name: phone.name,
            proof: proof,
            rights: allowed(phone)
        )
    }

    /// What a phone may do now: rights that mean something here and whose time is not up.
    func allowed(_ phone: PairedPhone) -> Set<Right> {
        let over = deadlines.over(of: phone)
        let rights = phone.allowedSkills.intersection(rights.all)
        return over.isEmpty ? rights : rights.subtracting(self.rights.takenBack(over))
    }

    /// The rights that a phone has and will be refused all the same, unless it signs its commands: nothing proves who sent the others.
    func refusedUnsigned(_ phone: PairedPhone) -> Set<Right> {
        guard !phone.isEndToEnd else { return [] }
        return phone.allowedSkills.filter { rights[$0]?.risk == .privileged }.subtracting(phone.unsignedRights)
    }
}

extension PairedPhone {
    /// The peer of a sealed session; nil for a phone that cannot seal.
    var sessionPeer: SessionPeer? { agreementKey.map { SessionPeer(did: did, agreementKey: $0) } }
}
