import Foundation
import Generations
import MigrationContainer

/// The files of media that are in a staged generation for certain: those that `restore.journal` names. A package that comes again, after a kill
/// or once the disk has room, passes them over, and need not have their bytes any more.
struct StagedFiles {
    struct File: Codable {
        var path: String
        var size: UInt64
        /// Where the file begins in the package's archive; nil where that is not known.
        var offset: UInt64?
        /// What stands in front of it there, from the end of the entry before it on.
        var lead: Data?
    }

    /// Sizes by path.
    private(set) var sizes: [String: UInt64] = [:]
    /// What an earlier run left of the archive; nil for nothing.
    let archive: StagedArchive?
    private var fresh: [File] = []
    private var freshBytes: UInt64 = 0
    private let interval: UInt64
    /// Parts of the archive that are files and what stands in front of them; the last one grows.
    private var parts: [Range<UInt64>]
    private let release: (@Sendable (Range<UInt64>) -> Void)?

    /// Files are put on the disk when so many bytes came: as many are written again at most after a kill, beside the file that was coming.
    static let interval: UInt64 = 64 << 20

    /// A package that gives its space back is there twice for as long as its files are not noted: of a small one that is a sixty-fourth part.
    static func interval(for plan: RestorePlan) -> UInt64 {
        plan.isGivenBack ? min(interval, max(4 << 20, plan.archiveBytes / 64)) : interval
    }

    /// Bytes of files in one record, which has 64 KiB: each record is synchronized, so they are few.
    private static let bytesInRecord = 60 << 10
    /// Bytes in front of a file that are kept. A package of ours has fewer than 100 and the path.
    private static let leadLimit = 1200

    var bytes: UInt64 { sizes.values.reduce(0, +) }

    /// Reads what an earlier run wrote down, and removes files that it did not.
    ///
    /// - Parameters:
    ///   - interval: In bytes; tests have shorter ones.
    ///   - release: Told which parts of the archive the generation has for certain, also those of earlier runs.
    init(
        of generation: Generation,
        in store: GenerationStore,
        interval: UInt64,
        release: (@Sendable (Range<UInt64>) -> Void)?
    ) throws {
        let noted = try Self.noted(in: store)
        let sizes = Dictionary(noted.map { ($0.path, $0.size) }) { _, later in later }
        self.sizes = sizes
        self.interval = interval
        self.release = release
        archive = StagedArchive(noted, of: generation, in: store.files)
        parts = archive?.ranges ?? []
        try Self.sweep(generation.media, below: "", sizes, store.files)
        releaseParts()
    }

    /// The files that the journal of what is staged names.
    static func noted(in store: GenerationStore) throws(GenerationsError) -> [File] {
        var files: [File] = []
        try store.progress { bytes in
            files += (try? JSONDecoder().decode([File].self, from: Data(bytes))) ?? []
        }
        return files
    }

    private static func sweep(
        _ folder: StorePath,
        below prefix: String,
        _ sizes: [String: UInt64],
        _ files: any FileSystemPort
    ) throws {
        for name in try files.names(in: folder, limit: .max) {
            let path = folder.appending(try StorePath(name))
            if try files.status(of: path)?.kind == .folder {
                try sweep(path, below: prefix + name + "/", sizes, files)
            } else if sizes[prefix + name] == nil {
                try files.removeFile(path)
            }
        }
    }

    /// Notes a file that is whole.
    mutating func add(
        _ path: String,
        size: UInt64,
        at place: FilePlace?,
        in generation: Generation,
        _ store: GenerationStore
    ) throws {
        sizes[path] = size
        var file = File(path: path, size: size)
        if let place {
            // Without what stands in front of it a file is a part of the archive of its own.
            let lead = place.lead.count <= Self.leadLimit ? place.lead : []
            (file.offset, file.lead) = (place.offset, Data(lead))
        }
        fresh.append(file)
        freshBytes += size
        if freshBytes >= interval { try keep(in: generation, store) }
    }

    /// Puts all files on the disk, and then writes down that they are.
    mutating func keep(in generation: Generation, _ store: GenerationStore) throws {
        guard !fresh.isEmpty else { return }
        try store.files.synchronizeTree(generation.media)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        var rest = fresh[...]
        while !rest.isEmpty {
            let some = Self.fitting(rest)
            try store.note(progress: Array(try encoder.encode(Array(some))))
            rest = rest.dropFirst(some.count)
        }
        for part in fresh.compactMap(\.part) {
            if let last = parts.last, last.upperBound == part.lowerBound {
                parts[parts.count - 1] = last.lowerBound..<part.upperBound
            } else {
                parts.append(part)
            }
        }
        fresh = []
        freshBytes = 0
        releaseParts()
    }

    /// As many of the files as a record holds, at least one.
    private static func fitting(_ files: ArraySlice<File>) -> ArraySlice<File> {
        var bytes = 0
        return files.prefix { file in
            let isFirst = bytes == 0
            bytes += file.noteBytes
            return isFirst || bytes <= bytesInRecord
        }
    }

    /// A segment of the package may hold the end of a file that was noted before and the beginning of one that is now: what grew is told whole.
    private mutating func releaseParts() {
        guard let release else { return }
        for part in parts { release(part) }
        parts = Array(parts.suffix(1))
    }
}

extension StagedFiles.File {
    /// Bytes that a note of it has at most: JSON doubles quotation marks, and base64 has four for three.
    fileprivate var noteBytes: Int { 100 + 2 * path.utf8.count + (lead?.count ?? 0) / 3 * 4 + 4 }

    /// The part of the archive that is this file with what stands in front of it; nil where that is not known.
    var part: Range<UInt64>? {
        guard let offset, UInt64(lead?.count ?? 0) <= offset else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(size)
        return overflow ? nil : offset - UInt64(lead?.count ?? 0)..<end
    }
}
