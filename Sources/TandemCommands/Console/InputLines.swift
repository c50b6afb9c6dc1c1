/// The lines of the running command's standard input, without their ends, as they come.
struct InputLines: AsyncSequence {
    typealias Element = String

    /// The longest line in bytes.
    let limit: Int

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let limit: Int
        private var input = StandardInput().makeAsyncIterator()
        private var bytes: [UInt8] = []
        /// Up to here no line feed is in the bytes.
        private var looked = 0
        private var isAtEnd = false

        fileprivate init(limit: Int) { self.limit = limit }

        /// - Throws: ``CommandError/lineTooLong(limit:)``.
        mutating func next() async throws -> String? {
            while true {
                if let end = bytes[looked...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = bytes[..<end]
                    guard line.count <= limit else { throw CommandError.lineTooLong(limit: limit) }
                    defer {
                        bytes.removeSubrange(...end)
                        looked = 0
                    }
                    return String(decoding: line, as: UTF8.self)
                }
                looked = bytes.count
                guard bytes.count <= limit else { throw CommandError.lineTooLong(limit: limit) }
                guard !isAtEnd, let piece = await input.next() else {
                    isAtEnd = true
                    guard !bytes.isEmpty else { return nil }
                    defer { bytes = [] }
                    looked = 0
                    return String(decoding: bytes, as: UTF8.self)
                }
                bytes += piece
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(limit: limit) }
}
