import Foundation
import Generations

/// The files of media that are in a staged generation for certain: those that `restore.journal` names. A package that comes again, after a kill
/// or once the disk has room, passes them over.
struct StagedFiles {
    private struct File: Codable {
        var path: String
        var size: UInt64
    }

    /// Sizes by path.
    private(set) var sizes: [String: UInt64] = [:]
    private var fresh: [File] = []
    private var freshBytes: UInt64 = 0
    private let interval: UInt64

    /// Files are put on the disk when so many bytes came: as many are written again at most after a kill, beside the file that was coming.
    static let interval: UInt64 = 64 << 20
    private static let countInRecord = 30

    var bytes: UInt64 { sizes.values.reduce(0, +) }

    /// Reads what an earlier run wrote down, and removes files that it did not.
    ///
    /// - Parameter interval: In bytes; tests have shorter ones.
    init(of generation: Generation, in store: GenerationStore, interval: UInt64) throws {
        var sizes: [String: UInt64] = [:]
        try store.progress { bytes in
            for file in (try? JSONDecoder().decode([File].self, from: Data(bytes))) ?? [] {
                sizes[file.path] = file.size
            }
        }
        self.sizes = sizes
        self.interval = interval
        try Self.sweep(generation.media, below: "", sizes, store.files)
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
    mutating func add(_ path: String, size: UInt64, in generation: Generation, _ store: GenerationStore) throws {
        sizes[path] = size
        fresh.append(File(path: path, size: size))
        freshBytes += size
        if freshBytes >= interval { try keep(in: generation, store) }
    }

    /// Puts all files on the disk, and then writes down that they are.
    mutating func keep(in generation: Generation, _ store: GenerationStore) throws {
        guard !fresh.isEmpty else { return }
        try store.files.synchronizeTree(generation.media)
        var rest = fresh[...]
        while !rest.isEmpty {
            try store.note(progress: Array(try JSONEncoder().encode(Array(rest.prefix(Self.countInRecord)))))
            rest = rest.dropFirst(Self.countInRecord)
        }
        fresh = []
        freshBytes = 0
    }
}
