import Foundation

/// An OpenSSH server of the benchmark's own, for this user, with its own keys, on loopback.
struct SecureShell: Sendable {
    let port: Int
    private let folder: URL

    /// - Parameter program: The server's; it starts itself anew by this path.
    /// - Throws: ``BenchmarkError`` where OpenSSH is missing or does not start.
    init(folder: URL, program: String) throws {
        self.folder = folder
        port = try Self.freePort()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path
        let configuration = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(path)/host
            AuthorizedKeysFile \(path)/user.pub
            PidFile \(path)/pid
            StrictModes no
            UsePAM no
            PasswordAuthentication no
            PermitRootLogin prohibit-password
            Subsystem sftp internal-sftp

            """
        try Data(configuration.utf8).write(to: folder.appending(path: "configuration"))
        try Self.runNow(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(path)/host"])
        try Self.runNow(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(path)/user"])
        // Where it drops its privileges; Debian's start script makes it.
        if getuid() == 0 {
            try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        try Self.runNow([program, "-f", "\(path)/configuration"])
    }

    func stop() {
        guard let text = try? String(contentsOf: folder.appending(path: "pid"), encoding: .utf8),
            let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        kill(process, SIGTERM)
    }

    var options: [String] {
        [
            "-q", "-i", folder.appending(path: "user").path, "-o", "StrictHostKeyChecking=no", "-o",
            "UserKnownHostsFile=/dev/null",
            "-c", "aes256-gcm@openssh.com",
        ]
    }

    func scp(_ from: String, _ to: String, recursively: Bool = false) -> [String] {
        // The cipher of our own bulk connections: the fastest that both programs have.
        ["scp", "-c", "aes256-gcm@openssh.com", "-P", "\(port)"] + (recursively ? ["-r"] : []) + options + [from, to]
    }

    /// With a terminal on the far side, as when a person logs in.
    func shell(_ command: String) -> [String] { ["ssh", "-tt", "-p", "\(port)"] + options + ["127.0.0.1", command] }

    private static func runNow(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError.failed(
                command: words.joined(separator: " "),
                said: "The peer is OpenSSH: apt-get install openssh-client openssh-server"
            )
        }
    }

    private static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
            }
        }
        guard status else { throw BenchmarkError.unexpected("no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
