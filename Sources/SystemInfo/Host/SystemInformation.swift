package import SystemInfo

/// The system's facts about this computer. Each call asks the system anew; a fact that it does not tell is absent, one that it refuses throws.
package protocol SystemInformation: Sendable {
    func processorTimes() async throws -> ProcessorTimes
    func processor() async throws -> ProcessorFacts
    func memory() async throws -> MemoryFacts
    /// The one with the system on it first.
    func disks() async throws -> [DiskFacts]
    /// The one that reaches the network first.
    func networks() async throws -> [NetworkFacts]
    func operatingSystem() async throws -> OperatingSystemFacts
    /// Seconds since the computer started.
    func uptime() async throws -> Double
    func batteries() async throws -> [BatteryFacts]
    func temperatures() async throws -> [TemperatureFacts]
    func hardware() async throws -> HardwareFacts
    /// - Throws: ``ToolError`` where no system of ours looks after services.
    func services(limit: Int) async throws -> [ServiceFacts]
    /// The newest first.
    ///
    /// - Throws: ``ToolError`` where the system keeps no log that we can read.
    func logs(_ query: LogQuery) async throws -> [LogEntry]
}
