import Synchronization

/// The digest of a file whose parts are read by several tasks.
final class SequentialDigest: Sendable {
    private let digest = Mutex(FileDigest())
    private let file: any ReadableFile
    private let size: Int64
    private let path: String

    init(_ file: any ReadableFile, size: Int64, path: String) {
        self.file = file
        self.size = size
        self.path = path
    }

    func take(_ bytes: [UInt8], at offset: Int64) { digest.withLock { $0.take(bytes[...], at: offset) } }

    /// Reads what was not taken in order.
    func finish() throws -> String {
        try digest.withLock { try $0.finish(file, size: size, named: path) }
    }
}
