/// A computer's processors together.
public struct ProcessorFacts: Hashable, Sendable {
    /// Empty when the computer does not say.
    public var model: String
    /// The number of threads that can run at a time.
    public var cores: Int
    /// Nil when the computer does not say.
    public var physicalCores: Int?
    /// The clock rate when it was read, in megahertz, averaged over the cores. Nil when the computer does not say.
    public var speedMHz: Double?
    /// The load averages of the last 1, 5 and 15 minutes.
    public var load: [Double]

    public init(model: String, cores: Int, physicalCores: Int?, speedMHz: Double?, load: [Double]) {
        self.model = model
        self.cores = cores
        self.physicalCores = physicalCores
        self.speedMHz = speedMHz
        self.load = load
    }
}
