/// The running command's standard input, piece by piece, as it is asked for.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    /// Longer lines are cut: a person's answer is short.
    private static let lineLimit = 256

    private let console = Running.console

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let console: any Console

        mutating func next() async -> [UInt8]? {
            let bytes = await console.read()
            return bytes.isEmpty ? nil : bytes
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(console: console) }

    /// One line of an answer, without its end; nil at the end of input.
    static func line() async -> String? {
        var line: [UInt8] = []
        for await piece in StandardInput() {
            let rest = piece.prefix { $0 != UInt8(ascii: "\n") }
            line += rest.prefix(lineLimit - line.count)
            if rest.count < piece.count { return String(decoding: line, as: UTF8.self) }
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
