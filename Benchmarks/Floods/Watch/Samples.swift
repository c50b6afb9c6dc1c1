import BenchmarkReport
import Synchronization

/// What a watch on a thread of its own measured: times in milliseconds.
final class Samples: Sendable {
    private struct State {
        var milliseconds: [Double] = []
        var failures: [String] = []
    }

    private let state = Mutex(State())

    func add(_ milliseconds: Double) { state.withLock { $0.milliseconds.append(milliseconds) } }

    func fail(_ reason: String) { state.withLock { $0.failures.append(reason) } }

    var summary: Summary {
        state.withLock { state in
            Summary(
                count: state.milliseconds.count,
                slowest: state.milliseconds.max() ?? .nan,
                p99: Sample(state.milliseconds).percentile(99),
                failures: state.failures.count,
                firstFailure: state.failures.first
            )
        }
    }

    struct Summary {
        let count: Int
        let slowest: Double
        let p99: Double
        let failures: Int
        let firstFailure: String?
    }
}
