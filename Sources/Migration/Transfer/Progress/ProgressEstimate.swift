/// Makes a ``TransferProgress`` out of what is measured: the rate of the stage that runs, and for those to come its rate and their weights.
public struct ProgressEstimate: Sendable {
    public private(set) var stage = TransferStage.prepare
    private var totalBytes: Int64
    private var doneBytes: Int64 = 0
    private var rate = TransferRate()
    /// Seconds that one byte of weight 1 took in the stages that were measured.
    private var secondsPerByte: Double?

    /// - Parameter totalBytes: Bytes of the package, as far as is known; 0 is unknown.
    public init(totalBytes: Int64 = 0) { self.totalBytes = max(0, totalBytes) }

    /// - Parameter bytes: Bytes of the package, now that they are known.
    public mutating func expect(_ bytes: Int64) { totalBytes = max(0, bytes) }

    /// A stage begins, also one that ran before: a link that came back may send again.
    public mutating func begin(_ stage: TransferStage) {
        guard stage != self.stage else { return }
        self.stage = stage
        doneBytes = 0
        rate = TransferRate()
    }

    /// - Parameter bytes: All bytes of this stage that are done.
    public mutating func record(_ bytes: Int64, at now: ContinuousClock.Instant) {
        doneBytes = min(max(0, bytes), totalBytes)
        rate.record(doneBytes, at: now)
        guard let measured = rate.bytesPerSecond, measured >= 1 else { return }
        secondsPerByte = 1 / (measured * stage.weight)
    }

    /// The time of a pause is no time of work.
    public mutating func pause() { rate.pause() }

    public var progress: TransferProgress {
        TransferProgress(
            stage: stage,
            doneBytes: doneBytes,
            totalBytes: totalBytes,
            fraction: fraction,
            timeLeft: timeLeft
        )
    }

    private var fraction: Double {
        let all = TransferStage.allCases.reduce(0) { $0 + $1.weight }
        let before = TransferStage.allCases.filter { $0.rawValue < stage.rawValue }.reduce(0) { $0 + $1.weight }
        let within = totalBytes > 0 ? Double(doneBytes) / Double(totalBytes) : 0
        return (before + within * stage.weight) / all
    }

    private var timeLeft: Duration? {
        guard totalBytes > 0, let secondsPerByte else { return nil }
        let later = TransferStage.allCases.filter { $0.rawValue > stage.rawValue }.reduce(0) { $0 + $1.weight }
        let weighted = Double(totalBytes - doneBytes) * stage.weight + Double(totalBytes) * later
        return .seconds(min(weighted * secondsPerByte, 1e9))
    }
}
