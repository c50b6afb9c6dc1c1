import BenchmarkReport
import Files
import Foundation
import TandemPhone
import Transfers

/// The same file with `tandem`'s client, `scp` and magic-wormhole, in turns.
struct FileTransfers {
    private let bench: RemoteBenchmark
    private let computer: Computer
    private let server: SecureShell

    init(_ bench: RemoteBenchmark, _ computer: Computer, _ server: SecureShell) {
        self.bench = bench
        self.computer = computer
        self.server = server
    }

    func rows() async throws -> [Row] {
        let size = bench.megabytes
        let (mine, theirs) = (computer.local.appending(path: "file"), computer.shared.appending(path: "file"))
        try await Program.run(["dd", "if=/dev/urandom", "of=\(mine.path)", "bs=1M", "count=\(size)", "status=none"])
        try FileManager.default.copyItem(at: mine, to: theirs)
        let (up, down) = (computer.shared.appending(path: "up"), computer.local.appending(path: "down"))
        let client = try await computer.phone.part(FileTransferClient.self, of: computer.record)
        var (put, get, scpUp, scpDown, wormhole) = (Sample(), Sample(), Sample(), Sample(), Sample())
        for _ in 0..<bench.rounds {
            try clear(up, down)
            put.values.append(try await seconds { _ = try await client.upload(mine.path, to: up.path) })
            get.values.append(try await seconds { _ = try await client.download(theirs.path, to: down.path) })
            try await check(mine, up.appending(path: "file"), down.appending(path: "file"))
            try clear(up, down)
            scpUp.values.append(
                try await seconds { try await Program.run(server.scp(mine.path, "127.0.0.1:\(up.path)/file")) }
            )
            scpDown.values.append(
                try await seconds { try await Program.run(server.scp("127.0.0.1:\(theirs.path)", "\(down.path)/file")) }
            )
            guard let bin = bench.wormhole else { continue }
            try clear(up, down)
            let words = ["unshare", "--net", "Benchmarks/wormhole.sh", bin, mine.path, "\(down.path)/file"]
            let said = try await Program.run(words).trimmingCharacters(in: .whitespacesAndNewlines)
            guard let time = Double(said) else { throw BenchmarkError.unexpected("wormhole said \(said)") }
            wormhole.values.append(time)
        }
        try clear(up, down)
        let moved = client.moved
        let ways = "MiB that went directly: \(moved.direct >> 20); through the session: \(moved.session >> 20)\n"
        FileHandle.standardError.write(Data(ways.utf8))
        func row(_ name: String, _ ours: Sample, _ peer: Sample, atLeast goal: Double) -> Row {
            let ratio = peer.median / ours.median
            func rate(_ sample: Sample) -> String { (Double(size) * 1.048576 / sample.median).fixed() }
            return Row(
                name,
                ours: rate(ours),
                peer: rate(peer),
                ratio: "\(ratio.fixed(2))x",
                goal: "≥ \(goal.fixed(1))x",
                isMet: ratio >= goal
            )
        }
        var rows = [
            row("\(size) MiB to the computer, MB/s; peer scp", put, scpUp, atLeast: 0.8),
            row("\(size) MiB from the computer, MB/s; peer scp", get, scpDown, atLeast: 0.8),
        ]
        if bench.wormhole != nil { rows.append(row("… to it; peer magic-wormhole", put, wormhole, atLeast: 3)) }
        return rows
    }

    private func clear(_ folders: URL...) throws {
        for folder in folders {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }

    private func check(_ original: URL, _ copies: URL...) async throws {
        for copy in copies { try await Program.run(["cmp", original.path, copy.path]) }
    }
}
