import Sealing

/// One client that means well: registers with a proof, and waits for answers.
final class Witness {
    private static let patience = 5.0
    let identity: Identity
    private let crowd: Crowd
    private var inbox: [ArraySlice<UInt8>] = []
    private let stranger: Stranger

    var id: String { identity.did.text }

    /// - Throws: ``FloodError`` unless it is registered within five seconds.
    init(_ identity: Identity, port: UInt16) throws {
        self.identity = identity
        crowd = try Crowd(port: port, sources: .witness)
        guard let stranger = try crowd.open() else { throw FloodError.system("connect") }
        self.stranger = stranger
        let prover = Prover(identity: identity, host: crowd.host)
        let id = identity.did.text
        var isOpen = false
        let end = HalfLoad.now() + Self.patience
        while HalfLoad.now() < end {
            try turn { if case .opened = $0 { isOpen = true } }
            if isOpen {
                isOpen = false
                send(prover.begin(id))
            }
            guard let frame = inbox.first else { continue }
            inbox.removeFirst()
            if let answer = try prover.answer(frame, id: id) {
                send(answer)
            } else if WireType(frame) == .registered {
                return
            } else {
                throw FloodError.refused(what: "The registration", answer: String(decoding: frame, as: UTF8.self))
            }
        }
        throw FloodError.noAnswer(what: "The registration")
    }

    func send(_ bytes: [UInt8]) {
        stranger.send(bytes)
        crowd.flush(stranger)
    }

    func send(_ text: String) { send(WireFrame.text(text)) }

    /// The next frame that holds all these texts; nil when none comes in time.
    func next(holding parts: String..., within seconds: Double = patience) throws -> String? {
        let end = HalfLoad.now() + seconds
        while true {
            while let frame = inbox.first {
                inbox.removeFirst()
                let text = String(decoding: frame, as: UTF8.self)
                if parts.allSatisfy({ text.contains($0) }) { return text }
            }
            guard HalfLoad.now() < end else { return nil }
            try turn { _ in }
        }
    }

    private func turn(_ report: (Stranger.Event) -> Void) throws {
        var arrived: [ArraySlice<UInt8>] = []
        try crowd.turn(waitingMilliseconds: 20) { _, event in
            if case .message(let frame) = event { arrived.append(frame) }
            report(event)
        }
        inbox += arrived
    }
}
