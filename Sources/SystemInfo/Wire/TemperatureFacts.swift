/// What one sensor measures.
public struct TemperatureFacts: Hashable, Sendable {
    public var name: String
    public var celsius: Double
    /// Whether it measures the processor.
    public var isProcessor: Bool

    public init(name: String, celsius: Double, isProcessor: Bool) {
        self.name = name
        self.celsius = celsius
        self.isProcessor = isProcessor
    }
}
