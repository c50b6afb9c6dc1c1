import Control
import Foundation
import Kernel
import Rights

/// Results go to stdout, everything else to stderr. What a peer said is made safe for a terminal on the way; only content
/// that was asked for as such goes into a pipe or a file as it is.
enum Output {
    /// Text of our own making: peers' parts of it were made safe where it was put together.
    static func result(_ text: String) throws(ConsoleError) {
        try Running.console.write(Data((text + "\n").utf8), to: .output)
    }

    /// Bytes as they are: to a file, or to stdout.
    static func content(_ content: Data, to path: String?) throws {
        guard let path else { return try Running.console.write(content, to: .output) }
        do {
            try content.write(to: Live.path(typed: path), options: .atomic)
        } catch {
            throw CommandError.cannotWrite(path: path, reason: Reason.of(error))
        }
    }

    /// Text as it is into a pipe or a file. On a terminal what could act on it is shown as escapes, with a word about it.
    static func text(_ text: String) throws(ConsoleError) {
        let console = Running.console
        guard console.isTerminal(.output) else { return try console.write(Data(text.utf8), to: .output) }
        let (shown, remark) = forTerminal(text)
        try console.write(Data(shown.utf8), to: .output)
        if let remark { complain(remark) }
    }

    /// The safe form of a text for a terminal, and a remark where that differs from the text.
    static func forTerminal(_ text: String) -> (shown: String, remark: String?) {
        let shown = TerminalText.block(text)
        let remark =
            "It holds characters that act on a terminal; they are shown as escapes. Exactly: into a file or a pipe."
        return (shown.hasSuffix("\n") ? shown : shown + "\n", shown == text ? nil : remark)
    }

    /// A word to the person beside the result. Where standard error takes none, the result still counts.
    static func complain(_ text: String) {
        try? Running.console.write(Data((TerminalText.block(text) + "\n").utf8), to: .error)
    }

    /// A drawing of ours beside the result, whose colours are kept. Nothing of a peer's may be in it.
    static func draw(_ drawing: String) {
        try? Running.console.write(Data((drawing + "\n").utf8), to: .error)
    }

    /// A role's answer: as it came with `--json`, else in lines for a person.
    static func result<Answer: Decodable>(
        _ wire: JSONValue,
        as json: Bool,
        _ lines: (Answer) throws -> String
    ) throws {
        try result(text(of: wire, as: json, lines))
    }

    /// The output of ``result(_:as:_:)``. The lines are made of the answer with every text in it safe for one row.
    static func text<Answer: Decodable>(
        of wire: JSONValue,
        as json: Bool,
        _ lines: (Answer) throws -> String
    ) throws -> String {
        try json ? TerminalText.json(wire.canonicalText) : lines(wire.forTerminal.controlAnswer())
    }

    static func json(_ value: JSONValue) throws(ConsoleError) { try result(TerminalText.json(value.canonicalText)) }

    /// A file's name for a person: quoted as `ls` does on a terminal; into a pipe as it is where it fits into one row.
    static func name(_ text: String?) -> String {
        guard let text else { return "" }
        return Running.console.isTerminal(.output) || !TerminalText.isSafe(text) ? TerminalText.name(text) : text
    }

    /// Columns wide enough for their longest cell, two spaces between. On a terminal no row is longer than the window.
    static func table(_ header: [String], _ rows: [[String]]) -> String {
        Table(header: header, rows: rows).text(width: width)
    }

    /// Columns of the window that results go to; nil where there is none, as in a file or a pipe.
    static var width: Int? {
        let console = Running.console
        return console.isTerminal(.output) ? console.window()?.columns : nil
    }

    /// A row for each right with what it amounts to, which goes on below itself where it has no room.
    ///
    /// - Parameter width: Nil: nothing is broken.
    static func table(of rights: some Sequence<Right>, width: Int? = Output.width) -> String {
        let catalogue = Live.rights
        let longest = catalogue.declarations.map(\.right.rawValue.count).max() ?? 0
        return catalogue.sorted(rights).map { right in
            let space = String(repeating: " ", count: longest - right.rawValue.count + 2)
            let name = "  \(right.rawValue)\(space)"
            let meaning = catalogue[right]?.meaning ?? ""
            return name + TerminalText.rows(meaning, width: width, from: name.count, indent: name.count)
        }.joined(separator: "\n")
    }

