import Foundation
import Kernel

/// Results go to stdout, everything else to stderr. What a peer said is made safe for a terminal on the way; only content
/// that was asked for as such goes into a pipe or a file as it is.
enum Output {
    /// Text of our own making: peers' parts of it were made safe where it was put together.
    static func result(_ text: String) {
        write(Data((text + "\n").utf8), to: STDOUT_FILENO)
    }

    /// Bytes as they are: to a file, or to stdout.
    static func content(_ content: Data, to path: String?) throws(CommandError) {
        guard let path else { return write(content, to: STDOUT_FILENO) }
        do {
            try content.write(to: Live.path(typed: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, reason: Reason.of(error))
        }
    }

    /// Text as it is into a pipe or a file. On a terminal what could act on it is shown as escapes, with a word about it.
    static func text(_ text: String) {
        guard isatty(STDOUT_FILENO) == 1 else { return write(Data(text.utf8), to: STDOUT_FILENO) }
        let (shown, remark) = forTerminal(text)
        write(Data(shown.utf8), to: STDOUT_FILENO)
        if let remark { complain(remark) }
    }

    /// What a terminal gets of a text, and a word about it where that is something else.
    static func forTerminal(_ text: String) -> (shown: String, remark: String?) {
        let shown = TerminalText.block(text)
        let remark =
            "It holds characters that act on a terminal; they are shown as escapes. Exactly: into a file or a pipe."
        return (shown.hasSuffix("\n") ? shown : shown + "\n", shown == text ? nil : remark)
    }

    static func complain(_ text: String) {
        write(Data((TerminalText.block(text) + "\n").utf8), to: STDERR_FILENO)
    }

    /// One JSON value with `--json`, else the lines for a person, made of the value with every text in it safe for one row.
    static func result(_ value: JSONValue, as json: Bool, _ lines: (JSONValue) -> String) {
        if json { self.json(value) } else { result(lines(value.forTerminal)) }
    }

    static func json(_ value: JSONValue) { result(TerminalText.json(value.canonicalText)) }

    /// A file's name for a person: quoted as `ls` does on a terminal; into a pipe as it is where it fits into one row.
    static func name(_ text: String?) -> String {
        guard let text else { return "" }
        return isatty(STDOUT_FILENO) == 1 || !TerminalText.isSafe(text) ? TerminalText.name(text) : text
    }

    /// Columns wide enough for their longest cell, two spaces between.
    static func table(_ header: [String], _ rows: [[String]]) -> String {
        let table = ([header] + rows).map { $0.map(TerminalText.line) }
        let widths = header.indices.map { column in
            table.map { $0.indices.contains(column) ? TerminalText.columns($0[column]) : 0 }.max() ?? 0
        }
        return table.map { row in
            zip(row, widths).enumerated().map { index, cell in
                index == row.count - 1 ? cell.0 : TerminalText.padded(cell.0, to: cell.1)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// A wire time for a person, in their time zone.
    static func time(_ milliseconds: Int64?) -> String {
        guard let milliseconds, milliseconds > 0 else { return "never" }
        return Date(millisecondsSince1970: milliseconds).formatted(date: .abbreviated, time: .shortened)
    }

    /// A number of bytes for a person, in units of 1024 that are called so: 3.4 MiB.
    static func size(_ bytes: Int64) -> String { ByteSize(bytes).description }

    private static func write(_ data: Data, to descriptor: Int32) {
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        } catch {
            // The reader has gone, as with `| head`: the status is what the shell gives for SIGPIPE.
            if errno == EPIPE { Foundation.exit(141) }
            guard descriptor == STDOUT_FILENO else { return }
            complain("Error: The result could not be written: \(Reason.of(error)).")
            Foundation.exit(1)
        }
    }
}
