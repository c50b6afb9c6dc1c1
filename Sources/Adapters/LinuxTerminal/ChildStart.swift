import CLinux
import Glibc

/// What starting a program of any kind takes.
package enum ChildStart {
    /// Runs `body` with texts as a C program takes them: pointers, the last one nil.
    package static func withPointers<Result>(
        _ texts: [String],
        _ body: (inout [UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(&pointers)
    }

    /// A descriptor that can be read once a child has ended; a negative errno where there is none, and then the child has been ended.
    ///
    /// - Parameter group: Whether its whole group is ended.
    package static func watch(_ id: Int32, orEndingGroup group: Bool) -> Int32 {
        let descriptor = tandem_process_open(id)
        guard descriptor < 0 else { return descriptor }
        kill(group ? -id : id, SIGKILL)
        var code: Int32 = 0
        var signal: Int32 = 0
        while tandem_process_reap(id, &code, &signal) == EAGAIN { usleep(1000) }
        return descriptor
    }

    /// Whether it is a folder that this program may be in.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && access(path, X_OK) == 0
    }
}
