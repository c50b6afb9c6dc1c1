import CLinux
import FilesHost
import Glibc
import Transfers

/// Removes a name and what is below it, without ever following a link.
struct LinuxRemoval {
    private static let depthLimit = 256
    private static let entryLimit = 1_000_000

    let path: String
    let rules: ShareGuard

    func remove(_ name: [UInt8], in folder: Descriptor, recursively: Bool, depth: Int = 0) throws(FileError) {
        try rules.check(name, in: folder, for: .write, moves: true, named: path)
        if name.withCString({ unlinkat(folder.number, $0, 0) }) == 0 { return }
        let failure = errno
        guard failure == EISDIR || failure == EPERM, try folder.status(of: name, named: path).kind == .folder else {
            throw FileError(errno: failure, path: path)
        }
        if recursively {
            guard depth < Self.depthLimit else { throw .system(path, reason: "its folders are too deep") }
            let inner = try folder.open(name, Int(TANDEM_OPEN_FOLDER), withoutLinks: true, named: path)
            for entry in try LinuxFolder.names(in: inner, limit: Self.entryLimit, named: path) {
                try remove(entry.bytes, in: inner, recursively: true, depth: depth + 1)
            }
        }
        guard name.withCString({ unlinkat(folder.number, $0, AT_REMOVEDIR) }) == 0 else {
            throw FileError(errno: errno, path: path)
        }
    }
}
