import Archives
import Crypto
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import MigrationContainer

@Suite("A package of a backup's source")
struct PackageTests {
    private static let work = BlockingWork("package-tests", width: 2)

    private static func package(
        _ source: MemorySource,
        crypto: MigrationCryptoService = MigrationCryptoService(),
        password: String = "correct horse",
        sessionKey: [UInt8]? = nil
    ) async throws -> MigrationPackage {
        try await MigrationBackupService(crypto: crypto, work: work).makePackage(
            of: source,
            description: FrozenPackage().description,
            password: MigrationPassword(new: password),
            sessionKey: sessionKey,
            cost: ScryptCost(logN: 14, parallelism: 1)
        )
    }

    private static func read(
        _ bytes: [UInt8],
        password: String = "correct horse",
        sessionKey: [UInt8]? = nil,
        outer: [UInt8]? = nil,
        step: Int = 100_000,
        to sink: CollectingSink
    ) async throws -> PackageContents {
        let crypto = MigrationCryptoService()
        let header = try await crypto.openHeader(
            Array(bytes.prefix(ContainerHeader.byteCount)),
            password: MigrationPassword(toOpen: password),
            sessionKey: sessionKey
        )
        let reader = try PackageReader(header: header, crypto: crypto, outerManifest: outer, sink: sink)
        var place = 0
        return try reader.read {
            defer { place = min(bytes.count, place + step) }
            return Array(bytes[place..<min(bytes.count, place + step)])
        }
    }

    private static func whole(_ package: MigrationPackage) throws -> [UInt8] {
        let stream = package.makeStream()
        var bytes: [UInt8] = []
        while let piece = try stream.next() { bytes += piece }
        return bytes
    }

    @Test("#25: the frozen package of container 2 and schema 1 is made again, byte for byte")
    func frozen() async throws {
        let frozen = try FrozenPackage()
        let package = try await Self.package(
            try frozen.source(),
            crypto: FrozenPackage.crypto(),
            password: frozen.password
        )
        #expect(package.length == UInt64(frozen.bytes.count))
        #expect(try Self.whole(package) == frozen.bytes)
    }

    @Test("#9: the frozen package is read, whatever pieces it comes in", arguments: [997, 65_552, 1 << 20])
    func reading(step: Int) async throws {
        let frozen = try FrozenPackage()
        let sink = CollectingSink()
        let contents = try await Self.read(frozen.bytes, password: frozen.password, step: step, to: sink)
        for entity in MigrationEntity.allCases { #expect(sink.records[entity] == (try frozen.records(of: entity))) }
        #expect(sink.files == (try frozen.files()))
        #expect(sink.endedFiles == 3)
        #expect(sink.masterKey == Array(0..<32))
        #expect(contents.hasFileList)
        #expect(contents.manifest.schemaVersion == 1)
        #expect(contents.manifest.options.orphanFileCount == 1)
        #expect(contents.digests.encSHA256 == Hexadecimal.encode(SHA256.hash(data: frozen.bytes)))
        let reasons = contents.manifest.brokenMedia?.map(\.reason)
        #expect(reasons == ["FILE_NOT_FOUND", "EMPTY"])
    }

    @Test("#7: a password typed with composed letters opens what decomposed ones sealed, through real scrypt")
    func scrypt() async throws {
        let crypto = MigrationCryptoService()
        let header = try await crypto.makeHeader(
            length: 1,
            backupID: [UInt8](repeating: 1, count: 16),
            password: MigrationPassword(new: "cafe\u{301} am Morgen"),
            sessionKey: nil
        )
        let opened = try await crypto.openHeader(
            header.bytes,
            password: MigrationPassword(toOpen: "caf\u{E9} am Morgen"),
            sessionKey: nil
        )
        #expect(opened.bytes == header.bytes)
        await #expect(throws: ContainerError.wrongPassword) {
            try await crypto.openHeader(
                header.bytes,
                password: MigrationPassword(toOpen: "cafe am Morgen"),
                sessionKey: nil
            )
        }
    }

