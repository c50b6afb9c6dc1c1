public struct OperatingSystemFacts: Hashable, Sendable {
    /// As existing programs name it: `linux`, `darwin`.
    public var platform: String
    /// For the person, for example `Debian GNU/Linux 12 (bookworm)`.
    public var name: String
    public var version: String
    /// The kernel's release.
    public var kernel: String
    /// As existing programs name it: `x64`, `arm64`.
    public var architecture: String
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
