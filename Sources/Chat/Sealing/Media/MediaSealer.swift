import Crypto
import Sealing

/// Seals a file that comes in pieces. It holds one segment at most beside what it is given.
public struct MediaSealer: Sendable {
    /// Goes in front of everything.
    public let header: [UInt8]
    private let keys: SealedMediaHeader
    private var waiting: [UInt8] = []
    private var index = 0

    /// - Parameters:
    ///   - length: Bytes of the whole file.
    ///   - key: 32 random bytes for this file alone.
    public init(length: Int, key: [UInt8]) throws(ChatSealingError) {
        try self.init(length: length, key: key, prefix: RandomBytes.make(7))
    }

    init(length: Int, key: [UInt8], prefix: [UInt8]) throws(ChatSealingError) {
        keys = try SealedMediaHeader(length: length, key: key, prefix: prefix)
        header = keys.bytes
    }

    /// The next bytes of the sealed file; few or none where the piece ends within a segment.
    ///
    /// - Throws: ``ChatSealingError/wrongLength`` for more than was announced.
    public mutating func seal(_ piece: some Collection<UInt8>) throws -> [UInt8] {
        waiting += piece
        guard index * SealedMedia.segment + waiting.count <= keys.length else { throw ChatSealingError.wrongLength }
        var sealed: [UInt8] = []
        var start = 0
        while index < keys.segmentCount, waiting.count - start >= keys.segmentLength(index) {
            let end = start + keys.segmentLength(index)
            sealed += try keys.seal(waiting[start..<end], at: index)
            index += 1
            start = end
        }
        waiting.removeFirst(start)
        return sealed
    }

    /// - Throws: ``ChatSealingError/wrongLength`` for less than was announced.
    public func finish() throws(ChatSealingError) {
        guard index == keys.segmentCount, waiting.isEmpty else { throw .wrongLength }
    }
}
