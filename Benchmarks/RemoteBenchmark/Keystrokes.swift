import BenchmarkReport
import Files
import Foundation
import Kernel
import TandemPhone
import Terminal

/// From a key to its echo on the phone's screen, with nothing else going on, and while a file goes the same way or a way of its own. A file
/// that has its own connection shares no queue with keys, but still the processors and the disk.
struct Keystrokes {
    private let bench: RemoteBenchmark
    private let household: Household

    init(_ bench: RemoteBenchmark, _ household: Household) {
        self.bench = bench
        self.household = household
    }

    func rows() async throws -> [Row] {
        var rows = [row("key to echo, nothing else, ms p50 / p99", try await echoes(at: household.direct))]
        for (computer, way) in [(household.direct, "directly"), (household.session, "through the session")] {
            let file = computer.local.appending(path: "long")
            let count = "count=\(bench.megabytes)"
            try await Program.run(["dd", "if=/dev/urandom", "of=\(file.path)", "bs=1M", count, "status=none"])
            let source = computer.shared.appending(path: "source")
            try FileManager.default.copyItem(at: file, to: source)
            let client = try await computer.phone.part(FileTransferClient.self, of: computer.record)
            let target = computer.shared.appending(path: "long").path
            let up = try await echoes(at: computer) {
                try? FileManager.default.removeItem(atPath: target)
                _ = try await client.upload(file.path, to: computer.shared.path)
            }
            rows.append(row("… while a file goes up \(way)", up, limit: 5))
            let down = try await echoes(at: computer) {
                try? FileManager.default.removeItem(at: computer.local.appending(path: "again"))
                _ = try await client.download(source.path, to: computer.local.path, as: "again")
            }
            rows.append(row("… while a file comes down \(way)", down, limit: 5))
            for left in [
                file, source, computer.shared.appending(path: "long"), computer.local.appending(path: "again"),
            ] {
                // The last of each may have been stopped before it was there.
                try? FileManager.default.removeItem(at: left)
            }
        }
        return rows
    }

    private func row(_ name: String, _ sample: Sample, limit: Double? = nil) -> Row {
        Row(
            name,
            ours: "\(sample.median.fixed(2)) / \(sample.percentile(99).fixed(2))",
            goal: limit.map { "p99 < \($0.fixed())" } ?? "",
            isMet: limit.map { sample.percentile(99) < $0 }
        )
    }

    /// Times keys as fast as their echoes come, but a hundred in a second at most, until a thousand came and `other` was running throughout.
    private func echoes(
        at computer: Computer,
        beside other: (@Sendable () async throws -> Void)? = nil
    ) async throws -> Sample {
        let terminal = try await computer.terminal(folder: computer.shared.path)
        let seen = LatestValue(0)
        return try await withThrowingTaskGroup(of: Sample?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await terminal.run { output in
                    if case .text(let text) = output {
                        seen.update { $0 += text.utf8.count { $0 == UInt8(ascii: "k") } }
                    }
                }
                return nil
            }
            if let other {
                group.addTask {
                    while !Task.isCancelled { try await other() }
                    return nil
                }
            }
            group.addTask {
                // A program that only echoes: what a shell's line editing costs is not ours.
                try await terminal.type(Array("stty -icanon -echo; exec cat\n".utf8))
                try await Task.sleep(for: .seconds(1))
                var sample = Sample()
                for _ in 0..<1000 {
                    let expected = seen.value + 1
                    sample.values.append(
                        try await seconds {
                            try await terminal.type([UInt8(ascii: "k")])
                            for await count in seen.values() where count >= expected { break }
                        } * 1000
                    )
                    try await Task.sleep(for: .milliseconds(10))
                }
                try await terminal.close()
                return sample
            }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw BenchmarkError.unexpected("the terminal ended")
        }
    }
}
