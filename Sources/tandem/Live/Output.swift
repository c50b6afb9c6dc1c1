import Foundation
import Kernel

/// Results go to stdout, everything else to stderr.
enum Output {
    static func result(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Bytes as they are: to a file, or to stdout.
    static func content(_ content: Data, to path: String?) throws {
        if let path {
            try content.write(to: URL(fileURLWithPath: path), options: .atomic)
        } else {
            try FileHandle.standardOutput.write(contentsOf: content)
        }
    }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// One JSON value with `--json`, else the lines for a person.
    static func result(_ value: JSONValue, as json: Bool, _ lines: (JSONValue) -> String) {
        result(json ? value.canonicalText : lines(value))
    }

    /// Columns wide enough for their longest cell, two spaces between.
    static func table(_ header: [String], _ rows: [[String]]) -> String {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([header] + rows).map { row in
            zip(row, widths).enumerated().map { index, cell in
                index == row.count - 1 ? cell.0 : cell.0.padding(toLength: cell.1, withPad: " ", startingAt: 0)
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    /// A wire time for a person, in their time zone.
    static func time(_ milliseconds: Int64?) -> String {
        guard let milliseconds, milliseconds > 0 else { return "never" }
        return Date(millisecondsSince1970: milliseconds).formatted(date: .abbreviated, time: .shortened)
    }
}
