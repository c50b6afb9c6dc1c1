import CBenchmarkIO
import Foundation

/// A running server on a core of its own, and what the system says about it.
final class ServerProcess {
    let name: String
    let port: UInt16
    private let process: pid_t
    private let output: Int32
    private let folder: URL

    /// - Throws: ``BenchmarkError`` unless the program prints its port within 20 s.
    init(_ command: ServerCommand, core: Int32) throws {
        name = command.name
        let folder = FileManager.default.temporaryDirectory.appending(path: "relay-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        let words = command.words.map { $0.replacing("{state}", with: folder.path) }
        let title = words.joined(separator: " ")
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var pipe: Int32 = -1
        process = benchmark_spawn(&arguments, core, &pipe)
        output = pipe
        guard process > 0 else { throw BenchmarkError.cannotStart(command: title) }
        guard let port = Self.readPort(from: output) else {
            kill(process, SIGKILL)
            _ = benchmark_reap(process, 5_000)
            throw BenchmarkError.noPort(command: title)
        }
        self.port = port
    }

    /// The number behind `"port":` in what the program prints first.
    private static func readPort(from output: Int32) -> UInt16? {
        var text = ""
        let end = benchmark_nanoseconds() + 20_000_000_000
        while benchmark_nanoseconds() < end {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 200) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &bytes, bytes.count)
            guard count > 0 else { return nil }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
            guard text.contains("\n") || text.contains("}") else { continue }
            if let match = text.firstMatch(of: /"port"\s*:\s*(\d+)/) { return UInt16(match.1) }
        }
        return nil
    }

    /// User and system time of all its threads so far, in seconds.
    func processorSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The second field is the program's name in brackets, which may hold anything.
        guard let bracket = text.lastIndex(of: ")") else { throw BenchmarkError.serverEnded(name: name) }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        guard fields.count > 12, fields[0] != "Z", let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchmarkError.serverEnded(name: name)
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Time its threads could have run and had to wait for a core: other programs' doing.
    func waitedSeconds() throws -> Double {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return threads.reduce(0) { sum, thread in
            // A thread may have ended since; it no longer counts.
            let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/schedstat", encoding: .utf8)
            let waited = text?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
            return sum + waited / 1e9
        }
    }

    /// Memory it holds now, in bytes.
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let match = text.firstMatch(of: /VmRSS:\s*(\d+) kB/), let kilobytes = Int(match.1) else {
            throw BenchmarkError.serverEnded(name: name)
        }
        return kilobytes * 1024
    }

    func stop() {
        kill(process, SIGTERM)
        if benchmark_reap(process, 3_000) == 0 {
            kill(process, SIGKILL)
            _ = benchmark_reap(process, 5_000)
        }
        close(output)
        // A folder of /tmp that stays behind harms nobody.
        try? FileManager.default.removeItem(at: folder)
    }
}
