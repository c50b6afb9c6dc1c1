import Synchronization

/// The digest of a file whose parts are read by several tasks.
package final class SequentialDigest: Sendable {
    private let digest: Mutex<FileDigest>
    private let file: any ReadableFile
    private let path: String

    /// - Parameter holes: See ``FileDigest/init(_:size:holes:)``.
    package init(
        _ method: ChecksumMethod,
        of file: any ReadableFile,
        size: Int64,
        holes: ByteRanges = ByteRanges(),
        path: String
    ) {
        digest = Mutex(FileDigest(method, size: size, holes: holes))
        self.file = file
        self.path = path
    }

    package func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws {
        try digest.withLock { try $0.take(bytes, at: offset) }
    }

    /// Reads what was not taken in order.
    package func finish() throws -> String {
        try digest.withLock { try $0.finish(file, named: path) }
    }
}
