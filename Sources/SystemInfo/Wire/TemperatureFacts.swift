/// The measurement of one sensor.
public struct TemperatureFacts: Hashable, Sendable {
    /// The sensor's driver with its label, for example `coretemp Package id 0`.
    public var name: String
    /// In degrees.
    public var celsius: Double
    /// Whether it measures the processor.
    public var isProcessor: Bool

    public init(name: String, celsius: Double, isProcessor: Bool) {
        self.name = name
        self.celsius = celsius
        self.isProcessor = isProcessor
    }
}
