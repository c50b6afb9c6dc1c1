import Commands
import Kernel

/// A computer's figures of the last minutes, the oldest first. Nil stands where nothing was measured.
public struct SystemHistory: Hashable, Sendable {
    /// Points that one answer holds at most.
    public static let limit = 120

    /// The figures of one moment.
    public struct Point: Hashable, Sendable {
        /// How busy the processors were since the point before, 0 to 100.
        public var processor: Double?
        /// How much memory is taken, 0 to 100.
        public var memory: Double?
        /// Bytes a second since the point before, of all interfaces but loopback.
        public var received: Double?
        /// Bytes a second since the point before, of all interfaces but loopback.
        public var sent: Double?

        public init(processor: Double?, memory: Double?, received: Double?, sent: Double?) {
            self.processor = processor
            self.memory = memory
            self.received = received
            self.sent = sent
        }
    }

    /// Seconds between two points.
    public var step: Double
    /// When the last point was taken, in milliseconds since 1970.
    public var timestamp: Int64
    /// The oldest first, at most ``limit`` on the wire.
    public var points: [Point]

    public init(step: Double, timestamp: Int64, points: [Point]) {
        self.step = step
        self.timestamp = timestamp
        self.points = points
    }

    /// Nil for one that does not say how far its points are apart.
    init?(_ wire: JSONValue?) {
        guard let wire, let step = wire["stepSeconds"]?.finiteNumber, step > 0, step <= 3600 else { return nil }
        self.step = step
        timestamp = wire["timestamp"]?.integerValue ?? 0
        let series = ["cpu", "memory", "received", "sent"].map { wire[$0]?.arrayValue ?? [] }
        let count = min(Self.limit, series.map(\.count).max() ?? 0)
        // The newest points are the last ones of each series.
        let values: [[Double?]] = series.map { all in
            Array(repeating: nil, count: max(0, count - all.count)) + all.suffix(count).map(\.finiteNumber)
        }
        points = (0..<count).map {
            Point(processor: values[0][$0], memory: values[1][$0], received: values[2][$0], sent: values[3][$0])
        }
    }

    var wire: JSONValue {
        let shown = points.suffix(Self.limit)
        func series(_ value: KeyPath<Point, Double?>, to steps: Double) -> JSONValue {
            .array(shown.map { .rounded($0[keyPath: value], to: steps) })
        }
        return [
            "stepSeconds": .number(step), "timestamp": .integer(timestamp), "cpu": series(\.processor, to: 10),
            "memory": series(\.memory, to: 10), "received": series(\.received, to: 1), "sent": series(\.sent, to: 1),
        ]
    }
}
