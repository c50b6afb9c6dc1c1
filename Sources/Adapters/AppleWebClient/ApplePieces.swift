#if canImport(Darwin)
    import Foundation

    /// The pieces of a body, of which the system brings the next one when it is asked for.
    struct ApplePieces: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol {
            let task: URLSessionTask
            var pieces: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator

            mutating func next() async throws -> [UInt8]? {
                task.resume()
                return try await pieces.next()
            }
        }

        let task: URLSessionTask
        let pieces: AsyncThrowingStream<[UInt8], any Error>

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(task: task, pieces: pieces.makeAsyncIterator()) }
    }
#endif
