import BenchmarkReport
import Files
import Foundation
import TandemPhone
import Transfers

/// The same file with `tandem`'s client, directly and through the session, `scp` and magic-wormhole, in turns.
struct FileTransfers {
    /// One way to move the file with our client.
    private final class Way {
        let name: String
        let client: FileTransferClient
        /// The file, and the folders to which it goes up and comes down.
        let (theirs, up, down): (URL, URL, URL)
        var (put, get) = (Sample(), Sample())

        init(_ name: String, _ computer: Computer) async throws {
            self.name = name
            client = try await computer.phone.part(FileTransferClient.self, of: computer.record)
            theirs = computer.shared.appending(path: "file")
            (up, down) = (computer.shared.appending(path: "up"), computer.local.appending(path: "down"))
        }
    }

    private let bench: RemoteBenchmark
    private let household: Household
    private let server: SecureShell

    init(_ bench: RemoteBenchmark, _ household: Household, _ server: SecureShell) {
        self.bench = bench
        self.household = household
        self.server = server
    }

    func rows() async throws -> [Row] {
        let mine = household.direct.local.appending(path: "file")
        let count = "count=\(bench.megabytes)"
        try await Program.run(["dd", "if=/dev/urandom", "of=\(mine.path)", "bs=1M", count, "status=none"])
        let direct = try await Way("directly", household.direct)
        let session = try await Way("through the session", household.session)
        for way in [direct, session] { try FileManager.default.copyItem(at: mine, to: way.theirs) }
        let (up, down) = (direct.up, direct.down)
        var (scpUp, scpDown, wormhole) = (Sample(), Sample(), Sample())
        for round in 0..<bench.rounds {
            // Whoever goes first finds the machine in another state, so the ways take turns at that, too.
            for way in round.isMultiple(of: 2) ? [direct, session] : [session, direct] { try await move(mine, way) }
            try clear(up, down)
            scpUp.values.append(
                try await seconds { try await Program.run(server.scp(mine.path, "127.0.0.1:\(up.path)/file")) }
            )
            scpDown.values.append(
                try await seconds {
                    try await Program.run(server.scp("127.0.0.1:\(direct.theirs.path)", "\(down.path)/file"))
                }
            )
            guard let bin = bench.wormhole else { continue }
            try clear(up, down)
            let words = ["unshare", "--net", "Benchmarks/wormhole.sh", bin, mine.path, "\(down.path)/file"]
            let said = try await Program.run(words).trimmingCharacters(in: .whitespacesAndNewlines)
            guard let time = Double(said) else { throw BenchmarkError.unexpected("wormhole said \(said)") }
            wormhole.values.append(time)
        }
        try clear(up, down)
        try check(direct, session)
        var rows = [direct, session].map { row("to the computer \($0.name)", $0.put, scpUp) }
        rows += [direct, session].map { row("from the computer \($0.name)", $0.get, scpDown) }
        if bench.wormhole != nil {
            rows.append(row("to the computer directly", direct.put, wormhole, peer: "magic-wormhole", atLeast: 3))
        }
        return rows
    }

    /// Sends the file and fetches it, and looks at every byte of both.
    private func move(_ mine: URL, _ way: Way) async throws {
        try clear(way.up, way.down)
        let (client, theirs, up, down) = (way.client, way.theirs, way.up, way.down)
        way.put.values.append(try await seconds { _ = try await client.upload(mine.path, to: up.path) })
        way.get.values.append(try await seconds { _ = try await client.download(theirs.path, to: down.path) })
        for copy in [up, down] {
            try await Program.run(["cmp", mine.path, copy.appending(path: "file").path])
        }
        try clear(up, down)
    }

    /// - Throws: Where the file did not go the way that its row is called by.
    private func check(_ direct: Way, _ session: Way) throws {
        let (moved, others) = (direct.client.moved, session.client.moved)
        let ways =
            "MiB that went directly: \(moved.direct >> 20), and before a connection was open: \(moved.session >> 20)\n"
        FileHandle.standardError.write(Data(ways.utf8))
        guard others.direct == 0 else { throw BenchmarkError.unexpected("the session's file went directly") }
        guard moved.direct > moved.session else {
            throw BenchmarkError.unexpected("most of the file went through the session: \(direct.client.way)")
        }
    }

    /// - Parameter goal: How many times as fast as the peer it is to be.
    private func row(
        _ way: String,
        _ ours: Sample,
        _ theirs: Sample,
        peer: String = "scp",
        atLeast goal: Double = 0.8
    ) -> Row {
        let ratio = theirs.median / ours.median
        func rate(_ sample: Sample) -> String { (Double(bench.megabytes) * 1.048576 / sample.median).fixed() }
        return Row(
            "\(bench.megabytes) MiB \(way), MB/s; peer \(peer)",
            ours: rate(ours),
            peer: rate(theirs),
            ratio: "\(ratio.fixed(2))x",
            goal: "≥ \(goal.fixed(1))x",
            isMet: ratio >= goal
        )
    }

    private func clear(_ folders: URL...) throws {
        for folder in folders {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }
}
