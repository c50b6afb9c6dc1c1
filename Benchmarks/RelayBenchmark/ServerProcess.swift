import Foundation

/// A server in a process of its own, on a processor core of its own, whose costs the kernel counts.
final class ServerProcess {
    let name: String
    let port: Int
    private let process = Process()

    /// - Parameter command: Prints its port as the first line.
    init(name: String, core: Int, command: [String], environment: [String: String] = [:]) throws {
        self.name = name
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/taskset")
        process.arguments = ["-c", String(core)] + command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
            if byte.isEmpty { break }
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw BenchmarkError.noPort(name) }
        self.port = port
    }

    /// Seconds of processor time so far, user and system.
    func cpuSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        // The second field is the command's name in brackets and may hold spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchmarkError.noStatistics(name)
        }
        return (user + system) / 100
    }

    /// Resident memory, bytes.
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = line.split(separator: " ").dropLast().last.flatMap({ Int($0) })
        else { throw BenchmarkError.noStatistics(name) }
        return kibibytes * 1024
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

enum BenchmarkError: Error, CustomStringConvertible {
    case noPort(String)
    case noStatistics(String)
    case lost

    var description: String {
        switch self {
        case .noPort(let name): "\(name) did not print a port. Run it by hand to see why."
        case .noStatistics(let name): "/proc says nothing about \(name): it ended during the measurement."
        case .lost: "The server closed a connection during the measurement."
        }
    }
}
