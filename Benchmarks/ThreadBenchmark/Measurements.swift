import BenchmarkReport
import Foundation

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Counts the lines of the same files: ripgrep, or grep where that is not installed.
struct RipGrep {
    let name: String
    private let command: [String]

    init(_ folder: String) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let hasRipGrep = folders.contains { FileManager.default.isExecutableFile(atPath: $0 + "/rg") }
        name = hasRipGrep ? "rg" : "grep -r"
        command = hasRipGrep ? ["rg", "-c", "."] : ["grep", "-r", "-c", "."]
        self.folder = folder
    }

    private let folder: String

    /// How long it takes.
    func seconds() throws -> Double {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command + [folder]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let began = ContinuousClock.now
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("\(name) failed") }
        return (ContinuousClock.now - began) / .seconds(1)
    }
}

/// Resident memory of this process.
enum Memory {
    /// From here on the peak counts.
    static func forgetPeak() throws { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }

    /// In bytes.
    static func peak() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let match = text.firstMatch(of: /VmHWM:\s*(\d+) kB/), let kilobytes = Int(match.1) else {
            throw BenchmarkError("the system does not say how much memory is used")
        }
        return kilobytes << 10
    }
}

/// What the system keeps of files in memory.
enum FileCache {
    /// False where this process may not do that: only root may.
    static func drop() -> Bool {
        // What is not on the disk yet cannot be dropped.
        sync()
        return (try? Data("3".utf8).write(to: URL(filePath: "/proc/sys/vm/drop_caches"))) != nil
    }
}

extension Row {
    /// The median and the 99th percentile.
    static func of(_ name: String, _ sample: Sample, goal: String = "", isMet: Bool? = nil) -> Row {
        Row(
            name + ", p50 / p99",
            ours: "\(sample.median.fixed(2)) / \(sample.percentile(99).fixed(2))",
            goal: goal,
            isMet: isMet
        )
    }
}
