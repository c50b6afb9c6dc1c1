import Chat
import Foundation
import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A regular file that is open for reading. What is behind a name may change at any time: everything is asked of the open file. All of it blocks.
final class MediaFile: SystemFile {
    let number: Int32
    let path: String
    let side = FileSide.thisDevice
    /// Bytes, as it was opened.
    let size: Int

    /// - Throws: ``ChatError/unreadableFile(_:)`` for a file that is missing, belongs to others, or is no regular file.
    init(_ path: String) throws(ChatError) {
        let name = (path as NSString).lastPathComponent
        // Without O_NONBLOCK a named pipe would wait for its writer.
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw .unreadableFile(name) }
        var found = stat()
        guard fstat(number, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_size >= 0 else {
            close(number)
            throw .unreadableFile(name)
        }
        self.number = number
        self.path = path
        size = Int(found.st_size)
    }

    deinit { close(number) }

    /// The whole file.
    ///
    /// - Throws: ``ChatError/tooLong(_:limit:)``, ``ChatError/unreadableFile(_:)``.
    func bytes(atMost limit: Int) throws(ChatError) -> [UInt8] {
        guard size <= limit else { throw .tooLong("file", limit: limit) }
        return try bytes(0..<size)
    }

    /// - Throws: ``ChatError/unreadableFile(_:)``, also where the file became shorter.
    func bytes(_ range: Range<Int>) throws(ChatError) -> [UInt8] {
        let read: [UInt8]
        do throws(FileError) {
            read = try self.read(at: Int64(range.lowerBound), count: range.count)
        } catch {
            throw .unreadableFile((path as NSString).lastPathComponent)
        }
        guard read.count == range.count else { throw .unreadableFile((path as NSString).lastPathComponent) }
        return read
    }
}
