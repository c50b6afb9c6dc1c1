import Glibc

/// Runs one flood against a household's server and measures what it does to it.
struct Siege {
    private static let pingBound = 100.0
    /// The checks run on machines that do other things too.
    private static let shortPingBound = 500.0
    private static let logBound = 1024.0
    /// Descriptors that are to be left whatever strangers do: for files, terminals and the database.
    private static let spareDescriptors = 128

    let household: Household
    let name: FloodName
    let sources: Sources
    let isShort: Bool
    /// Seconds it may take.
    let secondsAtMost: Double

    func run() throws -> Outcome {
        let server = household.server
        let flood = try name.make(for: household, isShort: isShort)
        let before = (
            database: server.databaseBytes(), log: server.logBytes(), computerLog: household.computer.logBytes()
        )
        var resources = ResourceWatch(server)
        let pings = PingWatch(phoneFolder: household.phone.folder)
        let health = HealthWatch(port: server.port)
        let crowd = try Crowd(port: server.port, sources: sources, isProxied: household.target == .proxied)
        let began = HalfLoad.now()
        let share: Double
        do {
            share = try play(
                flood,
                crowd,
                &resources,
                until: began + secondsAtMost
            )
        } catch {
            _ = (pings.stop(), health.stop())
            throw error
        }
        let seconds = HalfLoad.now() - began
        crowd.closeAll()
        // What is queued for the disk gets there.
        usleep(300_000)
        resources.look()
        var figures = [
            Figure("done", Double(flood.done), flood.unit),
            Figure("cores", share),
        ]
        figures += waits(pings.stop(), health.stop())
        figures += system(resources, flood, before.database)
        let log =
            server.logBytes() - before.log
            + (server === household.computer ? 0 : household.computer.logBytes() - before.computerLog)
        figures.append(Figure("log KiB", Double(log) / 1024, atMost: Self.logBound))
        figures.append(
            Figure("EMFILE", Double(server.descriptorComplaints(after: before.log)), atMost: 0)
        )
        let ending = server.ending
        figures.append(Figure("died", ending == nil ? 0 : 1, atMost: 0, detail: ending))
        if ending == nil { figures += try flood.figures(from: crowd, seconds: seconds) }
        return Outcome(target: household.target, flood: name, sources: sources, seconds: seconds, figures: figures)
    }

    /// - Returns: The mean share of a core that was used.
    private func play(
        _ flood: any Flood,
        _ crowd: Crowd,
        _ resources: inout ResourceWatch,
        until end: Double
    ) throws -> Double {
        let server = household.server
        var pace = try HalfLoad(first: flood.firstRate, most: 100_000) { [household] in try household.processorSeconds()
        }
        var share = 0.0
        while HalfLoad.now() < end, flood.done < flood.goal, server.ending == nil {
            let budget = try pace.budget()
            if budget > 0 { try flood.advance(crowd, by: budget) }
            try crowd.turn(waitingMilliseconds: 1) { try flood.react(crowd, $0, $1) }
            resources.look()
            if server.ending == nil { share = try pace.share() }
        }
        return share
    }

    private func waits(_ pings: Samples.Summary, _ health: Samples.Summary) -> [Figure] {
        [
            Figure("ping p99 ms", pings.p99),
            Figure(
                "ping max ms",
                pings.slowest,
                atMost: isShort ? Self.shortPingBound : Self.pingBound,
                detail: pings.firstFailure.map { "\(pings.failures) of \(pings.count) failed: \($0)" }
            ),
            Figure("/health max ms", health.slowest),
            Figure(
                "/health failed",
                Double(health.failures),
                atMost: 0,
                detail: health.firstFailure.map { "of \(health.count): \($0)" }
            ),
        ]
    }

    private func system(_ resources: ResourceWatch, _ flood: any Flood, _ database: Int) -> [Figure] {
        let limit = resources.mostDescriptors + resources.fewestSpare
        let grown = household.server.databaseBytes() - database
        return [
            Figure("memory MiB", Self.mebibytes(resources.grownBytes), atMost: Self.mebibytes(flood.memoryBound)),
            Figure(
                "descriptors",
                Double(resources.mostDescriptors),
                atMost: Double(limit - Self.spareDescriptors)
            ),
            Figure("disk MiB", Self.mebibytes(grown), atMost: Self.mebibytes(flood.diskBound(for: sources))),
        ]
    }

    private static func mebibytes(_ bytes: Int) -> Double { Double(bytes) / Double(1 << 20) }
}
