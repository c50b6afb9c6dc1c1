import ArgumentParser
import Foundation
import PairingTesting

@main
struct PairingAdversary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairing-adversary",
        abstract:
            "Plays pairings over a relay that swaps, replays, reflects, drops, reorders, downgrades and makes up messages."
    )

    @Argument(help: "Pairings to play, at least 4.") var rounds: UInt64 = 100_000
    @Option(help: "Where the seeds begin.") var seed: UInt64 = 0

    func run() async throws {
        let ways = MaliciousRelay.Way.allCases
        let each = max(1, rounds / UInt64(ways.count))
        let verdicts = try await play(ways, each: Int(clamping: each))
        let broken = verdicts.reduce(UInt64(0)) { sum, entry in
            if case .broken = entry.key { sum + entry.value } else { sum }
        }
        let paired = verdicts[.paired, default: 0]
        let guessed = verdicts[.guessed, default: 0]
        print(
            """
            \(verdicts.values.reduce(0, +)) pairings: \(paired) paired, \(verdicts[.notPaired, default: 0]) not paired, \
            \(guessed) comparisons guessed, \(broken) broken
            """
        )
        // A relay in the middle of a six-digit pairing guesses the comparison once in a million.
        guard broken == 0, paired > 0, guessed <= 3 + each / 100_000 else { throw ExitCode.failure }
    }

    private func play(_ ways: [MaliciousRelay.Way], each: Int) async throws -> [RelayAttack.Verdict: UInt64] {
        let lanes = max(1, ProcessInfo.processInfo.activeProcessorCount)
        return try await withThrowingTaskGroup(of: [RelayAttack.Verdict: UInt64].self) { [seed] group in
            for lane in 0..<lanes {
                group.addTask {
                    let attack = RelayAttack()
                    var verdicts: [RelayAttack.Verdict: UInt64] = [:]
                    for offset in stride(from: lane, to: each, by: lanes) {
                        for way in ways {
                            let verdict = try attack.run(way, seed: seed + UInt64(offset))
                            verdicts[verdict, default: 0] += 1
                            if case .broken(let what) = verdict {
                                print("seed \(seed + UInt64(offset)), \(way.rawValue): \(what)")
                            }
                        }
                    }
                    return verdicts
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }
}
