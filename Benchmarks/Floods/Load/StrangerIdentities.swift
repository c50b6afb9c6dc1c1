import Sealing

/// The keys of strangers that register with a proof, each made when it is first needed.
final class StrangerIdentities {
    private var known: [Int: Identity] = [:]

    subscript(stranger: Stranger) -> Identity {
        if let identity = known[stranger.number] { return identity }
        let made = Identity()
        known[stranger.number] = made
        return made
    }

    func prover(for stranger: Stranger, of crowd: Crowd) -> Prover {
        Prover(identity: self[stranger], host: crowd.host)
    }

    func forget(_ stranger: Stranger) { known[stranger.number] = nil }
}
