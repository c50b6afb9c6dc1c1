import Glibc
import PortForwarding
package import PortForwardingHost

/// The programs that listen on ports of this computer, from /proc.
package struct LinuxPorts: ListeningPorts {
    private let root: String
    private let user: UInt32

    /// - Parameters:
    ///   - root: Before the paths of /proc, where a test has recorded ones.
    ///   - user: Whose programs are offered.
    package init(root: String = "", user: UInt32 = getuid()) {
        self.root = root
        self.user = user
    }

    package func listening() -> [ListeningPort] {
        let sockets = self.sockets().filter { $0.user == user }
        let programs = programs(of: Set(sockets.map(\.inode)))
        var found: [Int: ListeningPort] = [:]
        for socket in sockets {
            let program = programs[socket.inode]
            let isOfTandem = program.map(Self.isTandem) ?? false
            if found[socket.port]?.program == nil {
                found[socket.port] = ListeningPort(port: socket.port, program: program, isOfTandem: isOfTandem)
            }
        }
        return found.values.sorted { $0.port < $1.port }
    }

    package func isOfTandem(_ port: Int) -> Bool {
        let inodes = Set(sockets().filter { $0.port == port && $0.user == user }.map(\.inode))
        return programs(of: inodes).values.contains(where: Self.isTandem)
    }

    private static func isTandem(_ program: String) -> Bool { program == "tandem" }

    // MARK: Sockets

    private struct Socket {
        let port: Int
        let user: UInt32
        let inode: UInt64
    }

    private func sockets() -> [Socket] {
        ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path in
            lines(of: root + path).dropFirst().compactMap(Self.socket)
        }
    }

    /// A line of the table; nil for one that does not listen, or not so that loopback reaches it.
    private static func socket(_ line: Substring) -> Socket? {
        let columns = line.split(separator: " ")
        // 0A is LISTEN.
        guard columns.count > 9, columns[3] == "0A", let colon = columns[1].lastIndex(of: ":"),
            isReached(columns[1][..<colon]), let port = Int(columns[1][columns[1].index(after: colon)...], radix: 16),
            PortLimits.ports.contains(port), let user = UInt32(columns[7]), let inode = UInt64(columns[9])
        else { return nil }
        return Socket(port: port, user: user, inode: inode)
    }

    /// Whether a connection to 127.0.0.1 or ::1 reaches an address, in the table's form: words in the machine's order of bytes.
    private static func isReached(_ address: Substring) -> Bool {
        if address.allSatisfy({ $0 == "0" }) { return true }
        switch address.count {
        case 8: return UInt32(address, radix: 16) == UInt32(0x7F00_0001).bigEndian
        case 32:
            let last = UInt32(address.suffix(8), radix: 16)
            guard address.prefix(16).allSatisfy({ $0 == "0" }) else { return false }
            if address.dropFirst(16).prefix(8).allSatisfy({ $0 == "0" }) { return last == UInt32(1).bigEndian }
            return UInt32(address.dropFirst(16).prefix(8), radix: 16) == UInt32(0xFFFF).bigEndian
                && last == UInt32(0x7F00_0001).bigEndian
        default: return false
        }
    }

    // MARK: Programs

    /// The names of the programs that have these sockets, as far as they may be seen.
    private func programs(of inodes: Set<UInt64>) -> [UInt64: String] {
        guard !inodes.isEmpty else { return [:] }
        var programs: [UInt64: String] = [:]
        for process in names(in: root + "/proc") where process.allSatisfy(\.isNumber) {
            let folder = "\(root)/proc/\(process)"
            for descriptor in names(in: folder + "/fd") {
                guard let inode = Self.inode(link(folder + "/fd/" + descriptor)), inodes.contains(inode) else {
                    continue
                }
                // A listener that several processes share is called by the first one.
                if programs[inode] == nil { programs[inode] = lines(of: folder + "/comm").first.map(String.init) }
            }
            if programs.count == inodes.count { break }
        }
        return programs
    }

    private static func inode(_ link: String?) -> UInt64? {
        guard let link, link.hasPrefix("socket:["), link.hasSuffix("]") else { return nil }
        return UInt64(link.dropFirst(8).dropLast())
    }

    // MARK: Files

    private func lines(of path: String) -> [Substring] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        // A machine has some thousand sockets; more than this is not read.
        while bytes.count < 8 << 20 {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    private func names(in folder: String) -> [String] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 128)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
