import CBenchmarkIO
import Glibc

/// Healthy pairs beside a crowd, once with readers that read and once with readers that do not.
///
/// First the crowd is sent more than the kernel's buffers hold. Then, while the healthy pairs are timed, it goes on slowly: the
/// question is what holding the backlog costs others, not what sending it did.
struct StalledReaders {
    let healthyPairs: Int
    let healthyPerSecond: Double
    let crowdPairs: Int
    /// What each sender sends at first.
    let crowdFrames: Int
    let crowdFrameBytes: Int
    /// What all of them send from then on.
    let crowdPerSecond: Double

    struct Result {
        let healthy: Latencies.Summary
        /// The most that was resident, above what was before the crowd's first frame.
        let grownBytes: Int
        /// Senders that were told that their reader is gone.
        let toldSenders: Int
    }

    func measure(_ server: ServerProcess, readersRead: Bool, warmUp: Double, seconds: Double) throws -> Result {
        let healthy = try Crowd.open(
            pairs: healthyPairs,
            named: "well",
            port: server.port,
            frameBytes: 256,
            window: 4
        )
        let crowd = try Crowd.open(
            pairs: crowdPairs,
            named: "many",
            port: server.port,
            frameBytes: crowdFrameBytes,
            window: 1,
            // A client's choice, and a small one: the server shall hold the backlog, not the kernel.
            readerBytes: 32 * 1024
        )
        let loop = try LoadLoop()
        for client in healthy + crowd { _ = try loop.add(client) }
        let firstOfCrowd = healthy.count
        if !readersRead {
            for pair in 0..<crowdPairs { loop.stall(firstOfCrowd + pair * 2 + 1) }
        }
        let before = try server.residentBytes()
        var told = try fill(loop, firstOfCrowd, server)
        var mostResident = before
        var lookedAt = benchmark_nanoseconds()
        var latencies = Latencies()
        var sentTimes = [SentTimes](repeating: SentTimes(), count: healthyPairs)
        var healthyPace = Pace(perSecond: healthyPerSecond)
        var crowdPace = Pace(perSecond: crowdPerSecond)
        let counted = benchmark_nanoseconds() + UInt64(warmUp * 1e9)
        let end = counted + UInt64(seconds * 1e9)
        while true {
            let now = benchmark_nanoseconds()
            if now >= end { break }
            if now - lookedAt > 50_000_000 {
                lookedAt = now
                mostResident = max(mostResident, try server.residentBytes())
            }
            if healthyPace.takes(at: now) {
                let pair = healthyPace.sent % healthyPairs
                sentTimes[pair].push(benchmark_nanoseconds())
                try loop.send(pair * 2, frames: 1)
            }
            if crowdPace.takes(at: now) {
                let sender = firstOfCrowd + crowdPace.sent % crowdPairs * 2
                if !told.contains(sender) { try loop.send(sender, frames: 1) }
            }
            try loop.turn(waitingMilliseconds: 0) { number, messages in
                if number >= firstOfCrowd {
                    // Whoever is told that nobody reads stops sending.
                    guard number.isMultiple(of: 2) else { return }
                    told.insert(number)
                    loop.giveUp(number)
                } else if !number.isMultiple(of: 2) {
                    let arrived = benchmark_nanoseconds()
                    for _ in 0..<messages {
                        guard let sent = sentTimes[number / 2].pop(), sent >= counted else { continue }
                        latencies.add(arrived - sent)
                    }
                }
            }
        }
        return Result(
            healthy: latencies.summary(),
            grownBytes: mostResident - before,
            toldSenders: told.count
        )
    }

    /// Sends the crowd its first frames, and waits until the server has taken them.
    ///
    /// - Returns: The senders that were told that their reader is gone.
    private func fill(_ loop: LoadLoop, _ firstOfCrowd: Int, _ server: ServerProcess) throws -> Set<Int> {
        var told = Set<Int>()
        let senders = (0..<crowdPairs).map { firstOfCrowd + $0 * 2 }
        let end = benchmark_nanoseconds() + 120_000_000_000
        func turn() throws {
            guard benchmark_nanoseconds() < end else { throw BenchmarkError.stuck(scenario: "filling up readers") }
            try loop.turn(waitingMilliseconds: 10) { number, _ in
                guard number >= firstOfCrowd, number.isMultiple(of: 2) else { return }
                told.insert(number)
                loop.giveUp(number)
            }
        }
        for _ in 0..<crowdFrames {
            for sender in senders where !told.contains(sender) { try loop.send(sender, frames: 1) }
            while senders.contains(where: { loop.isBehind($0) }) { try turn() }
        }
        // The kernel may still hold much of it: it is with the server when that has nothing left to do.
        var used = -1.0
        while try server.processorSeconds() - used > 0.02 {
            used = try server.processorSeconds()
            let next = benchmark_nanoseconds() + 500_000_000
            while benchmark_nanoseconds() < next { try turn() }
        }
        // A reader that is let go has five seconds to answer the close frame. Closing hundreds at once is not what is measured here.
        let settled = benchmark_nanoseconds() + 6_000_000_000
        while benchmark_nanoseconds() < settled { try turn() }
        return told
    }
}
