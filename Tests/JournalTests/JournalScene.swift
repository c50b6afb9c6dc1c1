import Foundation
import Kernel
import KernelTesting
import Pictures
import Storage

@testable import Journal

/// A journal in a folder of its own, on a clock of the test's.
final class JournalScene: Sendable {
    /// 2026-11-28T10:00:00Z.
    static let start: Int64 = 1_795_860_000_000

    let folder: URL
    let clock: ManualClock
    let repository: JournalRepository
    private let work = BlockingWork("journal-test", width: 2)

    init(master: [UInt8] = [UInt8](repeating: 7, count: 32)) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID.randomText())")
        clock = ManualClock(date: Date(millisecondsSince1970: Self.start))
        let generation = folder.appending(path: "gen")
        try FileManager.default.createDirectory(at: generation, withIntermediateDirectories: true)
        repository = JournalRepository(
            store: try JournalStore(generation: generation),
            vault: MediaVault(generation.appending(path: "Media"), keys: try MediaKeys(master: master)),
            pictures: FixedPictures(),
            work: work,
            time: clock
        )
    }

    deinit {
        // What is left behind is in the temporary folder.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file below the test's own folder.
    @discardableResult
    func file(_ path: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url
    }

    @discardableResult
    func file(_ path: String, _ text: String) throws -> URL { try file(path, Array(text.utf8)) }

    func bring(_ path: String, as format: ImportFormat? = nil) async throws -> ImportReport {
        try await ImportRun(repository: repository, folder: folder)
            .run(folder.appending(path: path).path, as: format)
    }

    func export(_ path: String) async throws -> PlainExport.Report {
        try await PlainExport(repository: repository).write(to: folder.appending(path: path).path)
    }

    /// All records as a package has them.
    func records() throws -> [RecordKind: [JSONValue]] {
        let snapshot = try JournalSnapshot(repository)
        var records: [RecordKind: [JSONValue]] = [:]
        for kind in RecordKind.allCases { try snapshot.forEach(kind) { records[kind, default: []].append($0) } }
        return records
    }

    func stories(_ query: StoryQuery = StoryQuery()) async throws -> [Story] {
        try await repository.list(query, in: nil).stories.map(\.story)
    }

    func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
    }
}

/// Every picture that begins as a PNG does is 40 × 30, and its small form is four bytes.
struct FixedPictures: PhotoEncoder, PictureEncoder {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    func dimensions(of picture: [UInt8]) async throws -> PictureDimensions {
        guard picture.starts(with: Self.signature) else { throw PictureError.notAPicture }
        return PictureDimensions(width: 40, height: 30)
    }

    func encode(
        _ picture: [UInt8],
        as format: PictureFormat,
        quality: Int,
        maxWidth: Int?
    ) async throws -> EncodedPicture {
        EncodedPicture(bytes: [1, 2, 3, 4], format: format, dimensions: try await dimensions(of: picture))
    }

    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        try await encode(picture, as: .jpeg, quality: 80, maxWidth: nil)
    }

    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
        PictureThumbnail(
            picture: try await photo(picture, within: 0, pixelLimit: pixelLimit),
            blurHash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
        )
    }
}
