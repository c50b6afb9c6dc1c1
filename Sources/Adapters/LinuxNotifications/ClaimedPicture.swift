import Dispatch
import Foundation
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A picture's file that a program names in a notification.
enum ClaimedPicture {
    /// Bytes of a file that is read; larger ones are left out.
    static let limit = 4 << 20
    private static let queue = DispatchQueue(label: "tandem.notification-pictures")

    /// - Parameter text: An absolute path or a `file:` URL.
    /// - Returns: Nil for anything but an ordinary file of 1 to ``limit`` bytes that can be read. Whether it is a picture shows when it is decoded.
    static func bytes(at text: String) async -> [UInt8]? {
        guard let path = path(text) else { return nil }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: read(path)) }
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
