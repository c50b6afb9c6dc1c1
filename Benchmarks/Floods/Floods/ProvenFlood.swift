import Sealing

/// Ids that are proven: half of them by one key, the others each by a key of their own.
final class ProvenFlood: Flood {
    private static let sockets = 32
    private static let idsPerSocket = 8
    let unit = "ids"
    let goal: Int
    private(set) var done = 0
    private var accepted = 0
    private let shared = Identity()
    private let identities = StrangerIdentities()

    init(goal: Int) { self.goal = goal }

    var firstRate: Double { 100 }

    /// One address may add 500 ids at once; each is a row with an index of its key.
    func diskBound(for sources: Sources) -> Int {
        sources.count == 1 ? Self.diskRoom : sources.count * 500 * 400 + Self.diskRoom
    }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        for _ in 0..<max(0, min(budget / Self.idsPerSocket + 1, Self.sockets - crowd.count)) {
            guard budget > 0, try crowd.open() != nil else { return }
        }
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) throws {
        switch event {
        case .opened: register(crowd, stranger)
        case .message(let frame):
            let prover = prover(stranger, crowd)
            if let answer = try prover.answer(frame, id: id(stranger)) {
                stranger.send(answer)
                return crowd.flush(stranger)
            }
            let type = WireType(frame)
            guard type == .registered || type == .error else { return }
            done += 1
            if type == .registered { accepted += 1 }
            stranger.count += 1
            if usesSharedKey(stranger), stranger.count < Self.idsPerSocket { return register(crowd, stranger) }
            end(crowd, stranger)
        case .closed, .answered: end(crowd, stranger)
        }
    }

    func figures(from crowd: Crowd, seconds: Double) -> [Figure] { [Figure("accepted", Double(accepted))] }

    private func register(_ crowd: Crowd, _ stranger: Stranger) {
        stranger.send(prover(stranger, crowd).begin(id(stranger)))
        crowd.flush(stranger)
    }

    private func end(_ crowd: Crowd, _ stranger: Stranger) {
        identities.forget(stranger)
        crowd.close(stranger)
    }

    private func usesSharedKey(_ stranger: Stranger) -> Bool { stranger.number % 8 == 0 }

    private func id(_ stranger: Stranger) -> String {
        usesSharedKey(stranger)
            ? "stranger-\(stranger.number)-\(stranger.count)" : identity(stranger).did.text
    }

    private func prover(_ stranger: Stranger, _ crowd: Crowd) -> Prover {
        Prover(identity: identity(stranger), host: crowd.host)
    }

    private func identity(_ stranger: Stranger) -> Identity { usesSharedKey(stranger) ? shared : identities[stranger] }
}
