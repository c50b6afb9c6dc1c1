/// The programs of this computer that listen on ports; one implementation per operating system. Calls block.
package protocol ListeningPorts: Sendable {
    /// The ports on which programs of this user listen so that 127.0.0.1 or ::1 reaches them, by number.
    func listening() throws -> [ListeningPort]

    /// Whether a program of Tandem listens on a port.
    func isOfTandem(_ port: Int) throws -> Bool
}

/// A port on which a program listens.
package struct ListeningPort: Hashable, Sendable {
    package var port: Int
    /// The program's name as the system keeps it; nil where that may not be seen.
    package var program: String?
    /// Whether it is Tandem's own.
    package var isOfTandem: Bool

    package init(port: Int, program: String?, isOfTandem: Bool = false) {
        self.port = port
        self.program = program
        self.isOfTandem = isOfTandem
    }
}
