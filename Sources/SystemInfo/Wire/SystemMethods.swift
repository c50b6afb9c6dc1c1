public import Commands
import Rights

/// Source: `docs/protocol.md`, "System".
public enum SystemMethods {
    /// Open to every paired phone, and served by every computer.
    public static let ping = Method<NoParameters, Pong>(
        "system.ping",
        needs: nil,
        risk: .safe,
        summary: "Answers at once."
    )
    /// Open to every paired phone: a browser that is one asks whether the page that a hub serves is the computer's, too. Served where the computer's
    /// program has a page.
    public static let page = Method<NoParameters, PageBundle>(
        "system.getPage",
        needs: nil,
        risk: .safe,
        summary: "Tells the version and the hash of the page for phones."
    )
    /// The most asked figures in one answer. Needs the right `system.info`, as all of these but ``ping``, ``page`` and ``logs``.
    public static let info = Method<SystemQuery, SystemSummary>(
        "system.info",
        needs: Permission(.systemInformation),
        risk: .safe,
        summary: "Gives the most asked figures in one answer."
    )
    /// Since when the computer is up, and the program's version.
    public static let status = about("system.getStatus", ProgramStatus.self, "Tells since when the computer is up.")
    /// The program, and what it runs on.
    public static let program = about(
        "system.getInfo",
        ProgramFacts.self,
        "Gives the program, its version and the platform."
    )
    /// The processor and its load.
    public static let processor = about(
        "sysinfo.getCPU",
        ProcessorAnswer.self,
        "Gives the processor and how busy it is."
    )
    /// Memory and swap, in bytes.
    public static let memory = about("sysinfo.getMemory", MemoryAnswer.self, "Gives memory and swap.")
    /// The operating system and the computer's name.
    public static let operatingSystem = about(
        "sysinfo.getOS",
        OperatingSystemAnswer.self,
        "Gives the operating system."
    )
    /// The time since the computer was started, in seconds.
    public static let uptime = about("sysinfo.getUptime", UptimeAnswer.self, "Tells how long the computer has been up.")
    /// The batteries; an empty list where there are none.
    public static let battery = about(
        "sysinfo.getBattery",
        BatteryAnswer.self,
        "Gives the batteries, where there are any."
    )
    /// The sensors' measurements, in degrees Celsius.
    public static let temperature = about(
        "sysinfo.getTemperature",
        TemperatureAnswer.self,
        "Gives the temperatures that the hardware reports."
    )
    /// The machine's maker, model, processor, memory and disks.
    public static let hardware = about("sysinfo.getHardware", HardwareAnswer.self, "Tells what the machine is made of.")
    /// How busy the processors and the memory are.
    public static let performance = about("sysinfo.getPerformance", PerformanceAnswer.self, "Tells how busy it is now.")
    /// The services of the system's manager: systemd on Linux.
    public static let services = Method<ServiceQuery, ServiceList>(
        "sysinfo.getServices",
        needs: Permission(.systemInformation),
        risk: .safe,
        summary: "Lists services and their state."
    )
    /// Logs hold text that was not meant to be shown.
    public static let logs = Method<LogQuery, LogPage>(
        "sysinfo.getLogs",
        needs: Permission(.systemLogs),
        risk: .privileged,
        summary: "Gives the newest lines of the system's log."
    )

    /// The feature's methods, for catalogues and registries.
    public static let all: [MethodDeclaration] = [
        ping.declaration, page.declaration, info.declaration, status.declaration, program.declaration,
        processor.declaration, memory.declaration, operatingSystem.declaration, uptime.declaration, battery.declaration,
        temperature.declaration, hardware.declaration, performance.declaration, services.declaration,
        logs.declaration,
    ]

    private static func about<Answer>(
        _ name: String,
        _ answer: Answer.Type,
        _ summary: String
    ) -> Method<NoParameters, Answer> {
        Method(name, needs: Permission(.systemInformation), risk: .safe, summary: summary)
    }
}
