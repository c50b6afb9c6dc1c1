import CBenchmarkIO
import Foundation
import Kernel

/// A running role of `tandem`, and what the system says about it.
final class Program {
    let role: String
    let folder: String
    let logPath: String
    /// What it printed first.
    let announcement: JSONValue
    private let process: pid_t
    private let output: Int32

    /// Starts a role with the descriptor limits people have.
    ///
    /// - Throws: ``FloodError`` unless it prints a line of JSON within 20 s.
    init(_ tandem: String, role: String, work: String, name: String, arguments: [String]) throws(FloodError) {
        self.role = role
        folder = "\(work)/\(name)"
        logPath = "\(work)/\(name).log"
        let words = [tandem, role, "--state", folder, "--json", "--log-level", "notice"] + arguments
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var pipe: Int32 = -1
        process = benchmark_start(&pointers, Self.softFileLimit, logPath, &pipe)
        output = pipe
        guard process > 0 else { throw .system("fork") }
        guard let line = Self.firstLine(of: output), let announcement = try? JSONValue(parsing: line.utf8) else {
            kill(process, SIGKILL)
            _ = benchmark_reap(process, 5_000)
            close(output)
            throw .cannotStart(role: role, reason: Self.end(of: logPath))
        }
        self.announcement = announcement
    }

    /// What a login shell has on most systems.
    private static let softFileLimit = 1024

    private static func firstLine(of output: Int32) -> String? {
        var text = ""
        let end = HalfLoad.now() + 20
        while HalfLoad.now() < end {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 200) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &bytes, bytes.count)
            guard count > 0 else { return nil }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
            if let newline = text.firstIndex(of: "\n") { return String(text[..<newline]) }
        }
        return nil
    }

    private static func end(of path: String) -> String {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""  // no log, nothing to show
        return text.suffix(400).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    var port: UInt16 { announcement["port"]?.integerValue.flatMap(UInt16.init(exactly:)) ?? 0 }

    /// Nil while it runs; what ended it otherwise.
    var ending: String? {
        switch benchmark_ended_by(process) {
        case -1: nil
        case 0: "it ended by itself"
        case let signal: "signal \(signal)"
        }
    }

    /// User and system time of all its threads so far, in seconds.
    func processorSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The second field is the program's name in brackets, which may hold anything.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, fields[1] != "Z", let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw FloodError.programEnded(role: role)
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Memory it holds now, in bytes; 0 once it has ended.
    func residentBytes() -> Int { status("VmRSS:") * 1024 }

    private func status(_ field: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) })
        else { return 0 }  // it has ended
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    /// Descriptors it has open; 0 once it has ended.
    func descriptors() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
    }

    /// How many it may have now.
    func descriptorLimit() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Max open files") })
        else { return 0 }  // it has ended
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    /// The database and its log, in bytes.
    func databaseBytes() -> Int { Self.size("\(folder)/tandem.sqlite") + Self.size("\(folder)/tandem.sqlite-wal") }

    func logBytes() -> Int { Self.size(logPath) }

    /// Lines of its log from `offset` on that say that descriptors were short.
    func descriptorComplaints(after offset: Int) -> Int {
        guard let file = FileHandle(forReadingAtPath: logPath) else { return 0 }
        defer { try? file.close() }
        // A log that cannot be read holds no complaint that can be counted; its size is a figure of its own.
        guard (try? file.seek(toOffset: UInt64(offset))) != nil, let bytes = try? file.read(upToCount: 64 << 20) else {
            return 0
        }
        let signs = ["Too many open files", "errno: 24", "EMFILE", "too many open files"]
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { line in
            signs.contains { line.contains($0) }
        }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    func stop() {
        kill(process, SIGTERM)
        if benchmark_reap(process, 5_000) == 0 {
            kill(process, SIGKILL)
            _ = benchmark_reap(process, 5_000)
        }
        close(output)
    }
}
