import Sealing

/// Binary frames to the computer from more proven ids than it has numbers for.
final class RouteFlood: Flood {
    private static let sockets = 32
    let unit = "ids"
    let goal = 1_200
    private(set) var done = 0
    private let household: Household
    private let identities = StrangerIdentities()

    init(_ household: Household) { self.household = household }

    func advance(_ crowd: Crowd, by budget: Int) throws {
        for _ in 0..<max(0, min(budget, Self.sockets - crowd.count)) {
            guard try crowd.open() != nil else { return }
        }
    }

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) throws {
        switch event {
        case .opened:
            stranger.send(identities.prover(for: stranger, of: crowd).begin(identities[stranger].did.text))
            crowd.flush(stranger)
        case .message(let frame):
            if let answer = try identities.prover(for: stranger, of: crowd).answer(
                frame,
                id: identities[stranger].did.text
            ) {
                stranger.send(answer)
                return crowd.flush(stranger)
            }
            switch WireType(frame) {
            case .registered:
                stranger.send(Self.frames(to: household.computerID))
                crowd.flush(stranger)
            // The pong comes behind what the frames before it brought.
            case .error: end(crowd, stranger)
            default: if frame.starts(with: #"{"type":"pong""#.utf8) { end(crowd, stranger) }
            }
        case .closed, .answered: end(crowd, stranger)
        }
    }

    private static func frames(to id: String) -> [UInt8] {
        // Kind 1, no flags, route 1; the rest opens with nothing.
        let record: [UInt8] = [1, 0, 0, 0, 0, 1] + [UInt8](repeating: 7, count: 40)
        return WireFrame.text(#"{"type":"route","to":"\#(id)","route":1}"#) + WireFrame.binary(record)
            + WireFrame.text(#"{"type":"ping"}"#)
    }

    /// Somebody who comes after them must get a number too.
    func figures(from crowd: Crowd, seconds: Double) throws -> [Figure] {
        let witness = try Witness(Identity(), port: household.server.port)
        witness.send(Self.frames(to: household.computerID))
        let answer = try witness.next(holding: "\"type\":\"", within: 5) ?? "nothing"
        return [Figure("routes used up", answer.contains("refused") ? 1 : 0, atMost: 0, detail: answer)]
    }

    private func end(_ crowd: Crowd, _ stranger: Stranger) {
        identities.forget(stranger)
        done += 1
        crowd.close(stranger)
    }
}
