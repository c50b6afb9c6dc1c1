import Terminal
import TerminalHost

/// A shell whose owner's every touch is noted; reading what it wrote is none.
final class RecordingTerminal: PseudoTerminal {
    private let terminal: any PseudoTerminal
    private let log: EffectLog

    init(_ terminal: any PseudoTerminal, log: EffectLog) {
        self.terminal = terminal
        self.log = log
    }

    var processID: Int32 { terminal.processID }
    var shell: String { terminal.shell }
    var folder: String { terminal.folder }

    func read(upTo limit: Int) async -> [UInt8]? { await terminal.read(upTo: limit) }

    func exit() async -> TerminalExit { await terminal.exit() }

    func write(_ bytes: [UInt8]) throws(TerminalError) {
        log.note("type")
        try terminal.write(bytes)
    }

    func resize(to size: TerminalSize) {
        log.note("resize")
        terminal.resize(to: size)
    }

    func hangUp() {
        log.note("hang up")
        terminal.hangUp()
    }

    func kill() {
        log.note("kill")
        terminal.kill()
    }
}
