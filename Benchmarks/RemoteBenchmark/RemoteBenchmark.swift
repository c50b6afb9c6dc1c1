import ArgumentParser
import BenchmarkReport
import Foundation
import LinuxFiles
import Pairing
import TandemPhone

@main
struct RemoteBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote-benchmark",
        abstract:
            "Times files, folders, terminals and commands of a paired computer on loopback, beside scp, ssh and magic-wormhole."
    )

    enum Part: String, ExpressibleByArgument, CaseIterable {
        case files, small, listing, terminal, keystrokes, commands
    }

    @Option(help: "The built program.") var tandem = ".build/release/tandem"
    @Option(help: "Folder with wormhole and twist; without it they are left out.") var wormhole: String?
    @Option(help: "OpenSSH's server. Without it files and terminals have no peer, and small files that of a pipe.")
    var sshd = "/usr/sbin/sshd"
    @Option(help: "How often each thing is measured; medians are printed.") var rounds = 3
    @Option(help: "Size of the file, in MiB.") var megabytes = 1024
    @Option(help: "How many small files there are in a folder, of 2 KB each.") var smallFiles = 3000
    @Option(parsing: .upToNextOption, help: "Measure only these.") var only = Part.allCases

    func validate() throws {
        guard (1...20).contains(rounds), (16...16384).contains(megabytes), (1...100_000).contains(smallFiles) else {
            throw ValidationError("rounds is 1 to 20, megabytes 16 to 16384, small-files 1 to 100000.")
        }
    }

    func run() async throws {
        // What `tandem phone` does when it starts.
        LinuxMemory.keepBuffers()
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "remote-benchmark-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server =
            try FileManager.default.isExecutableFile(atPath: sshd)
            ? SecureShell(folder: folder.appending(path: "ssh"), program: sshd) : nil
        defer { server?.stop() }
        let bench = self
        try await Household.with(tandem: tandem, folder: folder) { household in
            let computer = household.direct
            var rows: [Row] = []
            for part in bench.only {
                FileHandle.standardError.write(Data("measuring \(part.rawValue)\n".utf8))
                let before = rows.count
                switch part {
                case .files: rows += try await FileTransfers(bench, household, try bench.needed(server)).rows()
                case .small: rows += try await SmallFiles(bench, computer, server).rows()
                case .listing: rows += try await FolderListing(bench, computer).rows()
                case .terminal:
                    rows += try await TerminalThroughput(bench, computer, try bench.needed(server)).rows()
                case .keystrokes: rows += try await Keystrokes(bench, household).rows()
                case .commands: rows += try await Commands(bench, computer).rows()
                }
                FileHandle.standardError.write(Data((Row.table(Array(rows[before...])) + "\n").utf8))
            }
            print(Row.table(rows))
        }
    }

    private func needed(_ server: SecureShell?) throws -> SecureShell {
        guard let server else {
            throw BenchmarkError.failed(
                command: sshd,
                said: "The peer is OpenSSH: apt-get install openssh-client openssh-server"
            )
        }
        return server
    }
}
