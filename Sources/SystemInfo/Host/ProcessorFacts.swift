package struct ProcessorFacts: Hashable, Sendable {
    /// Empty when the computer does not say.
    package var model: String
    /// What can run at a time, threads counted.
    package var cores: Int
    package var physicalCores: Int?
    package var speedMHz: Double?
    /// Of the last 1, 5 and 15 minutes.
    package var load: [Double]

    package init(model: String, cores: Int, physicalCores: Int?, speedMHz: Double?, load: [Double]) {
        self.model = model
        self.cores = cores
        self.physicalCores = physicalCores
        self.speedMHz = speedMHz
        self.load = load
    }
}
