import Foundation
import Synchronization

/// A secret read through stdin: every account of the machine can read command lines, so it must not stand in one.
enum TypedSecret {
    /// The most that is read; a code is well below.
    private static let limit = 8192

    /// Reads everything up to the end.
    static func all<Input: AsyncSequence>(from input: Input = StandardInput()) async throws -> String
    where Input.Element == [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in input {
            bytes += piece
            guard bytes.count <= limit else { throw CommandError.tooMuchInput(limit: limit) }
        }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What came behind a line, for the one that is asked for next.
    final class Rest: Sendable {
        fileprivate let bytes = Mutex<[UInt8]>([])
    }

    /// One line; a terminal is asked for it first.
    static func line<Input: AsyncSequence>(
        asking question: String,
        from input: Input = StandardInput(),
        behind rest: Rest = Rest(),
        canAsk: Bool = Running.console.isTerminal(.input),
        say: (String) -> Void = Output.complain
    ) async throws -> String where Input.Element == [UInt8] {
        if canAsk { say(question) }
        var bytes = rest.bytes.withLock { $0 }
        if !bytes.contains(UInt8(ascii: "\n")) {
            for try await piece in input {
                bytes += piece
                if piece.contains(UInt8(ascii: "\n")) { break }
                guard bytes.count <= limit else { throw CommandError.tooMuchInput(limit: limit) }
            }
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        rest.bytes.withLock { [bytes] in $0 = Array(bytes.dropFirst(line.count + 1)) }
        return String(decoding: line, as: UTF8.self)
    }
}
