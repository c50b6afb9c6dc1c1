/// The operating system of a computer, and its host name. Empty texts where it does not say.
public struct OperatingSystemFacts: Hashable, Sendable {
    /// The platform's name in existing programs: `linux`, `darwin`.
    public var platform: String
    /// For the person, for example `Debian GNU/Linux 12 (bookworm)`.
    public var name: String
    /// The distribution's or system's version, for example `12`.
    public var version: String
    /// The kernel's release.
    public var kernel: String
    /// The architecture's name in existing programs: `x64`, `arm64`.
    public var architecture: String
    /// The computer's own name for itself.
    public var hostName: String

    public init(
        platform: String,
        name: String,
        version: String,
        kernel: String,
        architecture: String,
        hostName: String
    ) {
        self.platform = platform
        self.name = name
        self.version = version
        self.kernel = kernel
        self.architecture = architecture
        self.hostName = hostName
    }
}
