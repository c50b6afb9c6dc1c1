import BenchmarkReport
import Foundation
import Kernel
import TandemPhone
import Terminal

/// `cat` of 100 MB of text in a terminal, until the phone has shown all of it.
struct TerminalThroughput {
    private static let bytes = 100_000_000
    private let bench: RemoteBenchmark
    private let computer: Computer
    private let server: SecureShell

    init(_ bench: RemoteBenchmark, _ computer: Computer, _ server: SecureShell) {
        self.bench = bench
        self.computer = computer
        self.server = server
    }

    func rows() async throws -> [Row] {
        let file = computer.shared.appending(path: "text")
        let line = Array(
            (String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 2).prefix(79) + "\n").utf8
        )
        var text: [UInt8] = []
        text.reserveCapacity(Self.bytes)
        while text.count < Self.bytes { text += line }
        try Data(text.prefix(Self.bytes)).write(to: file)
        var (ours, peer) = (Sample(), Sample())
        for _ in 0..<bench.rounds {
            ours.values.append(try await seconds { try await cat(file.path) })
            peer.values.append(
                try await seconds { try await Program.run(server.shell("cat \(file.path)"), keepsOutput: false) }
            )
        }
        let ratio = peer.median / ours.median
        func rate(_ sample: Sample) -> String { (Double(Self.bytes) / 1e6 / sample.median).fixed() }
        return [
            Row(
                "cat of 100 MB in a terminal, MB/s; peer ssh -tt",
                ours: rate(ours),
                peer: rate(peer),
                ratio: "\(ratio.fixed(2))x",
                goal: "≥ 1.0x",
                isMet: ratio >= 1
            )
        ]
    }

    private func cat(_ path: String) async throws {
        let terminal = try await computer.terminal(folder: computer.shared.path)
        let count = LatestValue(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await terminal.run { output in
                    if case .text(let text) = output { count.update { $0 += text.utf8.count } }
                }
            }
            try await terminal.type(Array("exec cat \(path)\n".utf8))
            try await group.waitForAll()
        }
        guard count.value >= Self.bytes else { throw BenchmarkError.unexpected("\(count.value) bytes were shown") }
    }
}

extension Computer {
    func terminal(folder: String) async throws -> TerminalClient {
        let request = TerminalRequest(
            shell: "bash",
            environment: [:],
            folder: folder,
            size: try TerminalSize(columns: 80, rows: 24)
        )
        return try await TerminalsClient(phone.peer(record)).open(request)
    }
}
