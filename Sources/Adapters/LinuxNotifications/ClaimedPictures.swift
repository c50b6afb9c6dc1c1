import Foundation
import Kernel
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The files of pictures that programs name in notifications. A file system that hangs holds up one thread and all pictures, and no
/// notification.
final class ClaimedPictures: Sendable {
    /// Bytes of a file that is read; larger ones are left out.
    static let limit = 4 << 20
    /// How long a notification waits for its picture.
    static let patience: Duration = .seconds(2)

    private struct Reads {
        var last: UInt64 = 0
        /// The reads that have not ended, and whether they were given up.
        var isGivenUp: [UInt64: Bool] = [:]
    }

    private let work = BlockingWork("tandem.icons", width: 1)
    private let time: any TimeSource
    private let read: @Sendable (String) -> [UInt8]?
    private let reads = Mutex(Reads())

    /// - Parameter read: Given a path; takes as long as the file system does.
    init(time: any TimeSource, read: @escaping @Sendable (String) -> [UInt8]? = { ClaimedPictures.read($0) }) {
        self.time = time
        self.read = read
    }

    /// - Parameter text: An absolute path or a `file:` URL.
    /// - Returns: Nil for anything but an ordinary file of 1 to ``limit`` bytes that can be read within ``patience``, and at once while an
    ///   earlier read is stuck. Whether it is a picture shows when it is decoded.
    func bytes(at text: String) async -> [UInt8]? {
        guard let path = Self.path(text), let number = begin() else { return nil }
        let (answer, reader) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
        work.perform { [self] in
            if let bytes = read(path) { reader.yield(bytes) }
            reads.withLock { $0.isGivenUp[number] = nil }
            reader.finish()
        }
        struct Late: Error {}
        do {
            return try await withTimeout(Self.patience, on: time, throwing: Late()) {
                for await bytes in answer { return bytes }
                return nil
            }
        } catch {
            // Late, or its asker has gone: the read goes on, and cannot be ended.
            giveUp(number)
            return nil
        }
    }

    /// Nil while a read is stuck.
    private func begin() -> UInt64? {
        reads.withLock { reads in
            guard !reads.isGivenUp.values.contains(true) else { return nil }
            reads.last += 1
            reads.isGivenUp[reads.last] = false
            return reads.last
        }
    }

    /// Does nothing for one that has ended meanwhile.
    private func giveUp(_ number: UInt64) {
        reads.withLock { reads in
            guard reads.isGivenUp[number] != nil else { return }
            reads.isGivenUp[number] = true
        }
    }

    private static func read(_ path: String) -> [UInt8]? {
        do {
            // Never waits for the other end of a pipe.
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            var status = stat()
            guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
                status.st_size <= limit
            else { return nil }
            let count = Int(status.st_size)
            let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = 0
                while filled < count {
                    let read = try file.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                    )
                    guard read > 0 else { break }
                    filled += read
                }
            }
            return bytes.isEmpty ? nil : bytes
        } catch {
            return nil
        }
    }

    private static func path(_ text: String) -> String? {
        if text.hasPrefix("/") { return text }
        guard text.hasPrefix("file://"), let url = URL(string: text), url.isFileURL, url.host() ?? "" == "" else {
            return nil
        }
        return url.path(percentEncoded: false)
    }
}
