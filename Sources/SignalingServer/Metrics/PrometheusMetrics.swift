package import CoreMetrics
import Synchronization

/// Metrics of this process in Prometheus' text format. The process that owns it makes it the metrics system once, and hands it to
/// the server for `/metrics`.
package final class PrometheusMetrics: MetricsFactory {
    private let samples = Mutex<[PrometheusKey: PrometheusSample]>([:])
    /// Different names and labels that are kept; more are counted nowhere. Labels are fixed, so this is a fuse.
    private let capacity: Int
    private let descriptions: [String: String]

    /// - Parameter descriptions: A line for names of metrics, as they stand in the answer; the others have none.
    package init(capacity: Int = 10_000, describedBy descriptions: [String: String] = [:]) {
        self.capacity = capacity
        self.descriptions = descriptions
    }

    /// The answer to `GET /metrics`, sorted by name.
    ///
    /// - Parameter own: Descriptions of the server's own metrics, beside those that it was made with.
    package func text(_ own: [String: String] = [:]) -> String {
        let descriptions = descriptions.merging(own) { _, own in own }
        let all = samples.withLock { Array($0.values) }.sorted {
            ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels)
        }
        var text = ""
        var lastName = ""
        for sample in all {
            if sample.key.name != lastName {
                if let description = descriptions[sample.key.name] {
                    text += "# HELP \(sample.key.name) \(description)\n"
                }
                text += "# TYPE \(sample.key.name) \(sample.kind.rawValue)\n"
                lastName = sample.key.name
            }
            text += sample.lines
        }
        return text
    }

    private func sample(_ label: String, _ dimensions: [(String, String)], _ kind: PrometheusSample.Kind)
        -> PrometheusSample
    {
        let key = PrometheusKey(label: label, dimensions: dimensions, isCounter: kind == .counter)
        return samples.withLock { samples in
            if let known = samples[key] { return known }
            let made = PrometheusSample(key: key, kind: kind)
            if samples.count < capacity { samples[key] = made }
            return made
        }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        sample(label, dimensions, .counter)
    }

    package func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        sample(label, dimensions, .counter)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        sample(label, dimensions, .gauge)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        sample(label, dimensions, aggregate ? .summary : .gauge)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        sample(label + "_seconds", dimensions, .summary)
    }

    // A metric that its owner lets go stays visible, as Prometheus expects of a counter; the capacity bounds it.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
