import ArgumentParser
import BenchmarkReport
import Foundation
import Kernel
import MigrationContainer

/// Packs a generated journal as it would be sent and reads it as it would arrive, and says the speed and the memory of each.
@main
struct PackageBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "package-benchmark")

    @Option(help: "Files of the journal.")
    var files = 512

    @Option(help: "Bytes of each file.")
    var size = 2 << 20

    @Option(help: "Stories of the journal.")
    var stories = 50_000

    @Option(help: "Gibibytes of one more file, which is sparse.")
    var sparse = 0

    @Flag(help: "Let the files' checksums be computed before, as when the journal saved them.")
    var digested = false

    @Option(help: "Folder for the files.")
    var folder = FileManager.default.temporaryDirectory.path

    @Option(help: "Write the package here, for other programs to read.")
    var output: String?

    func run() async throws {
        let folder = URL(filePath: folder).appending(path: "package-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left of a benchmark does no harm
        let journal = try GeneratedJournal(
            folder: folder,
            fileCount: files,
            fileSize: size,
            storyCount: stories,
            sparse: UInt64(sparse) << 30,
            isDigested: digested
        )
        let work = BlockingWork("package-benchmark", width: 2)
        let crypto = MigrationCryptoService()
        let password = try MigrationPassword(new: "a password for a benchmark")
        try Memory.forgetPeak()
        print("memory before: \(try Memory.peak() >> 20) MiB at most")
        var package: MigrationPackage?
        let planning = try await seconds {
            package = try await MigrationBackupService(crypto: crypto, work: work).makePackage(
                of: journal,
                description: BackupDescription(backupID: UUID(), appVersion: "1", createdAt: 1),
                password: password,
                sessionKey: nil
            )
        }
        guard let package else { return }
        let gigabytes = Double(package.length) / 1e9
        print("plan:    \(planning.fixed(2)) s, \(try Memory.peak() >> 20) MiB at most")
        let header = package.header
        let output = output
        // The password's key took its 128 MiB.
        try Memory.forgetPeak()
        let sending = try await seconds {
            try await work.run {
                let stream = package.makeStream()
                let file = try output.map { try PackageFile(path: $0) }
                while let bytes = try stream.next() { try file?.write(bytes) }
            }
        }
        print(
            "pack:    \(sending.fixed(2)) s, \((gigabytes / sending).fixed(2)) GB/s, \(try Memory.peak() >> 20) MiB at most"
        )
        let both = try await seconds { try await Self.move(package, header, crypto, work) }
        print(
            "both:    \(both.fixed(2)) s, \((gigabytes / both).fixed(2)) GB/s, \(try Memory.peak() >> 20) MiB at most"
        )
    }

    /// Packs on one thread and reads on another.
    private static func move(
        _ package: MigrationPackage,
        _ header: ContainerHeader,
        _ crypto: MigrationCryptoService,
        _ work: BlockingWork
    ) async throws {
        let pipe = PackagePipe()
        async let writing: Void = work.run {
            let stream = package.makeStream()
            while let bytes = try stream.next(), pipe.write(bytes) { continue }
            pipe.finish()
        }
        try await work.run {
            let reader = try PackageReader(header: header, crypto: crypto, sink: DiscardingSink())
            _ = try reader.read { try pipe.read() }
        }
        try await writing
    }
}
