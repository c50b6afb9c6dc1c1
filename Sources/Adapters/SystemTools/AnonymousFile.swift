import CommandServer
import Foundation

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A file without a name, for a program to read. A pipe would not do: a program that ends without reading it ends the
/// writer by SIGPIPE, and ignoring that signal would be inherited by every shell a phone opens.
enum AnonymousFile {
    /// - Returns: An open file at its beginning, for its receiver to close.
    /// - Throws: ``ToolError``.
    static func holding(_ bytes: [UInt8], for tool: SystemTool) throws(ToolError) -> FileDescriptor {
        do {
            let file = try open()
            do {
                try file.writeAll(bytes)
                try file.seek(offset: 0, from: .start)
                return file
            } catch {
                try file.close()
                throw error
            }
        } catch {
            throw .failed(tool: tool.name, reason: "there was no room for its input (\(error))")
        }
    }

    #if os(Linux)
        /// Opens a file in memory: copied content does not go to a disk.
        private static func open() throws -> FileDescriptor {
            let name = "/tandem-\(UUID().uuidString)"
            let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Errno(rawValue: errno) }
            shm_unlink(name)
            return FileDescriptor(rawValue: file)
        }
    #else
        private static func open() throws -> FileDescriptor {
            let path = FilePath(
                FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)").path
            )
            let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate, .closeOnExec]
            let file = try FileDescriptor.open(path, .readWrite, options: options, permissions: .ownerReadWrite)
            unlink(path.string)
            return file
        }
    #endif
}
