import NIOCore
import Synchronization
import WebClient

/// A request's body as the library takes it: piece by piece, as the socket has room.
struct UploadPieces: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: UploadPieces
        var left: Int64

        mutating func next() async throws -> ByteBuffer? {
            let piece: [UInt8]?
            do {
                pieces.watch.rests()
                piece = try await pieces.nextPiece()
                left -= Int64(piece?.count ?? 0)
                guard left >= 0, piece != nil || left == 0 else {
                    throw WebClientError.wrongBodyLength(expected: pieces.length)
                }
            } catch {
                pieces.failure.record(error)
                throw error
            }
            // The server's turn: to take the piece, or to answer.
            pieces.watch.waits()
            return piece.map { ByteBuffer(bytes: $0) }
        }
    }

    let length: Int64
    let watch: WebWatch
    let failure: UploadFailure
    let nextPiece: @Sendable () async throws -> [UInt8]?

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self, left: length) }
}
