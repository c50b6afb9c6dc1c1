import Foundation

/// Registrations of typed codes' aliases, free or taken: whoever is told which it is finds the code that is shown.
final class AliasFlood: Flood {
    private static let sockets = 16
    private static let perSocket = 50
    private static let window = 10
    let unit = "guesses"
    private(set) var done = 0
    /// Guesses that were answered with what the guesser wants to know.
    private var answered = 0

    var firstRate: Double { 500 }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        var left = budget
        while left > 0, crowd.count < Self.sockets, try crowd.open() != nil { left -= 1 }
        crowd.forEach { stranger in
            guard stranger.stage == .open, !stranger.owes, stranger.tag - stranger.count < Self.window else { return }
            while left > 0, stranger.tag - stranger.count < Self.window, stranger.tag < Self.perSocket {
                let code = Int.random(in: 100_000...999_999)
                stranger.send(WireFrame.text(#"{"type":"register","peerId":"pairing-code:\#(code)"}"#))
                stranger.tag += 1
                left -= 1
            }
            crowd.flush(stranger)
        }
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) {
        switch event {
        case .opened: break
        case .message(let frame):
            let type = WireType(frame)
            guard type == .registered || type == .error else { return }
            done += 1
            stranger.count += 1
            if type == .registered || String(decoding: frame, as: UTF8.self).contains("alias-taken") { answered += 1 }
            if stranger.count >= Self.perSocket { crowd.close(stranger) }
        case .closed, .answered: crowd.close(stranger)
        }
    }

    /// Ten at once and ten a minute for each address.
    func figures(from crowd: Crowd, seconds: Double) -> [Figure] {
        let bound = Double(crowd.sources.count) * (10 + (seconds / 6).rounded(.up))
        return [Figure("guesses answered", Double(answered), atMost: bound)]
    }
}
