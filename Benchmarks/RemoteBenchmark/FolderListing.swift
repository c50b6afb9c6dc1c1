import BenchmarkReport
import Foundation
import Kernel

/// A folder of 10,000 files, until its last entry is in the phone's hands.
struct FolderListing {
    private let bench: RemoteBenchmark
    private let computer: Computer

    init(_ bench: RemoteBenchmark, _ computer: Computer) {
        self.bench = bench
        self.computer = computer
    }

    func rows() async throws -> [Row] {
        let folder = computer.shared.appending(path: "many")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<10_000 {
            try Data().write(to: folder.appending(path: "file number \(number).txt"))
        }
        var (ours, peer) = (Sample(), Sample())
        for _ in 0..<max(10, bench.rounds) {
            ours.values.append(try await seconds { try await list(folder.path) } * 1000)
            peer.values.append(
                try await seconds {
                    try await Program.run(["ls", "-l", "--time-style=full-iso", folder.path], keepsOutput: false)
                } * 1000
            )
        }
        return [
            Row(
                "10,000 entries listed, ms; peer ls -l",
                ours: ours.median.fixed(1),
                peer: peer.median.fixed(1),
                ratio: "\((ours.median / peer.median).fixed(2))x",
                goal: "< 50",
                isMet: ours.median < 50
            )
        ]
    }

    private func list(_ path: String) async throws {
        var offset: Int64? = 0
        var count = 0
        while let start = offset {
            let page = try await computer.call(
                "file.listDirectory",
                ["path": .string(path), "showHidden": true, "compact": true, "offset": .integer(start)]
            )
            count += page["compact"]?.stringValue?.utf8.count { $0 == UInt8(ascii: "/") } ?? 0
            offset = page["nextOffset"]?.integerValue
        }
        guard count == 10_000 else { throw BenchmarkError.unexpected("\(count) entries") }
    }
}
