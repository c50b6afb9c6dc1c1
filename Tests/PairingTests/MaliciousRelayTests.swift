import PairingTesting
import Testing

@Suite("A hostile relay", .timeLimit(.minutes(4)))
struct MaliciousRelayTests {
    /// A debug run has time for these; `bin/adversary` plays a hundred thousand.
    private static let rounds: UInt64 = 50

    @Test(
        "never puts its key into either store, whatever it does, and never leaves one side paired",
        arguments: MaliciousRelay.Way.allCases
    )
    func attacked(way: MaliciousRelay.Way) throws {
        let attack = RelayAttack()
        var verdicts: [RelayAttack.Verdict: Int] = [:]
        for seed in 0..<Self.rounds { verdicts[try attack.run(way, seed: seed), default: 0] += 1 }
        // Where it lets enough through, they pair: the other checks are about something.
        #expect(verdicts[.paired, default: 0] > 0)
        #expect(verdicts[.guessed, default: 0] <= 1)
        for verdict in verdicts.keys {
            if case .broken(let what) = verdict { Issue.record("\(what)") }
        }
    }

    @Test("an honest relay always pairs both", arguments: MaliciousRelay.Way.allCases)
    func honest(way: MaliciousRelay.Way) throws {
        #expect(try RelayAttack().run(way, isHonest: true, seed: 1) == .paired)
    }
}
