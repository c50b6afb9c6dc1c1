import Archives
import Crypto
import Dispatch
import Foundation
import Kernel
import MigrationContainer
import Synchronization

extension FuzzTarget {
    /// The head and the segments of a package: nothing opens that nobody sealed, and no cost is accepted that takes more than 256 MiB.
    static let packageOpener = FuzzTarget(name: "package-opener") { bytes in
        if let prefix = try? ContainerPrefix(bytes), !(14...18).contains(prefix.cost.logN) {
            finding("a cost outside of the limits")
        }
        guard let header, let first = bytes.first else { return }
        var opener = ContainerOpener(header: header)
        do {
            for start in stride(from: 1, to: bytes.count, by: Int(first) + 1) {
                try opener.append(bytes[start..<min(bytes.count, start + Int(first) + 1)]) { _ in
                    finding("a segment opened that nobody sealed")
                }
            }
            try opener.finish { _ in finding("a segment opened that nobody sealed") }
            finding("a package ended that nobody sealed")
        } catch {
            return
        }
    }

    /// The entries of a package, one for each part of the input between zero bytes: what reaches the sink is counted by the contents.
    static let packageEntries = FuzzTarget(name: "package-entries") { bytes in
        let names =
            ["manifest.json", "security/master_key.bin"] + MigrationEntity.allCases.map(\.path) + [
                "files.jsonl", "sections/chat/header.json", "sections/chat/rows.jsonl", "media/a",
            ]
        do {
            var archive: [UInt8] = []
            let writer = try ZipWriter { archive += $0 }
            for (name, body) in zip(names, bytes.split(separator: 0, omittingEmptySubsequences: false)) {
                let name = try ArchiveName(name)
                try writer.begin(name, size: UInt64(body.count), method: .stored, modified: .distantPast)
                try writer.write(body)
            }
            try writer.finish()
            let key = [UInt8](repeating: 1, count: 32)
            guard let sealed = try AES.GCM.seal(archive, using: SymmetricKey(data: key)).combined else { return }
            let sink = CountingSink()
            let contents = try LegacyPackage.read(Array(sealed), key: key, to: sink)
            guard sink.recordCount == contents.recordCounts.values.reduce(0, +), sink.files == sink.ended else {
                finding("the sink was told other things than the package holds")
            }
            let listed = contents.manifest.sections ?? []
            guard sink.sections == listed.count, sink.sectionFiles == listed.reduce(0, { $0 + $1.files }),
                sink.sectionBytes == listed.reduce(0, { $0 + $1.bytes })
            else { finding("the sink was told of other sections than the package lists") }
        } catch {
            return
        }
    }

    /// Made once: its password's key takes a moment.
    private static let header: ContainerHeader? = {
        let made = Mutex<ContainerHeader?>(nil)
        let done = DispatchSemaphore(value: 0)
        let crypto = MigrationCryptoService()
        Task.detached {
            let header = try? await crypto.makeHeader(
                length: 1 << 20,
                backupID: [UInt8](repeating: 1, count: 16),
                password: MigrationPassword(new: "a password of the fuzzer"),
                sessionKey: nil,
                cost: ScryptCost(logN: 14, parallelism: 1)
            )
            made.withLock { $0 = header }
            done.signal()
        }
        done.wait()
        return made.withLock { $0 }
    }()
}

private final class CountingSink: RestoreSink {
    private(set) var recordCount = 0
    private(set) var files = 0
    private(set) var ended = 0
    private(set) var sections = 0
    private(set) var sectionFiles = 0
    private(set) var sectionBytes: UInt64 = 0

    func begin(_ manifest: Manifest) {}
    func take(masterKey: [UInt8]) {}
    func take(_ record: JSONValue, of entity: MigrationEntity) { recordCount += 1 }
    func beginFile(_ path: String, size: UInt64) { files += 1 }
    func take(fileBytes: [UInt8]) {}
    func endFile() { ended += 1 }
    func take(sectionBytes bytes: [UInt8]) { sectionBytes += UInt64(bytes.count) }
    func endSectionFile() { sectionFiles += 1 }
    func endSection(_ section: ManifestSection) { sections += 1 }
}
