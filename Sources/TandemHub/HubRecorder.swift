import Kernel

/// A hub's load of the last five minutes, in memory only, so that a page draws its lines at once.
actor HubRecorder {
    /// The time between two samples. A page that looks is told each second by the topic.
    static let step: Duration = .seconds(5)
    /// Five minutes.
    static let limit = 60

    private(set) var samples: [HubLoad.Sample] = []
    private let meter: HubMeter
    private let time: any TimeSource

    init(meter: HubMeter, time: any TimeSource) {
        self.meter = meter
        self.time = time
    }

    /// Returns when its task is cancelled.
    func run() async {
        repeat { await take() } while await time.pause(for: Self.step)
    }

    /// A sample that fails is left out: the next one counts from the one before.
    func take() async {
        guard let sample = try? await meter.sample() else { return }
        samples.append(sample)
        samples.removeFirst(max(0, samples.count - Self.limit))
    }
}
