/// What one sensor measures.
package struct TemperatureFacts: Hashable, Sendable {
    package var name: String
    package var celsius: Double
    /// Whether it measures the processor.
    package var isProcessor: Bool

    package init(name: String, celsius: Double, isProcessor: Bool) {
        self.name = name
        self.celsius = celsius
        self.isProcessor = isProcessor
    }
}
