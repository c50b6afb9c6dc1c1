import Synchronization

/// The digest of a file whose parts are read by several tasks.
final class SequentialDigest: Sendable {
    private let digest: Mutex<FileDigest>
    private let file: any ReadableFile
    private let path: String

    init(_ method: ChecksumMethod, of file: any ReadableFile, size: Int64, path: String) {
        digest = Mutex(FileDigest(method, size: size))
        self.file = file
        self.path = path
    }

    func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws {
        try digest.withLock { try $0.take(bytes, at: offset) }
    }

    /// Reads what was not taken in order.
    func finish() throws -> String {
        try digest.withLock { try $0.finish(file, named: path) }
    }
}
