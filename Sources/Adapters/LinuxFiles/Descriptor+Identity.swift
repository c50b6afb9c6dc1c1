import CLinux
import Glibc
import Transfers

extension Descriptor {
    /// Opens a path of the computer's own configuration, for looking only. Nil when nothing is there.
    convenience init?(lookingAt path: String) {
        let number = tandem_look(AT_FDCWD, path, 0)
        guard number >= 0 else { return nil }
        self.init(number)
    }

    func identity(named text: String) throws(FileError) -> InodeIdentity {
        guard let identity = try identity(of: [], named: text) else { throw .notFound(text) }
        return identity
    }

    /// The identity of the name itself, a link included. Nil when it is not there.
    func identity(of name: [UInt8], named text: String) throws(FileError) -> InodeIdentity? {
        var found = tandem_file_status()
        let result = name.withCString { tandem_file_status(number, $0, &found) }
        if result == -ENOENT { return nil }
        guard result >= 0 else { throw FileError(errno: -result, path: text) }
        return InodeIdentity(device: found.device, inode: found.inode)
    }

    /// The folder that this one is in now; the same folder at the root of all.
    func parent(named text: String) throws(FileError) -> Descriptor {
        let number = tandem_look(self.number, "..", 1)
        guard number >= 0 else { throw FileError(errno: -number, path: text) }
        return Descriptor(number)
    }

    /// Where a link leads, as it says. Nil for anything else.
    func link(_ name: [UInt8]) -> [UInt8]? {
        var target = [UInt8](repeating: 0, count: 4097)
        let count = name.withCString { name in
            target.withUnsafeMutableBytes { buffer in
                buffer.withMemoryRebound(to: CChar.self) { text in
                    text.baseAddress.map { readlinkat(number, name, $0, text.count) } ?? -1
                }
            }
        }
        guard count > 0, count < target.count else { return nil }
        return Array(target[..<count])
    }
}
