import ArgumentParser
import NotificationsTesting

/// Runs `NotificationSimulation`, and ends with 1 where anything was wrong.
struct Simulated: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "A computer, a relay and two phones in one process, on a seed."
    )

    @Argument(help: "Notifications that are said at the computer.") var events = 100_000
    @Argument(help: "Draws the same run again.") var seed: UInt64 = .random(in: 0..<1 << 30)

    func validate() throws {
        guard events > 0 else { throw ValidationError("EVENTS is more than 0, not \(events).") }
    }

    func run() async throws {
        let start = ContinuousClock.now
        let simulation = try NotificationSimulation(seed: seed)
        let result = try await simulation.run(events) { said in
            if said * 10 / events != (said - events / 1000) * 10 / events {
                print("\(said) of \(events), \((ContinuousClock.now - start).components.seconds) s")
            }
        }
        let percent = Double(result.lost * 1000 / max(1, result.messages)) / 10
        print(
            """
            \(result.events) events, \(percent) % loss (of \(result.messages) messages while everyone was there), duplication, reordering, \
            seed \(seed), restarts: computer \(result.computerRestarts), relay \(result.relayRestarts), \
            phones \(result.phoneRestarts)
            """
        )
        guard result.mistakes.isEmpty else {
            for mistake in result.mistakes.prefix(20) { print("WRONG \(mistake)") }
            print("FAILED: \(result.mistakes.count) wrong, seed \(seed)")
            throw ExitCode(1)
        }
        print(
            """
            shown: each once (\(result.shown) banners on two phones, \(result.due) of them due whatever else happened, \(result.inPlace) \
            handed over again after a crash, each in its own place); read state the same on three devices; \
            \((ContinuousClock.now - start).components.seconds) s
            """
        )
    }
}
