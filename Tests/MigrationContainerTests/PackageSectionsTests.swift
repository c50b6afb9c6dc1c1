import Crypto
import Foundation
import Kernel
import Synchronization
import Testing

@testable import MigrationContainer

/// A source with sections beside what ``MemorySource`` has.
private final class SectionSource: BackupSource {
    let base: MemorySource
    let list: [BackupSection]
    let contents: Mutex<[String: [UInt8]]>

    init(_ base: MemorySource, _ list: [BackupSection], _ contents: [String: [UInt8]]) {
        self.base = base
        self.list = list
        self.contents = Mutex(contents)
    }

    func readRecords(of entity: MigrationEntity, after key: String?, _ take: (BackupRecord) throws -> Bool) throws {
        try base.readRecords(of: entity, after: key, take)
    }

    func readMedia(_ take: (BackupMedium) throws -> Void) throws { try base.readMedia(take) }
    func open(_ medium: BackupMedium) throws -> any BackupFile { try base.open(medium) }
    func masterKey() throws -> [UInt8] { try base.masterKey() }
    func sections() throws -> [BackupSection] { list }

    func open(_ path: String, of section: BackupSection) throws -> any BackupFile {
        guard let bytes = contents.withLock({ $0["\(section.name)/\(path)"] }) else { throw BackupFileError.notFound }
        return FixedFile(bytes: bytes)
    }
}

private struct FixedFile: BackupFile {
    let bytes: [UInt8]

    func status() -> BackupFileStatus {
        BackupFileStatus(size: UInt64(bytes.count), modified: Int64(bytes.hashValue), inode: 1)
    }
    func read(at offset: UInt64, count: Int) -> [UInt8] { Array(bytes.dropFirst(Int(offset)).prefix(count)) }
}

/// Notes what comes of sections, in its order.
private final class SectionSink: RestoreSink {
    private(set) var came: [String: [UInt8]] = [:]
    private(set) var order: [String] = []
    private var current = ""

    func begin(_ manifest: Manifest) {}
    func take(masterKey: [UInt8]) {}
    func take(_ record: JSONValue, of entity: MigrationEntity) { order.append("record") }
    func beginFile(_ path: String, size: UInt64) { order.append("medium") }
    func take(fileBytes: [UInt8]) {}
    func endFile() {}

    func beginSectionFile(_ path: String, of section: ManifestSection, size: UInt64) {
        current = "\(section.name)/\(path)"
        came[current] = []
        order.append(current)
    }

    func take(sectionBytes: [UInt8]) { came[current]?.append(contentsOf: sectionBytes) }
    func endSectionFile() {}
    func endSection(_ section: ManifestSection) { order.append("end of \(section.name) \(section.version)") }
}

@Suite("Sections of a package", .timeLimit(.minutes(2)))
struct PackageSectionsTests {
    private static let contents: [String: [UInt8]] = [
        "identity/header.json": Array("{}".utf8), "identity/keys/identity": Array(0..<32),
        "chat/header.json": Array("{\"rows\":3}".utf8),
        "chat/rows.jsonl": (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }, "chat/folders/media/a": [],
    ]
    private static let list = [
        BackupSection(name: "identity", version: 1, paths: ["header.json", "keys/identity"]),
        BackupSection(name: "chat", version: 4, paths: ["header.json", "rows.jsonl", "folders/media/a"]),
    ]

    private func source(_ list: [BackupSection] = list) -> SectionSource {
        var state = MemorySource.State()
        state.records[.stories] = [["id": "s1"]]
        state.media = [BackupMedium(path: "Images/a.jpg", mediaID: "m1", size: nil, digest: nil)]
        state.files = ["Images/a.jpg": [1, 2, 3]]
        return SectionSource(MemorySource(state), list, Self.contents)
    }

    private func package(of source: any BackupSource) async throws -> MigrationPackage {
        try await MigrationBackupService(crypto: MigrationCryptoService(), work: BlockingWork("sections", width: 1))
            .makePackage(
                of: source,
                description: BackupDescription(backupID: UUID(), appVersion: "1", createdAt: 1),
                password: MigrationPassword(new: "correct horse battery"),
                sessionKey: nil,
                cost: ScryptCost(logN: 14, parallelism: 1)
            )
    }

    private func read(_ package: MigrationPackage, into sink: any RestoreSink) throws -> PackageContents {
        let stream = package.makeStream()
        return try PackageReader(header: package.header, crypto: MigrationCryptoService(), sink: sink).read {
            try stream.next() ?? []
        }
    }

