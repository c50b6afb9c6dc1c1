/// Files of media by their place and by their name.
struct MediaIndex {
    let paths: [MediaPath]
    private let known: Set<MediaPath>
    private let byName: [String: [MediaPath]]

    init(_ paths: [MediaPath]) {
        self.paths = paths.sorted { $0.text < $1.text }
        known = Set(paths)
        byName = Dictionary(grouping: paths, by: \.fileName)
    }

    /// The place of a file: where its record says, else where the only file of its name is. Nil where there is none.
    ///
    /// - Throws: ``JournalError/badRecord(_:member:)`` for a name that several files have.
    func place(of path: MediaPath?, or name: String) throws(JournalError) -> MediaPath? {
        if let path, known.contains(path) { return path }
        let found = byName[name] ?? []
        guard found.count < 2 else { throw .badRecord(.media, member: "relativePath") }
        return found.first
    }
}
