import Foundation

enum BenchmarkError: Error, CustomStringConvertible {
    case failed(command: String, said: String)
    case unexpected(String)

    var description: String {
        switch self {
        case .failed(let command, let said): "\(command) failed: \(said)"
        case .unexpected(let what): what
        }
    }
}

/// Programs that are run beside the benchmark.
enum Program {
    /// Runs to the end.
    ///
    /// - Returns: What it printed.
    @discardableResult
    static func run(_ words: [String], keepsOutput: Bool = true) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let output = Pipe()
        let errors = FileManager.default.temporaryDirectory.appending(path: "said-\(UUID().uuidString)")
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = keepsOutput ? output : FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        let status = await withCheckedContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(returning: 127) }
        }
        let text = keepsOutput ? String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) : ""
        guard status == 0 else {
            let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
            throw BenchmarkError.failed(command: words.joined(separator: " "), said: said)
        }
        return text
    }

    /// User and system time of a process so far, in seconds.
    static func processorSeconds(_ process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The second field is the program's name in brackets, which may hold anything.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw BenchmarkError.unexpected("process \(process) ended")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
