import Foundation

/// Files that only their owner may read, from the first moment on: a pairing code holds a secret for five minutes.
enum PrivateFile {
    /// Writes the file whole or not at all.
    ///
    /// - Throws: ``PrivateFileError``
    static func write(_ data: Data, to path: String) throws {
        let file = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
        let name = ".\(file.lastPathComponent).\(UUID().uuidString)"
        let partial = file.deletingLastPathComponent().appending(path: name)
        // Made with its final mode, and never through a link that another process put there.
        let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PrivateFileError(path: path, code: errno) }
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
            guard rename(partial.path, file.path) == 0 else { throw PrivateFileError(path: path, code: errno) }
        } catch {
            unlink(partial.path)
            throw error
        }
    }
}

/// Why a file could not be written. The description is shown to the person.
struct PrivateFileError: Error, Hashable, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String {
        "\(path) could not be written: \(String(cString: strerror(code))). Choose another place for it."
    }
}
