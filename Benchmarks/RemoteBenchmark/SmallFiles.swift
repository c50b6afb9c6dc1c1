import BenchmarkReport
import Files
import Foundation
import TandemPhone

/// A folder of small files with `tandem`'s client and with `scp -r`, in turns. Ours are on the disk when the call returns, so the peer's time
/// includes a `sync`. Where no OpenSSH server is, the peer is a pipe between two `tar`, which neither connects nor seals.
struct SmallFiles {
    private static let bytes = 2048
    private let bench: RemoteBenchmark
    private let computer: Computer
    private let server: SecureShell?

    init(_ bench: RemoteBenchmark, _ computer: Computer, _ server: SecureShell?) {
        self.bench = bench
        self.computer = computer
        self.server = server
    }

    func rows() async throws -> [Row] {
        // All in one folder, and ten in each.
        try await rows(inFolders: 1) + rows(inFolders: max(2, bench.smallFiles / 10))
    }

    private func rows(inFolders folders: Int) async throws -> [Row] {
        let name = "small-\(folders)"
        let (mine, theirs) = (computer.local.appending(path: name), computer.shared.appending(path: name))
        try make(mine, folders)
        try FileManager.default.copyItem(at: mine, to: theirs)
        let (up, down) = (computer.shared.appending(path: "up"), computer.local.appending(path: "down"))
        let client = try await computer.phone.part(FileTransferClient.self, of: computer.record)
        var (put, get, peerUp, peerDown) = (Sample(), Sample(), Sample(), Sample())
        for _ in 0..<bench.rounds {
            try await clear(up, down)
            put.values.append(try await seconds { _ = try await client.upload(mine.path, to: up.path) })
            get.values.append(try await seconds { _ = try await client.download(theirs.path, to: down.path) })
            try await check(mine, up, down)
            try await clear(up, down)
            peerUp.values.append(try await seconds { try await copy(mine, to: up, isUpload: true) })
            peerDown.values.append(try await seconds { try await copy(theirs, to: down, isUpload: false) })
            try await check(mine, up, down)
        }
        try await clear(up, down)
        let place = folders == 1 ? "" : " in \(folders) folders"
        let peer = server == nil ? "tar through a pipe" : "scp -r"
        func row(_ way: String, _ ours: Sample, _ theirs: Sample) -> Row {
            let ratio = ours.median / theirs.median
            return Row(
                "\(bench.smallFiles) files of 2 KB\(place) \(way), s; peer \(peer) and sync",
                ours: ours.median.fixed(2),
                peer: theirs.median.fixed(2),
                ratio: "\(ratio.fixed(2))x",
                goal: "≤ 2.0x",
                isMet: ratio <= 2
            )
        }
        return [row("to the computer", put, peerUp), row("from the computer", get, peerDown)]
    }

    private func make(_ folder: URL, _ folders: Int) throws {
        var generator = SystemRandomNumberGenerator()
        for number in 0..<bench.smallFiles {
            let inner = folders == 1 ? folder : folder.appending(path: "folder \(number % folders)")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            let bytes = (0..<Self.bytes / 8).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
            try Data(bytes).write(to: inner.appending(path: "file number \(number).txt"))
        }
    }

    private func copy(_ folder: URL, to target: URL, isUpload: Bool) async throws {
        let parent = folder.deletingLastPathComponent().path
        let pipe = "tar -C '\(parent)' -c '\(folder.lastPathComponent)' | tar -C '\(target.path)' -x"
        let host = "127.0.0.1:"
        let (from, to) = (isUpload ? folder.path : host + folder.path, isUpload ? host + target.path : target.path)
        let words = server?.scp(from, to + "/", recursively: true) ?? ["bash", "-o", "pipefail", "-c", pipe]
        try await Program.run(words)
        try await Program.run(["sync"])
    }

    private func check(_ original: URL, _ parents: URL...) async throws {
        for parent in parents {
            let copy = parent.appending(path: original.lastPathComponent)
            try await Program.run(["diff", "-r", original.path, copy.path])
        }
    }

    /// Nothing of the round before waits to be written while the next is measured.
    private func clear(_ folders: URL...) async throws {
        for folder in folders {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try await Program.run(["sync"])
    }
}
