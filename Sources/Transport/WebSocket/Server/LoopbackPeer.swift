import Foundation
package import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Both ends of a connection on loopback, and whose program is at the other one.
///
/// Any program of any user of this machine reaches a port of loopback, and browsers hand a cookie of one port to every other port of the
/// same host. So a connection counts only if the system says that it belongs to this process's user.
package struct LoopbackPeer: Hashable, Sendable {
    private static let limit = 64 << 20
    private static let readings = 3

    /// The addresses of the client's end and of ours, as the kernel's table writes them: address and port in hexadecimal digits.
    package let client: String
    package let server: String
    package let isIPv6: Bool

    /// Nil for what is no connection of loopback.
    package init?(remote: SocketAddress?, local: SocketAddress?) {
        guard let client = Self.text(remote), let server = Self.text(local) else { return nil }
        self.client = client
        self.server = server
        if case .v6 = remote { isIPv6 = true } else { isIPv6 = false }
    }

    /// Whether the client is a program of this process's user, or of root, from whom nothing can be kept. Where the system keeps no such
    /// table, every client counts; sign-in is asked for in any case.
    package func isOwn() -> Bool {
        // The kernel hands the table out in pieces, and connections that come and go meanwhile may hide a row.
        for _ in 0..<Self.readings {
            guard let table = table() else { return true }
            if let isOwn = isOwn(in: table, user: getuid()) { return isOwn }
        }
        return false
    }

    private func table() -> String? {
        guard let file = FileHandle(forReadingAtPath: isIPv6 ? "/proc/net/tcp6" : "/proc/net/tcp") else { return nil }
        defer { try? file.close() }  // opened for reading: nothing can be lost
        return (try? file.read(upToCount: Self.limit)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Returns: Nil when the table has our own end and not the client's.
    package func isOwn(in table: String, user: UInt32) -> Bool? {
        var listsServer = false
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ", maxSplits: 10, omittingEmptySubsequences: true)
            guard columns.count > 9 else { continue }
            if columns[1] == client, columns[2] == server {
                // A socket that its program has closed belongs to no inode, and is listed as root's, whosever it was.
                return (columns[7] == "\(user)" || columns[7] == "0") && columns[9] != "0"
            }
            if columns[1] == server { listsServer = true }
        }
        // A table without our own end is not this system's: it tells nothing.
        return listsServer ? nil : true
    }

    private static func text(_ address: SocketAddress?) -> String? {
        guard let address, let port = address.port else { return nil }
        let words: [[UInt8]]
        switch address {
        case .v4(let address):
            words = [withUnsafeBytes(of: address.address.sin_addr) { Array($0) }]
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            words = stride(from: 0, to: 16, by: 4).map { Array(bytes[$0..<$0 + 4]) }
        case .unixDomainSocket: return nil
        }
        let hexadecimal = words.map { word in
            // The kernel prints each word as a number of this machine.
            let number = word.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
            return String(format: "%08X", number)
        }
        return hexadecimal.joined() + ":" + String(format: "%04X", port)
    }
}
