import LinuxTerminal

extension LinuxPseudoTerminalFactory {
    /// Starts shells that find no start-up files of a person: some of those wait for locks or for a network.
    static let withoutProfile = LinuxPseudoTerminalFactory(environment: ["HOME": "/", "PATH": "/usr/bin:/bin"])
}
