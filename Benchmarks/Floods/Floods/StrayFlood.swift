import Sealing

/// Frames to ids that do not exist, each to another one; every sixteenth has 60 KB. Half of the senders registered with a proof.
final class StrayFlood: Flood {
    private static let sockets = 32
    private static let perSocket = 1_000
    private static let window = 32
    private static let small = String(repeating: "a", count: 100)
    private static let large = String(repeating: "a", count: 60_000)
    let unit = "frames"
    private(set) var done = 0
    private let identities = StrangerIdentities()
    private let witness: (any Victim)?

    /// - Parameter witness: Who uses the server's mailbox honestly; nil where it keeps mail for its owner's devices only.
    init(witness: (any Victim)?) { self.witness = witness }

    /// docs/protocol.md: what is on its way to the disk, twice while it is written.
    var memoryBound: Int { (64 << 20) + Self.room }

    /// One address may leave 2 MiB, all together 256 MiB.
    func diskBound(for sources: Sources) -> Int {
        sources.count == 1 ? Self.diskRoom : min(256 << 20, sources.count * 2 << 20) + Self.diskRoom
    }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        var left = budget
        while left > 0, crowd.count < Self.sockets, try crowd.open() != nil { left -= 1 }
        // `tag` counts what was sent and `count` what was answered, both from the registration's answer on.
        crowd.forEach { stranger in
            guard stranger.stage == .open, stranger.count > 0, !stranger.owes else { return }
            while left > 0, stranger.tag - stranger.count < Self.window, stranger.tag < Self.perSocket {
                let text = stranger.tag.isMultiple(of: 16) ? Self.large : Self.small
                let id = "nobody-\(stranger.number)-\(stranger.tag)"
                let payload = #"{"type":"flood","text":"\#(text)"}"#
                stranger.send(WireFrame.text(#"{"type":"message","to":"\#(id)","payload":\#(payload)}"#))
                stranger.tag += 1
                left -= 1
            }
            crowd.flush(stranger)
        }
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) throws {
        switch event {
        case .opened:
            if isProven(stranger) {
                stranger.send(identities.prover(for: stranger, of: crowd).begin(id(stranger)))
            } else {
                stranger.send(WireFrame.text(#"{"type":"register","peerId":"\#(id(stranger))","deviceType":"mobile"}"#))
            }
            crowd.flush(stranger)
        case .message(let frame):
            if isProven(stranger),
                let answer = try identities.prover(for: stranger, of: crowd).answer(frame, id: id(stranger))
            {
                stranger.send(answer)
                return crowd.flush(stranger)
            }
            let type = WireType(frame)
            if type == .error, stranger.count == 0 { return end(crowd, stranger) }
            guard [.registered, .error, .peerOffline].contains(type) else { return }
            if stranger.count > 0 { done += 1 } else { stranger.tag = 1 }
            stranger.count += 1
            if stranger.count >= Self.perSocket { end(crowd, stranger) }
        case .closed, .answered: end(crowd, stranger)
        }
    }

    func figures(from crowd: Crowd, seconds: Double) throws -> [Figure] { try witness?.figures() ?? [] }

    private func isProven(_ stranger: Stranger) -> Bool { stranger.number.isMultiple(of: 2) }

    private func id(_ stranger: Stranger) -> String {
        isProven(stranger) ? identities[stranger].did.text : "stray-\(stranger.number)"
    }

    private func end(_ crowd: Crowd, _ stranger: Stranger) {
        identities.forget(stranger)
        crowd.close(stranger)
    }
}
