import CBenchmarkIO

/// Paces a flood so that what it makes work uses half a core: ten times a second the rate of what is sent is corrected by what
/// was used since.
struct HalfLoad {
    private static let aim = 0.5
    private static let step = 0.1
    private static let slice = 0.005

    private let usage: () throws -> Double
    private let most: Double
    private var rate: Double
    private var credit = 0.0
    private var lastSlice: Double
    private var lastCorrection: Double
    private var lastUsage: Double
    private let began: (time: Double, usage: Double)

    /// - Parameters:
    ///   - usage: Seconds of processor time used so far.
    ///   - first: Units a second to begin with.
    ///   - most: Units a second that are never exceeded.
    init(first: Double, most: Double, usage: @escaping () throws -> Double) throws {
        self.usage = usage
        self.most = most
        rate = first
        let now = Self.now()
        (lastSlice, lastCorrection) = (now, now)
        lastUsage = try usage()
        began = (now, lastUsage)
    }

    static func now() -> Double { Double(benchmark_nanoseconds()) / 1e9 }

    /// How many units may be sent now.
    mutating func budget() throws -> Int {
        let now = Self.now()
        if now - lastCorrection >= Self.step {
            let used = try usage()
            let share = (used - lastUsage) / (now - lastCorrection)
            rate = min(most, max(10, rate * min(1.3, max(0.5, Self.aim / max(share, 0.01)))))
            (lastUsage, lastCorrection) = (used, now)
        }
        guard now - lastSlice >= Self.slice else { return 0 }
        credit += rate * min(now - lastSlice, 0.05)
        lastSlice = now
        let whole = Int(credit)
        credit -= Double(whole)
        return whole
    }

    /// The mean share of a core since the beginning.
    func share() throws -> Double { (try usage() - began.usage) / max(Self.now() - began.time, 0.001) }
}
