/// The local end of a forwarded connection: a socket, or what reads along with one. One reader and one writer at a time.
package protocol PortEnd: Sendable {
    /// Reads what came: waits until there is some. A peer that is not read from has to wait.
    ///
    /// - Returns: Nil when nothing more can come, while the other direction may go on.
    /// - Throws: Where the connection broke.
    func read() async throws -> [UInt8]?

    /// Writes, and returns when the system has taken all of it.
    func write(_ bytes: [UInt8]) async throws

    /// Says that nothing more is written.
    func finish() async throws

    /// Closes both directions at once; whoever reads or writes is told. Harmless a second time.
    ///
    /// - Parameter broken: Whether the peer shall see that it was cut, and not a proper end.
    func close(broken: Bool)
}