    /// `name: value`, one a row; what is inside an object or a list is set in, and what is not known left out. For an answer
    /// of which every member counts.
    static func members(_ value: JSONValue, indent: String = "") -> String {
        lines(value, indent: indent).joined(separator: "\n")
    }

    private static func lines(_ value: JSONValue, indent: String) -> [String] {
        (value.objectValue ?? [:]).sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
            switch value {
            case .null, .array([]): []
            case .object: ["\(indent)\(key):"] + lines(value, indent: indent + "  ")
            case .array(let values) where values.contains { $0.objectValue != nil }:
                ["\(indent)\(key):"] + values.flatMap { item(of: $0, indent: indent + "  ") }
            case .array(let values): ["\(indent)\(key): \(values.map { text($0, of: "") }.joined(separator: ", "))"]
            default: ["\(indent)\(key): \(text(value, of: key))"]
            }
        }
    }

    private static func item(of value: JSONValue, indent: String) -> [String] {
        var lines = lines(value, indent: indent + "  ")
        guard let first = lines.first else { return ["\(indent)- \(text(value, of: ""))"] }
        lines[0] = "\(indent)- \(first.dropFirst(indent.count + 2))"
        return lines
    }

    /// The wire's times are called `pairedAt`, `since` and the like.
    private static func text(_ value: JSONValue, of key: String) -> String {
        if key.hasSuffix("At") || key == "since", let milliseconds = value.integerValue { return time(milliseconds) }
        return value.stringValue ?? value.canonicalText
    }

    /// One row, on a terminal cut to the window's width.
    static func row(_ text: String) -> String {
        let text = TerminalText.line(text)
        return width.map { Table.cut(text, to: $0) } ?? text
    }

    /// A wire time for a person, in their time zone.
    static func time(_ milliseconds: Int64?) -> String {
        guard let milliseconds, milliseconds > 0 else { return "never" }
        return moment(milliseconds)
    }

    /// A wire time in a list: on a terminal, where width counts, how long ago it was, and whole in a pipe or a file.
    static func when(_ milliseconds: Int64?) -> String {
        guard let milliseconds, milliseconds > 0, Running.console.isTerminal(.output) else { return time(milliseconds) }
        return ago(milliseconds, now: Date().millisecondsSince1970)
    }

    /// How long ago it was, for two weeks; then the date. A clock that goes ahead by moments is taken for now.
    static func ago(_ milliseconds: Int64, now: Int64) -> String {
        let (passed, isFar) = now.subtractingReportingOverflow(milliseconds)
        let seconds = passed / 1000
        switch seconds {
        case _ where isFar: return moment(milliseconds)
        case -60..<60: return "now"
        case 60..<3600: return "\(seconds / 60) min ago"
        case 3600..<86_400: return "\(seconds / 3600) h ago"
        case 86_400..<172_800: return "1 day ago"
        case 172_800..<1_209_600: return "\(seconds / 86_400) days ago"
        default: return Date(millisecondsSince1970: milliseconds).formatted(date: .abbreviated, time: .omitted)
        }
    }

    /// The beginning of an id that tells it from the others, of eight letters at least: commands take that, too. Whole in a pipe or a file.
    static func shortID(_ id: String, among ids: [String]) -> String {
        guard Running.console.isTerminal(.output) else { return id }
        let length = (8..<max(8, id.count)).first { length in
            !ids.contains { $0 != id && $0.hasPrefix(id.prefix(length)) }
        }
        return length.map { String(id.prefix($0)) } ?? id
    }

    /// A moment, also before 1970, in milliseconds since then.
    static func moment(_ milliseconds: Int64) -> String {
        Date(millisecondsSince1970: milliseconds).formatted(date: .abbreviated, time: .shortened)
    }

    /// A number of bytes for a person, in units of 1024 that are called so: 3.4 MiB.
    static func size(_ bytes: Int64) -> String { ByteSize(bytes).description }
}
