package import Generations

/// What people have: the files of a generation, but for what tells of the generation itself, and its key. Two that are equal are the same data.
package struct VisibleData: Hashable, Sendable {
    package var files: [String: [UInt8]]
    package var key: [UInt8]

    private static let told: Set = ["meta.json", "report.json"]

    package init(files: [String: [UInt8]], key: [UInt8]) {
        self.files = files
        self.key = key
    }

    /// The data of a generation.
    package init(of generation: Generation, in store: GenerationStore) throws {
        var files: [String: [UInt8]] = [:]
        func read(_ folder: StorePath, _ prefix: String) throws {
            for name in try store.files.names(in: folder, limit: 1000) where !Self.told.contains(prefix + name) {
                let path = folder.appending(try StorePath(name))
                if try store.files.status(of: path)?.kind == .folder {
                    try read(path, prefix + name + "/")
                } else {
                    files[prefix + name] = try store.files.contents(of: path, limit: 1 << 20)
                }
            }
        }
        try read(generation.folder, "")
        self.init(files: files, key: try store.masterKey(of: generation).bytes)
    }

    /// The current data; nil in a store that has none.
    package static func current(in store: GenerationStore) throws -> VisibleData? {
        try store.current().map { try VisibleData(of: $0, in: store) }
    }
}
