import Sealing

/// Messages of which the last byte never comes: 900 of 1 MiB by senders that registered with a proof, and 450 of 64 KiB by those
/// that did not register. Those that the server ends are begun anew.
final class UnfinishedFlood: Flood {
    private static let crowd = 1_350
    private static let provenBytes = 1 << 20
    private static let unregisteredBytes = 64 * 1024
    let unit = "messages"
    private(set) var done = 0
    private var identities: [Int: Identity] = [:]

    /// docs/protocol.md: all messages in arrival together. Buffers that grow are there twice for a moment, and the allocator keeps what
    /// was freed.
    var memoryBound: Int { 2 * (64 << 20) }
    var firstRate: Double { 100 }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        for _ in 0..<max(0, min(budget, Self.crowd - crowd.count)) {
            guard try crowd.open() != nil else { return }
        }
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) throws {
        switch event {
        case .opened:
            if stranger.number % 3 == 0 {
                begin(stranger, Self.unregisteredBytes)
            } else {
                stranger.send(prover(stranger, crowd).begin(id(stranger)))
            }
            crowd.flush(stranger)
        case .message(let frame):
            if let answer = try prover(stranger, crowd).answer(frame, id: id(stranger)) {
                stranger.send(answer)
                crowd.flush(stranger)
            } else if WireType(frame) == .registered {
                begin(stranger, Self.provenBytes)
                crowd.flush(stranger)
            } else if WireType(frame) == .error {
                crowd.close(stranger)
            }
        case .closed, .answered: crowd.close(stranger)
        }
    }

    private func begin(_ stranger: Stranger, _ bytes: Int) {
        stranger.send(WireFrame.head(0x81, payload: bytes))
        stranger.sendFiller(bytes - 1)
        done += 1
    }

    private func id(_ stranger: Stranger) -> String { identity(stranger).did.text }

    private func prover(_ stranger: Stranger, _ crowd: Crowd) -> Prover {
        Prover(identity: identity(stranger), host: crowd.host)
    }

    private func identity(_ stranger: Stranger) -> Identity {
        // Keys of the city: making one for each connection would be the load's work, not the server's.
        let key = stranger.number % Self.crowd
        if let known = identities[key] { return known }
        let made = Identity()
        identities[key] = made
        return made
    }
}
