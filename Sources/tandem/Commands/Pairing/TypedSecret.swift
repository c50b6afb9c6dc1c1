import Foundation

/// What must not stand in a command line, where every account of the machine reads it: it comes through stdin.
enum TypedSecret {
    /// The most that is read; a code is well below.
    private static let limit = 8192

    /// Everything up to the end.
    static func all() async throws -> String {
        var bytes: [UInt8] = []
        for await piece in StandardInput() {
            bytes += piece
            guard bytes.count <= limit else { throw CommandError.tooMuchInput(limit: limit) }
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// One line; a terminal is asked for it first.
    static func line(asking question: String) async throws -> String {
        if isatty(STDIN_FILENO) == 1 { Output.complain(question) }
        var bytes: [UInt8] = []
        for await piece in StandardInput() {
            bytes += piece
            if piece.contains(UInt8(ascii: "\n")) { break }
            guard bytes.count <= limit else { throw CommandError.tooMuchInput(limit: limit) }
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
