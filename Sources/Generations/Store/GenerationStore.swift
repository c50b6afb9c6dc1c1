package import Foundation
package import Kernel
import Synchronization

/// The generations of a phone's data, of which `CURRENT` names one:
///
///     store/CURRENT            the name of the current generation and a line feed
///     store/KEPT               earlier generations that can be gone back to, JSON
///     store/restore.journal    how far the next generation is
///     store/gen-…/             db.sqlite, Media/, meta.json
///     keys/MyStory.MasterKey.gen-…
///
/// A new generation is put together beside the current one, and `CURRENT` is replaced in one step: the only commit. Whenever the program or
/// the power ends, the next start finds the old data or the new, whole. Calls block. One process has the state folder (``FolderLock``).
package final class GenerationStore: Sendable {
    package static let folder: StorePath = "store"
    static let pointer = folder.appending("CURRENT")
    static let retention = folder.appending("KEPT")
    static let journal = folder.appending("restore.journal")
    /// The name of the current key for programs that know of one only.
    package static let keyName = "MyStory.MasterKey"

    struct State {
        var current: GenerationID?
        var kept: [KeptGeneration] = []
        var staged: StagedGeneration?
        var journal: RestoreJournal?
        /// Whether the disk failed while `CURRENT` was replaced: nothing is removed, nothing begun.
        var isUnsettled = false
        var cleanupFailure: GenerationsError?
    }

    /// The store's disk, for whoever fills a generation.
    package let files: any FileSystemPort
    let keys: any KeyStorePort
    let random: any RandomPort
    let time: any TimeSource
    let policy: RetentionPolicy
    let state = Mutex(State())

    /// Opens a state folder's generations and finishes what an earlier run began: a commit that was made, or the removal of what is no part
    /// of the data.
    ///
    /// - Parameter time: What the spec calls the clock's port.
    /// - Throws: ``GenerationsError/damagedPointer`` and ``GenerationsError/missingGeneration(_:)``, and then nothing was touched; what the disk
    ///   says. That something could not be removed is no error: ``cleanupFailure``.
    package init(
        files: any FileSystemPort,
        keys: any KeyStorePort,
        random: any RandomPort = SystemRandom(),
        time: any TimeSource = SystemTime(),
        policy: RetentionPolicy = RetentionPolicy()
    ) throws(GenerationsError) {
        self.files = files
        self.keys = keys
        self.random = random
        self.time = time
        self.policy = policy
        try recover()
    }

    var now: Int64 { time.date.millisecondsSince1970 }

    func keyName(of id: GenerationID) -> String { Self.keyName + "." + id.name }

    // MARK: Reading

    /// The generation that people see; nil in a store that has none yet.
    ///
    /// - Throws: ``GenerationsError/unsettled``.
    package func current() throws(GenerationsError) -> Generation? {
        try state.withLock { state throws(GenerationsError) in
            guard !state.isUnsettled else { throw .unsettled }
            guard let id = state.current else { return nil }
            return try Generation(id)
        }
    }

    /// What can be gone back to.
    package var kept: KeptGeneration? { state.withLock(\.kept.first) }

    /// What is being put together, also by an earlier run of the program.
    package var staged: StagedGeneration? { state.withLock(\.staged) }

    /// Why something that is not needed any more is still there; nil after a start or a commit that put all of it away.
    package var cleanupFailure: GenerationsError? { state.withLock(\.cleanupFailure) }

    /// Where a library with its own access to files finds `path`, for example ``Generation/database``.
    package func url(of path: StorePath) -> URL { files.url(of: path) }

    /// The key that the keys of a generation's media are derived from.
    ///
    /// - Throws: ``GenerationsError/missingKey(_:)``.
    package func masterKey(of generation: Generation) throws(GenerationsError) -> MasterKey {
        guard let bytes = try keys.key(named: keyName(of: generation.id)), let key = MasterKey(bytes) else {
            throw .missingKey(generation.id.name)
        }
        return key
    }

    /// Facts of a generation; nil where they are damaged.
    package func facts(of generation: Generation) throws(GenerationsError) -> GenerationFacts? {
        let bytes = try files.contents(of: generation.facts, limit: GenerationFacts.byteLimit)
        return bytes.flatMap { StoreJSON.decode(GenerationFacts.self, $0) }
    }

    /// Makes the first generation, with a new key, where there is none.
    ///
    /// - Parameter fill: Makes the database in the new folder, where `Media` is there, and closes it.
    /// - Throws: ``GenerationsError``, of which ``GenerationsError/alreadyStaging`` while a package comes in that will be the first; what `fill`
    ///   throws.
    package func currentOrFirst(_ fill: (Generation) throws -> Void) throws -> Generation {
        if let current = try current() { return current }
        let staged = try stage(binding: [])
        do {
            try fill(staged.generation)
            try complete()
            try verify(key: .random(random), restoredFrom: nil)
        } catch {
            try? discardStaged()  // the next start does it, and the error says more
            throw error
        }
        return try commit().current
    }
}
