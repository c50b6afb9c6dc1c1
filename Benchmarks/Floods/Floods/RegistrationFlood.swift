/// Registrations without a proof, as many as there are ids in a city: each socket takes the eight ids it may have again and again.
final class RegistrationFlood: Flood {
    private static let sockets = 64
    private static let idsPerSocket = 8
    private static let perSocket = 500
    private static let window = 32
    let unit = "registrations"
    let goal: Int
    private(set) var done = 0
    private var accepted = 0
    private var active: [Stranger] = []
    private var next = 0

    init(goal: Int) { self.goal = goal }

    var firstRate: Double { 2_000 }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        var left = budget
        while left > 0, crowd.count < Self.sockets, try crowd.open() != nil { left -= 1 }
        // `tag` counts what was sent and `count` what was answered.
        var passed = 0
        while left > 0, passed < active.count {
            next = (next + 1) % active.count
            let stranger = active[next]
            let room = min(Self.window - (stranger.tag - stranger.count), Self.perSocket - stranger.tag, left)
            guard room > 0, !stranger.owes else {
                passed += 1
                continue
            }
            passed = 0
            var frames: [UInt8] = []
            for _ in 0..<room {
                let id = "stranger-\(stranger.number)-\(stranger.tag % Self.idsPerSocket)"
                frames += WireFrame.text(#"{"type":"register","peerId":"\#(id)","deviceType":"mobile"}"#)
                stranger.tag += 1
            }
            left -= room
            stranger.send(frames)
            crowd.flush(stranger)
        }
    }

    /// docs/protocol.md: registrations of one address. A second more is for what the server counts before and after us.
    func figures(from crowd: Crowd, seconds: Double) -> [Figure] {
        crowd.isProxied ? [Figure("let in", Double(accepted), atMost: 2_000 + 100 * (seconds + 1))] : []
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) {
        switch event {
        case .opened: active.append(stranger)
        case .message(let frame):
            let type = WireType(frame)
            guard [.registered, .error].contains(type) else { return }
            if type == .registered { accepted += 1 }
            stranger.count += 1
            done += 1
            guard stranger.count >= Self.perSocket else { return }
            crowd.close(stranger)
            active.removeAll { $0 === stranger }
        case .closed, .answered:
            crowd.close(stranger)
            active.removeAll { $0 === stranger }
        }
    }
}