    @Test("sections come as they were, in the order of the manifest, behind the records and before the media")
    func roundTrip() async throws {
        let package = try await package(of: source())
        let manifest = try Manifest(ManifestCopies.read(package.outerManifest(nil)))
        #expect(manifest.sections?.map(\.name) == ["identity", "chat"])
        #expect(manifest.sections?.map(\.version) == [1, 4] && manifest.sections?.map(\.files) == [2, 3])
        #expect(manifest.mediaStats.totalFiles == 1, "#17: only media count as media")
        let sink = SectionSink()
        _ = try read(package, into: sink)
        #expect(sink.came == Self.contents)
        #expect(
            sink.order == [
                "record", "identity/header.json", "identity/keys/identity", "end of identity 1", "chat/header.json",
                "chat/rows.jsonl", "chat/folders/media/a", "end of chat 4", "medium",
            ]
        )
    }

    @Test("a sink of records and media only passes sections over, and a package without any says nothing of them")
    func passedOver() async throws {
        let sink = CollectingSink()
        _ = try read(try await package(of: source()), into: sink)
        #expect(sink.files == ["Images/a.jpg": [1, 2, 3]] && sink.records[.stories]?.count == 1)
        let bare = try await package(of: source([]))
        #expect(try JSONValue(parsing: bare.outerManifest(nil))["sections"] == nil)
    }

    @Test("#25: the frozen package with sections is made again, byte for byte, and gives what it was made of")
    func frozen() async throws {
        let frozen = try FrozenPackage("container-2-schema-1-sections")
        let (list, contents) = try FrozenPackage.sections()
        let package = try await MigrationBackupService(
            crypto: FrozenPackage.crypto(),
            work: BlockingWork("sections", width: 1)
        )
        .makePackage(
            of: SectionSource(try frozen.source(), list, contents),
            description: frozen.description,
            password: MigrationPassword(new: frozen.password),
            sessionKey: nil,
            cost: ScryptCost(logN: 14, parallelism: 1)
        )
        var made: [UInt8] = []
        let stream = package.makeStream()
        while let bytes = try stream.next() { made += bytes }
        #expect(made == frozen.bytes)

        let header = try await MigrationCryptoService()
            .openHeader(
                Array(frozen.bytes.prefix(160)),
                password: MigrationPassword(toOpen: frozen.password),
                sessionKey: nil
            )
        let sink = SectionSink()
        var rest = frozen.bytes[...]
        _ = try PackageReader(header: header, crypto: MigrationCryptoService(), sink: sink)
            .read {
                defer { rest = rest.dropFirst(10_007) }
                return Array(rest.prefix(10_007))
            }
        #expect(sink.came == contents)
        #expect(sink.order.filter { $0.hasPrefix("end of") } == list.map { "end of \($0.name) \($0.version)" })
    }

    @Test("a reader that knows the document alone reads the sections of a package, the frozen one's too")
    func independentReader() async throws {
        let made = try await package(of: source())
        var bytes: [UInt8] = []
        let stream = made.makeStream()
        while let piece = try stream.next() { bytes += piece }
        let frozen = try FrozenPackage("container-2-schema-1-sections")
        let (list, contents) = try FrozenPackage.sections()
        for (package, password, list, contents) in [
            (bytes, "correct horse battery", Self.list, Self.contents),
            (frozen.bytes, frozen.password, list, contents),
        ] {
            let printed = try await IndependentReader.read(package, password)
            for section in list {
                let found = printed["sections"]?[section.name]
                #expect(found?["version"]?.integerValue == Int64(section.version))
                let sums = section.paths.map { path in
                    (
                        path,
                        JSONValue.string(
                            Hexadecimal.encode(SHA256.hash(data: contents["\(section.name)/\(path)"] ?? []))
                        )
                    )
                }
                #expect(found?["files"] == .object(Dictionary(uniqueKeysWithValues: sums)))
            }
        }
    }

    @Test("a section's file that changes or goes ends the package, which would have other bytes under its nonces")
    func changed() async throws {
        let source = source()
        let made = try await package(of: source)
        source.contents.withLock { $0["chat/rows.jsonl"]?[7] ^= 1 }
        #expect(throws: ContainerError.sourceChanged("sections/chat/rows.jsonl")) {
            _ = try read(made, into: SectionSink())
        }
        source.contents.withLock { $0["identity/keys/identity"] = nil }
        await #expect(throws: ContainerError.sourceChanged("sections/identity/keys/identity")) {
            _ = try await package(of: source)
        }
    }

    @Test(
        "a manifest whose list of sections breaks a bound is refused",
        arguments: [
            [("a/b", 1)], [("Chat", 1)], [("chat", 0)], [("chat", 1), ("chat", 2)], [("", 1)],
        ] as [[(String, Int)]]
    )
    func bounds(sections: [(String, Int)]) async throws {
        var manifest = try JSONValue(parsing: try await package(of: source()).outerManifest(nil))
        manifest = manifest.adding(
            "sections",
            .array(
                sections.map { name, version in
                    [
                        "name": .string(name), "version": .integer(Int64(version)), "files": 1, "bytes": 1,
                        "sha256": .string(String(repeating: "0", count: 64)),
                    ]
                }
            )
        )
        #expect(throws: ContainerError.malformedManifest) { _ = try Manifest(manifest) }
    }
}
