import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Holds a state folder for one process: two on one database would answer as one device and confuse every peer.
/// The system frees it when the process ends, however it ends.
public final class FolderLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``StateFolderError/inUse(path:)`` while another process holds it.
    public init(_ folder: StateFolder) throws {
        let path = folder.url.appending(path: "lock").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StateFolderError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StateFolderError.inUse(path: folder.url.path)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
