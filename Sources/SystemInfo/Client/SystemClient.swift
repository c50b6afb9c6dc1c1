public import Commands

/// How a paired computer is doing.
///
/// Each call throws ``RemoteFailure`` when the computer refused or does not know, and ``RemoteError`` when no answer came or it could not be
/// read.
public struct SystemClient: Sendable {
    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// Whether the computer is there. Every paired phone may ask.
    public func ping(timeout: Duration? = nil) async throws -> Pong {
        try await peer.call(SystemMethods.ping, timeout: timeout)
    }

    /// The page for browsers that are phones, as the computer has it. Every paired phone may ask.
    public func page() async throws -> PageBundle { try await peer.call(SystemMethods.page) }

    /// The most asked figures in one answer.
    ///
    /// - Parameter history: Also those of the last minutes, where the computer keeps them.
    public func summary(history: Bool = false) async throws -> SystemSummary {
        try await peer.call(SystemMethods.info, SystemQuery(history: history))
    }

    /// The computer's uptime and platform, and the program's version.
    public func status() async throws -> ProgramStatus { try await peer.call(SystemMethods.status) }

    /// The program that answers, and what it runs on.
    public func program() async throws -> ProgramFacts { try await peer.call(SystemMethods.program) }

    /// The processor, its load, and how busy it was since the last question: see ``ProcessorAnswer/usage``.
    public func processor() async throws -> ProcessorAnswer { try await peer.call(SystemMethods.processor) }

    /// Memory and swap, in bytes.
    public func memory() async throws -> MemoryFacts { try await peer.call(SystemMethods.memory).memory }

    /// The operating system, its kernel and the computer's name. Texts that the computer does not say are empty.
    public func operatingSystem() async throws -> OperatingSystemFacts {
        try await peer.call(SystemMethods.operatingSystem).system
    }

    /// The time since the computer's start, in seconds.
    public func uptime() async throws -> UptimeAnswer { try await peer.call(SystemMethods.uptime) }

    /// Empty for a computer that has none.
    public func batteries() async throws -> [BatteryFacts] { try await peer.call(SystemMethods.battery).batteries }

    /// The sensors' measurements, in degrees Celsius. Empty for a computer that measures none.
    public func temperatures() async throws -> TemperatureAnswer { try await peer.call(SystemMethods.temperature) }

    /// The machine's maker and model, its processor, memory and disks.
    public func hardware() async throws -> HardwareAnswer { try await peer.call(SystemMethods.hardware) }

    /// How busy processor and memory are now, and the load.
    public func performance() async throws -> PerformanceAnswer { try await peer.call(SystemMethods.performance) }

    /// - Parameter limit: Within ``SystemListLimits/range``.
    public func services(limit: Int = SystemListLimits.standard) async throws -> ServiceList {
        try await peer.call(SystemMethods.services, ServiceQuery(limit: limit))
    }

    /// The newest entries of the log. Needs a right of its own: logs hold text that was not meant to be shown.
    public func logs(_ query: LogQuery = LogQuery()) async throws -> LogPage {
        try await peer.call(SystemMethods.logs, query)
    }
}
