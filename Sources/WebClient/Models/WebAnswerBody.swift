/// The pieces of an answer's body, for one reader. The network is read as the reader asks: one that stops makes the server wait.
public struct WebAnswerBody: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let nextPiece: @Sendable () async throws -> [UInt8]?

        /// - Throws: ``WebClientError``.
        public mutating func next() async throws -> [UInt8]? { try await nextPiece() }
    }

    private let nextPiece: @Sendable () async throws -> [UInt8]?

    /// - Parameter nextPiece: Nil behind the last piece; throws ``WebClientError``.
    public init(nextPiece: @escaping @Sendable () async throws -> [UInt8]?) {
        self.nextPiece = nextPiece
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextPiece: nextPiece) }

    /// The whole body, at most ``WebRequest/largestBody`` bytes of it.
    ///
    /// - Throws: ``WebClientError``.
    public func collect() async throws -> [UInt8] {
        var whole: [UInt8] = []
        while let piece = try await nextPiece() { whole += piece }
        return whole
    }
}
