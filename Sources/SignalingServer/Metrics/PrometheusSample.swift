import CoreMetrics
import Synchronization

/// A metric's name and labels as Prometheus writes them.
struct PrometheusKey: Hashable, Sendable {
    let name: String
    /// `{a="b"}`, or nothing.
    let labels: String

    init(label: String, dimensions: [(String, String)], isCounter: Bool) {
        let plain = Self.identifier(label)
        name = isCounter && !plain.hasSuffix("_total") ? plain + "_total" : plain
        let pairs = dimensions.sorted { $0 < $1 }.map { "\(Self.identifier($0.0))=\"\(Self.escaped($0.1))\"" }
        labels = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    private static func identifier(_ text: String) -> String {
        let safe = text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" }
        return (safe.first?.isNumber == true ? "_" : "") + String(safe)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

/// One metric's value.
final class PrometheusSample: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    enum Kind: String {
        case counter, gauge, summary
    }

    private struct Value {
        var sum = 0.0
        var count = 0
    }

    let key: PrometheusKey
    let kind: Kind
    private let value = Mutex(Value())

    init(key: PrometheusKey, kind: Kind) {
        self.key = key
        self.kind = kind
    }

    var lines: String {
        let value = value.withLock { $0 }
        switch kind {
        case .counter, .gauge: return "\(key.name)\(key.labels) \(Self.number(value.sum))\n"
        case .summary:
            return
                "\(key.name)_sum\(key.labels) \(Self.number(value.sum))\n\(key.name)_count\(key.labels) \(value.count)\n"
        }
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }

    func increment(by amount: Int64) { value.withLock { $0.sum += Double(amount) } }
    func increment(by amount: Double) { value.withLock { $0.sum += amount } }
    func decrement(by amount: Double) { value.withLock { $0.sum -= amount } }
    func reset() { value.withLock { $0 = Value() } }
    func set(_ amount: Int64) { value.withLock { $0.sum = Double(amount) } }
    func set(_ amount: Double) { value.withLock { $0.sum = amount } }
    func record(_ amount: Int64) { record(Double(amount)) }

    func record(_ amount: Double) {
        value.withLock { value in
            value.sum = kind == .summary ? value.sum + amount : amount
            value.count += 1
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
