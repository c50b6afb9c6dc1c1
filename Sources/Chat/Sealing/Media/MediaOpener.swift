/// Opens a sealed file that comes in pieces. Each segment is checked before a byte of it is handed out; it holds one at most beside what it is given.
public struct MediaOpener: Sendable {
    private let key: [UInt8]
    private let limit: Int
    private var header: SealedMediaHeader?
    private var waiting: [UInt8] = []
    private var index = 0

    /// - Parameter limit: Bytes of the opened file at most.
    public init(key: [UInt8], limit: Int) {
        self.key = key
        self.limit = limit
    }

    /// Bytes of the opened file, once its header has come.
    public var length: Int? { header?.length }

    /// The next bytes of the opened file.
    ///
    /// - Throws: ``ChatSealingError``; nothing more is to be asked of it then.
    public mutating func open(_ piece: some Collection<UInt8>) throws(ChatSealingError) -> [UInt8] {
        waiting += piece
        if header == nil {
            guard waiting.count >= SealedMediaHeader.byteCount else { return [] }
            header = try SealedMediaHeader(Array(waiting[..<SealedMediaHeader.byteCount]), key: key, limit: limit)
            waiting.removeFirst(SealedMediaHeader.byteCount)
        }
        guard let header else { return [] }
        var opened: [UInt8] = []
        var start = 0
        while index < header.segmentCount {
            let end = start + header.segmentLength(index) + SealedMedia.tag
            guard end <= waiting.count else { break }
            opened += try header.open(waiting[start..<end], at: index)
            index += 1
            start = end
        }
        waiting.removeFirst(start)
        guard index < header.segmentCount || waiting.isEmpty else { throw .wrongLength }
        return opened
    }

    /// - Throws: ``ChatSealingError/wrongLength`` where the end has not come.
    public func finish() throws(ChatSealingError) {
        guard let header, index == header.segmentCount, waiting.isEmpty else { throw .wrongLength }
    }
}
