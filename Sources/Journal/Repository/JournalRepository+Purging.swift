import Kernel

extension JournalRepository {
    /// Stories and files of one transaction.
    private static let purgeGroup = 500

    /// Removes a deleted story for good, with its media.
    ///
    /// - Parameter id: Its id, or a beginning that no other has.
    /// - Throws: ``JournalError/unknownStory``, ``JournalError/notDeleted``.
    func purge(_ id: String) async throws -> Int {
        let story = try await detail(id).story
        guard story.isRemoved else { throw JournalError.notDeleted }
        let count = try await change { try $0.purge([story.id]) }
        try await removeUnusedFiles()
        return count
    }

    /// Removes for good what was deleted before a moment, in milliseconds since 1970.
    ///
    /// - Returns: How many stories.
    func purge(deletedBefore moment: Int64) async throws -> Int {
        var purged = 0
        while true {
            let count = try await change { writing in
                try writing.purge(try writing.reading.removedStories(before: moment, limit: Self.purgeGroup))
            }
            purged += count
            guard count > 0 else { break }
            try Task.checkCancellation()
        }
        try await removeUnusedFiles()
        return purged
    }

    /// Removes the files of media whose records are gone, unless a snapshot may read them: then the next purge or the next start does it.
    func removeUnusedFiles() async throws {
        let (store, vault) = (try store, try vault)
        while true {
            let found = try await store.read { try $0.unusedFiles(limit: Self.purgeGroup) }
            let paths = found.unused + found.named
            // A snapshot that begins from here on does not know of the records any more.
            guard !paths.isEmpty, holds.isFree else { return }
            try await work.finish { for path in found.unused { vault.remove(path) } }
            try await store.write { try $0.settle(unused: paths) }
        }
    }
}
