import ArgumentParser
import CBenchmarkIO
import Foundation
import Glibc
import Kernel

/// Floods a hub and a computer's own server with what strangers can send, and shows what it costs the paired phone.
@main
struct FloodsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floods",
        abstract: "Floods a hub and a computer's own server on loopback, and prints what that did beside its bounds.",
        discussion:
            "Exits 1 when something is over its bound. Start it with bin/floods, which builds what it needs and cleans up."
    )

    @Option(help: ArgumentHelp("The program to try.", valueName: "file"))
    var tandem: String

    @Option(help: ArgumentHelp("An empty folder for state and logs.", valueName: "folder"))
    var work: String

    @Flag(help: "Run each flood for two seconds only, for the checks.")
    var short = false

    @Option(help: "Run no flood for longer than so many seconds.")
    var seconds: Double?

    @Option(parsing: .upToNextOption, help: "Run only these floods.")
    var only: [FloodName] = []

    @Option(parsing: .upToNextOption, help: "Flood only these servers: computer, hub, proxied.")
    var server: [Household.Target] = []

    @Flag(help: "Print JSON instead of tables.")
    var json = false

    /// As many as the programs may open; their soft limit is what a login shell has.
    private static let neededHardLimit = 20_000

    func validate() throws {
        guard seconds.map({ (0.5...3600).contains($0) }) ?? true else {
            throw ValidationError("--seconds must be from 0.5 to 3600.")
        }
    }

    func run() throws {
        let granted = benchmark_raise_file_limit()
        guard granted >= Self.neededHardLimit else {
            throw FloodError.tooFewFiles(needed: Self.neededHardLimit, granted: Int(granted))
        }
        var outcomes: [Outcome] = []
        for target in server.isEmpty ? Household.Target.allCases : server { outcomes += try flood(target) }
        let misses = outcomes.flatMap(\.misses)
        if json {
            let report: JSONValue = [
                "outcomes": .array(outcomes.map(\.json)), "overBound": .array(misses.map(JSONValue.string)),
            ]
            print(String(decoding: report.canonicalBytes, as: UTF8.self))
        } else {
            print(Outcome.table(outcomes))
            print(
                misses.isEmpty
                    ? "\nEvery bound holds."
                    : "\nOver their bound:\n" + misses.map { "  \($0)" }.joined(separator: "\n")
            )
        }
        guard misses.isEmpty else { throw ExitCode(1) }
    }

    private func flood(_ target: Household.Target) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        var restarts = 0
        var household = try start(target, restarts)
        defer { household.stop() }
        for name in only.isEmpty ? FloodName.allCases : only {
            for sources in name.sources(for: target, isShort: short) {
                let siege = Siege(
                    household: household,
                    name: name,
                    sources: sources,
                    isShort: short,
                    secondsAtMost: min(name.seconds(for: target, isShort: short), seconds ?? .infinity)
                )
                let outcome = try siege.run()
                outcomes.append(outcome)
                progress(outcome)
                guard household.server.ending != nil else { continue }
                household.stop()
                restarts += 1
                household = try start(target, restarts)
            }
        }
        return outcomes
    }

    private func start(_ target: Household.Target, _ number: Int) throws -> Household {
        try Household(target, tandem: tandem, work: "\(work)/\(target.rawValue)-\(number)")
    }

    private func progress(_ outcome: Outcome) {
        let text = outcome.figures.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
        FileHandle.standardError.write(Data("\(outcome.target.rawValue), \(outcome.title): \(text)\n".utf8))
    }
}

extension Household.Target: ExpressibleByArgument {}
