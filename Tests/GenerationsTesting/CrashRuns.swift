import Foundation
import KernelTesting

/// Ends a piece of work at each of its calls to the disk, and looks at what the next start finds.
package enum CrashRuns {
    /// One run: where the program ended, and how. Its number names it: `TANDEM_CRASH_RUN=NUMBER` plays that one alone.
    package struct Run: Hashable, Sendable, CustomStringConvertible {
        package let call: Int
        package let end: SimulatedEnd

        package var number: Int {
            switch end {
            case .kill: call * 100_000
            case .powerLoss(let seed): call * 100_000 + Int(seed % 1000) + 1
            }
        }

        package var description: String { "run \(number): call \(call), \(end)" }
    }

    /// How many losses of power follow each end; `TANDEM_CRASH_SEEDS` sets it for a long search.
    package static var seeds: UInt64 {
        KillPoints.seeds ?? 6
    }

    /// Ends `work` at its first call, its second, and so on, until it ends by itself; after each end, `check` sees the disk that a kill leaves,
    /// and those that losses of power leave.
    ///
    /// - Parameter fault: One that each run has besides.
    /// - Returns: The number of runs.
    @discardableResult
    package static func all(
        from disk: SimulatedDisk,
        with fault: SimulatedFault? = nil,
        seeds: UInt64 = Self.seeds,
        in test: String = #function,
        _ work: (SimulatedDisk) -> Void,
        check: (SimulatedDisk, Run) throws -> Void
    ) rethrows -> Int {
        let wanted = ProcessInfo.processInfo.environment["TANDEM_CRASH_RUN"].flatMap(Int.init)
        var count = 0
        for call in 1... {
            if let wanted, call < wanted / 100_000 { continue }
            let ended = disk.copy([.end(atCall: call)] + [fault].compactMap { $0 })
            work(ended)
            // The run that reached its end is one more: the power may go right after it.
            let ends = [.kill] + (0..<seeds).map { SimulatedEnd.powerLoss(seed: UInt64(call) * 1000 + $0) }
            for end in ends {
                let run = Run(call: call, end: end)
                if let wanted, run.number != wanted { continue }
                try check(ended.restarted(after: end), run)
                count += 1
            }
            if !ended.isOver { break }
        }
        // With a fault besides, what is broken is to be found out.
        if fault == nil { KillPoints.tell(count, in: test) }
        return count
    }
}
