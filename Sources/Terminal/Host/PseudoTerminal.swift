package import Terminal

/// One shell and the terminal it runs on. Ends with ``hangUp()``, which its owner calls in every case.
package protocol PseudoTerminal: Sendable {
    var processID: Int32 { get }
    /// The shell's path.
    var shell: String { get }
    /// The folder it was started in, absolute.
    var folder: String { get }

    /// What has the terminal now; nil where the system does not say it.
    var foreground: TerminalForeground? { get }

    /// Reads the programs' output: waits until there is some. A caller that does not read makes them wait. One reader at a time.
    ///
    /// - Returns: 1 to `limit` bytes; nil when no more can come.
    func read(upTo limit: Int) async -> [UInt8]?

    /// Types. Takes all of it or nothing, and never waits.
    ///
    /// - Throws: ``TerminalError/inputFull`` while too much is waiting for a program to read it.
    func write(_ bytes: [UInt8]) throws(TerminalError)

    func resize(to size: TerminalSize)

    /// Waits for the shell's end.
    func exit() async -> TerminalExit

    /// Closes the terminal: its programs get SIGHUP, and nothing can be read any more.
    func hangUp()

    /// Ends a shell that survived ``hangUp()``.
    func kill()
}

extension PseudoTerminal {
    package var foreground: TerminalForeground? { nil }
}

/// The program that a terminal's keys go to.
package struct TerminalForeground: Hashable, Sendable {
    /// Its name, without a path: what the system keeps of it.
    package var program: String
    /// The folder that it works in, absolute; nil where that may not be seen.
    package var folder: String?

    package init(program: String, folder: String? = nil) {
        self.program = program
        self.folder = folder
    }
}
