/// Cuts what a program writes into lines. A line that is too long ends it all: what follows could not be trusted to begin a message.
package struct LineSplitter: Sendable {
    /// Bytes of one line of an agent.
    package static let limit = 8 << 20

    /// A line is longer than the limit.
    package struct TooLong: Error {}

    private let limit: Int
    private var rest: [UInt8] = []

    package init(limit: Int = Self.limit) { self.limit = limit }

    /// Lines that are whole now, without their line feeds.
    package mutating func add(_ bytes: [UInt8]) throws(TooLong) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            guard rest.count + end - start <= limit else { throw TooLong() }
            lines.append(rest + bytes[start..<end])
            rest = []
            start = end + 1
        }
        guard rest.count + bytes.count - start <= limit else { throw TooLong() }
        rest += bytes[start...]
        return lines
    }

    /// The bytes behind the last line feed, for a program that ends without one.
    package mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return rest
    }
}
