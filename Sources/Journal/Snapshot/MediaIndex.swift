/// Files of media by their place and by their name.
struct MediaIndex {
    /// In order.
    let paths: [MediaPath]
    private let sizes: [MediaPath: Int64]
    private let byName: [String: [MediaPath]]

    /// - Parameter files: Sizes in bytes.
    init(_ files: [(path: MediaPath, size: Int64)]) {
        paths = files.map(\.path).sorted { $0.text < $1.text }
        sizes = Dictionary(files.map { ($0.path, $0.size) }, uniquingKeysWith: { first, _ in first })
        byName = Dictionary(grouping: paths, by: \.fileName)
    }

    /// Bytes of a file; nil where there is none.
    func size(of path: MediaPath) -> Int64? { sizes[path] }

    /// The place of a file: where its record says, else where the only file of its name is. Nil where there is none.
    ///
    /// - Throws: ``JournalError/badRecord(_:member:)`` for a name that several files have.
    func place(of path: MediaPath?, or name: String) throws(JournalError) -> MediaPath? {
        if let path, sizes[path] != nil { return path }
        let found = byName[name] ?? []
        guard found.count < 2 else { throw .badRecord(.media, member: "relativePath") }
        return found.first
    }
}
