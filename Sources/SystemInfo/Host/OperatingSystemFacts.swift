package struct OperatingSystemFacts: Hashable, Sendable {
    /// As existing programs name it: `linux`, `darwin`.
    package var platform: String
    /// For the person, for example `Debian GNU/Linux 12 (bookworm)`.
    package var name: String
    package var version: String
    /// The kernel's release.
    package var kernel: String
    /// As existing programs name it: `x64`, `arm64`.
    package var architecture: String
    package var hostName: String

    package init(
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