    @Test("#25: any range has the bytes that the whole package has there, also of a package that was opened again")
    func ranges() async throws {
        let source = try FrozenPackage().source()
        let password = try MigrationPassword(new: "correct horse")
        let package = try await Self.package(source)
        let whole = try Self.whole(package)
        let plan = try JSONDecoder().decode(PackagePlan.self, from: try JSONEncoder().encode(package.plan))
        let service = MigrationBackupService(crypto: MigrationCryptoService(), work: Self.work)
        let again = try await service.reopenPackage(plan, of: source, password: password, sessionKey: nil)
        var generator = SeededGenerator(seed: 25)
        for _ in 0..<200 {
            let start = Int.random(in: 0..<whole.count, using: &generator)
            let end = Int.random(in: start...whole.count, using: &generator)
            let bytes = try again.bytes(in: UInt64(start)..<UInt64(end))
            #expect(bytes == Array(whole[start..<end]), "\(start)..<\(end)")
        }
        await #expect(throws: ContainerError.wrongPassword) {
            try await service.reopenPackage(
                plan,
                of: source,
                password: MigrationPassword(new: "another horse"),
                sessionKey: nil
            )
        }
    }

    @Test("#25: records of many blocks are made again from any block, and come out of the reader as they went in")
    func manyRecords() async throws {
        let source = try FrozenPackage().source()
        let stories: [JSONValue] = (0..<3000).map { index in
            .object(["id": .string("s-\(index)"), "content": .string(String(repeating: "é\(index) ", count: 40))])
        }
        source.state.withLock { $0.records[.stories] = stories }
        let package = try await Self.package(source)
        let text = package.plan.records.first { $0.entity == .stories }
        #expect(text?.blocks.count ?? 0 > 3)
        let whole = try Self.whole(package)
        for start in stride(from: 0, to: whole.count, by: 100_003).reversed() {
            let end = min(whole.count, start + 1000)
            #expect(try package.bytes(in: UInt64(start)..<UInt64(end)) == Array(whole[start..<end]))
        }
        let sink = CollectingSink()
        let contents = try await Self.read(whole, to: sink)
        #expect(sink.records[.stories] == stories)
        #expect(contents.recordCounts[.stories] == 3000)
    }

    @Test("A record that changed behind the package's back ends it, and no byte of the changed block is sealed")
    func changedRecords() async throws {
        let source = try FrozenPackage().source()
        let package = try await Self.package(source)
        source.state.withLock { $0.records[.stories]?[0] = .object(["id": .string("s-1")]) }
        #expect(throws: ContainerError.sourceChanged("coredata/stories.json")) { try Self.whole(package) }
    }

    @Test("class media: a file that was replaced, shrank, grew or vanished after the snapshot ends the package")
    func changedFiles() async throws {
        let path = try #require(try FrozenPackage().files().keys.max { $0.count < $1.count })
        let changes: [@Sendable (inout MemorySource.State) -> Void] = [
            { $0.modified = 2 }, { $0.files[path]?.removeLast() }, { $0.files[path]?.append(1) },
            { $0.files[path] = nil }, { $0.unreadable = [path] },
        ]
        for change in changes {
            let source = try FrozenPackage().source()
            let package = try await Self.package(source)
            source.state.withLock { change(&$0) }
            let error = #expect(throws: ContainerError.self) { try Self.whole(package) }
            guard case .sourceChanged? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        }
    }

    @Test("class media: files that are missing, empty, unreadable or of another size are named, and the rest is packed")
    func brokenMedia() async throws {
        var state = MemorySource.State()
        state.files = ["a.jpg": [1], "b.jpg": [], "c.jpg": [1, 2], "d.jpg": [1, 2]]
        state.unreadable = ["d.jpg"]
        for (name, size) in [("a.jpg", 1), ("b.jpg", 0), ("c.jpg", 3), ("d.jpg", 2), ("e.jpg", 5)] as [(String, UInt64)]
        {
            state.media.append(BackupMedium(path: name, mediaID: "m-\(name)", size: size, digest: nil))
        }
        let package = try await Self.package(MemorySource(state))
        let sink = CollectingSink()
        let contents = try await Self.read(try Self.whole(package), to: sink)
        #expect(sink.files == ["a.jpg": [1]])
        #expect(contents.manifest.options.brokenMediaCount == 4)
        let reasons = Dictionary(
            uniqueKeysWithValues: (contents.manifest.brokenMedia ?? []).map { ($0.fileName, $0.reason) }
        )
        #expect(
            reasons == [
                "b.jpg": "EMPTY", "c.jpg": "SIZE_MISMATCH", "d.jpg": "READ_ERROR", "e.jpg": "FILE_NOT_FOUND",
            ]
        )
    }

    @Test("A checksum that was computed when the file was saved is not computed again")
    func cachedDigests() async throws {
        var state = MemorySource.State()
        state.files = ["a.jpg": [1]]
        state.unreadable = ["a.jpg"]
        let digest = MediumDigest(sha256: Array(SHA256.hash(data: [1] as [UInt8])), crc32: 7)
        state.media = [BackupMedium(path: "a.jpg", mediaID: "m", size: 1, digest: digest)]
        let package = try await Self.package(MemorySource(state))
        #expect(package.plan.manifest.mediaStats.totalFiles == 1)
        #expect(package.plan.manifest.files?.first?.sha256 == Hexadecimal.encode(digest.sha256))
    }

    @Test("class media: a file that is not what its known checksum says ends the package where it is read")
    func damagedSinceSaved() async throws {
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var checksum = CRC32()
        checksum.update(body)
        let digest = MediumDigest(sha256: Array(SHA256.hash(data: body)), crc32: checksum.value)
        var state = MemorySource.State()
        state.media = ["a.jpg", "b.jpg"].map { BackupMedium(path: $0, mediaID: $0, size: 200_000, digest: digest) }
        state.files = ["a.jpg": body, "b.jpg": body]
        let source = MemorySource(state)
        let package = try await Self.package(source)
        let whole = try Self.whole(package)
        // In any parts, also such as begin in a segment that was made for the part before.
        var parts: [UInt8] = []
        for start in stride(from: 0, to: whole.count, by: 50_000) {
            parts += try package.bytes(in: UInt64(start)..<UInt64(min(whole.count, start + 50_000)))
        }
        #expect(parts == whole)
        source.state.withLock { $0.files["b.jpg"]?[100_000] ^= 1 }
        #expect(throws: ContainerError.sourceChanged("media/b.jpg")) {
            try Self.whole(package)
        }
    }

    @Test("#15, #27: 70,000 files are listed in an entry of their own, and arrive")
    func manyFiles() async throws {
        var state = MemorySource.State()
        for index in 0..<70_000 {
            let path = "Images/2026/01/\(index).jpg"
            let body: [UInt8] = [UInt8(truncatingIfNeeded: index)]
            var checksum = CRC32()
            checksum.update(body)
            let digest = MediumDigest(sha256: Array(SHA256.hash(data: body)), crc32: checksum.value)
            state.files[path] = body
            state.media.append(BackupMedium(path: path, mediaID: "m", size: 1, digest: digest))
        }
        let package = try await Self.package(MemorySource(state))
        let outer = try package.outerManifest(nil)
        #expect(outer.count < 4096)
        let sink = CollectingSink()
        let contents = try await Self.read(try Self.whole(package), outer: outer, to: sink)
        #expect(sink.endedFiles == 70_000)
        #expect(contents.manifest.integrity.files == "files.jsonl")
        #expect(contents.hasFileList)
    }

    @Test(
        "#1: the outer manifest has the real size and hash, its code proves it, and the digests are those that arrive"
    )
    func outerManifest() async throws {
        let crypto = MigrationCryptoService()
        let package = try await Self.package(try FrozenPackage().source(), crypto: crypto)
        let digests = try package.digests()
        let outer = try package.outerManifest(digests)
        let manifest = try Manifest(ManifestCopies.read(outer))
        #expect(manifest.integrity.zipSize == package.archiveLength)
        #expect(manifest.integrity.zipSHA256 == digests.zipSHA256)
        let code = crypto.manifestCode(outer, header: package.header)
        #expect(crypto.isManifest(outer, provedBy: code, header: package.header))
        #expect(!crypto.isManifest(outer + [0x20], provedBy: code, header: package.header))
        let contents = try await Self.read(try Self.whole(package), outer: outer, to: CollectingSink())
        #expect(contents.digests == digests)
        let stream = package.makeStream(isDigested: false)
        var bytes: [UInt8] = []
        while let piece = try stream.next() { bytes += piece }
        #expect(try bytes == Self.whole(package) && stream.digests == nil)
        try contents.digests.check(announced: digests)
        try contents.digests.check(announced: PackageDigests(zipSHA256: "", encSHA256: ""))
        #expect(throws: ContainerError.digestMismatch("encSHA256")) {
            try contents.digests.check(announced: PackageDigests(zipSHA256: "", encSHA256: "ab"))
        }
        #expect(throws: ContainerError.digestMismatch("zipSHA256")) {
            try contents.digests.check(announced: PackageDigests(zipSHA256: "ab", encSHA256: ""))
        }
    }

    @Test("class length: a package cut at any edge of a segment, or one byte beside, is never whole")
    func truncation() async throws {
        let frozen = try FrozenPackage()
        let edges = (0..<3).map { ContainerHeader.byteCount + $0 * SegmentCipher.sealedSegment } + [frozen.bytes.count]
        for count in edges.flatMap({ [$0 - 1, $0, $0 + 1] }) where count > 160 && count < frozen.bytes.count {
            await #expect(throws: ContainerError.truncated) {
                try await Self.read(
                    Array(frozen.bytes.prefix(count)),
                    password: frozen.password,
                    to: CollectingSink()
                )
            }
        }
        await #expect(throws: ContainerError.trailingData) {
            try await Self.read(frozen.bytes + [0], password: frozen.password, to: CollectingSink())
        }
    }

    @Test("#12: a package of a session is read with the session's key, and by a reader that knows its document alone")
    func independentReader() async throws {
        let session = [UInt8](repeating: 0x5A, count: 32)
        let package = try await Self.package(try FrozenPackage().source(), sessionKey: session)
        let bytes = try Self.whole(package)
        let contents = try await Self.read(bytes, sessionKey: session, to: CollectingSink())
        let printed = try await IndependentReader.read(bytes, "correct horse", Hexadecimal.encode(session))
        #expect(printed["zipSHA256"]?.stringValue == contents.digests.zipSHA256)
        #expect(printed["encSHA256"]?.stringValue == contents.digests.encSHA256)
        #expect(printed["masterKey"]?.stringValue == Hexadecimal.encode(Array(0..<32)))
        #expect(printed["records"]?["stories"] == .array(try FrozenPackage().records(of: .stories)))
        let files = try FrozenPackage().files().mapKeys { "media/\($0)" }
        #expect(printed["files"] == .object(files.mapValues { .string(Hexadecimal.encode(SHA256.hash(data: $0))) }))
    }
}

extension Dictionary {
    fileprivate func mapKeys(_ transform: (Key) -> Key) -> [Key: Value] {
        Dictionary(uniqueKeysWithValues: map { (transform($0.key), $0.value) })
    }
}
