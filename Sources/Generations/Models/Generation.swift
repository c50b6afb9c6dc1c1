/// One whole set of data: its database and its media, in a folder of its own.
package struct Generation: Hashable, Sendable {
    package let id: GenerationID
    /// Below the root of the store's file system.
    package let folder: StorePath

    init(_ id: GenerationID) throws(GenerationsError) {
        self.id = id
        folder = GenerationStore.folder.appending(try StorePath(id.name))
    }

    /// The SQLite database, beside which `-wal` and `-shm` may lie.
    package var database: StorePath { folder.appending("db.sqlite") }
    /// The folder of media: `Images/YYYY/MM`, `Videos/YYYY/MM`.
    package var media: StorePath { folder.appending("Media") }

    var facts: StorePath { folder.appending("meta.json") }
}
