import Kernel
import Synchronization

extension GenerationStore {
    /// Begins a new generation beside the current one: an empty folder with `Media` in it.
    ///
    /// - Parameter binding: What it is made from, at most 1 KiB; whoever goes on with it in a later run compares it. Empty for what is made
    ///   on this device: a later run does not go on with that.
    /// - Throws: ``GenerationsError/alreadyStaging``, ``GenerationsError/unsettled``; what the disk says.
    package func stage(binding: [UInt8]) throws(GenerationsError) -> StagedGeneration {
        guard binding.count <= Self.bindingLimit else {
            throw .tooLarge(path: Self.journal.text, limit: Self.bindingLimit)
        }
        do throws(GenerationsError) {
            return try state.withLock { state throws(GenerationsError) in
                guard !state.isUnsettled else { throw .unsettled }
                guard state.staged == nil else { throw .alreadyStaging }
                return try begin(binding, &state)
            }
        } catch {
            tidy()
            throw error
        }
    }

    /// A name that no folder has, nor a key: what a name meant once it never means again.
    private func unusedGeneration() throws(GenerationsError) -> Generation {
        while true {
            let id = GenerationID(random: random)
            let generation = try Generation(id)
            if try files.status(of: generation.folder) == nil, try keys.key(named: keyName(of: id)) == nil {
                return generation
            }
        }
    }

    private static var bindingLimit: Int { 1024 }

    private func begin(_ binding: [UInt8], _ state: inout State) throws(GenerationsError) -> StagedGeneration {
        let generation = try unusedGeneration()
        let startedAt = now
        let first = RestoreRecord.Preparing(
            generation: generation.id,
            binding: Base64URL.encode(binding),
            startedAtMilliseconds: startedAt
        )
        // Before the folder: a folder that no journal names is removed at the next start.
        state.journal = try RestoreJournal.create(Self.journal, first, in: files)
        try files.makeFolder(generation.folder)
        try files.makeFolder(generation.media)
        try files.synchronizeFolder(generation.folder)
        try files.synchronizeFolder(Self.folder)
        let staged = StagedGeneration(
            generation: generation,
            phase: .preparing,
            binding: binding,
            startedAtMilliseconds: startedAt
        )
        state.staged = staged
        return staged
    }

    /// Writes down how far the staging is; what it speaks of has to be on the disk before.
    ///
    /// - Parameter progress: At most 64 KiB. Only ``progress(_:)`` reads it.
    /// - Throws: ``GenerationsError/notReady`` where nothing is being put together; what the disk says.
    package func note(progress: [UInt8]) throws(GenerationsError) {
        try journalOfStaged().append(.progress(progress))
    }

    /// Hands every ``note(progress:)`` of what is staged to `visit`, in order, also those of earlier runs.
    package func progress(_ visit: ([UInt8]) throws(GenerationsError) -> Void) throws(GenerationsError) {
        try journalOfStaged().read { record throws(GenerationsError) in
            if case .progress(let bytes) = record { try visit(bytes) }
        }
    }

    /// All of it is there. Nothing changes where that was noted before.
    package func complete() throws(GenerationsError) { try advance(from: .preparing, to: .staged) }

    /// The data was checked: keeps its key, and puts all of it on the disk. Before it returns, ``commit()`` is refused.
    ///
    /// - Parameter package: The id of the package that it comes from; nil for data that begins on this device.
    package func verify(key: MasterKey, restoredFrom package: String?) throws(GenerationsError) {
        guard let staged, staged.phase >= .staged else { throw .notReady }
        let generation = staged.generation
        let facts = GenerationFacts(generation: generation.id, createdAtMilliseconds: now, restoredFrom: package)
        try files.write(StoreJSON.encode(facts), to: generation.facts)
        try keys.store(key.bytes, named: keyName(of: generation.id))
        try files.synchronizeTree(generation.folder)
        try advance(from: .staged, to: .verified)
    }

    /// Removes what is being put together. Does nothing where there is nothing.
    ///
    /// - Throws: What the disk says; the next start removes the rest.
    package func discardStaged() throws(GenerationsError) {
        state.withLock { state in
            guard state.staged != nil else { return }
            // A start that finds this goes on with nothing. Where it cannot be written, the folder goes all the same.
            try? state.journal?.append(.phase(.cleaned))
            state.staged = nil
        }
        tidy()
        if let cleanupFailure { throw cleanupFailure }
    }

    func journalOfStaged() throws(GenerationsError) -> RestoreJournal {
        try state.withLock { state throws(GenerationsError) in
            guard state.staged != nil, let journal = state.journal else { throw .notReady }
            return journal
        }
    }

    private func advance(from phase: StagingPhase, to next: StagingPhase) throws(GenerationsError) {
        try state.withLock { state throws(GenerationsError) in
            guard let staged = state.staged, let journal = state.journal, staged.phase >= phase else { throw .notReady }
            guard staged.phase < next else { return }
            try journal.append(.phase(next))
            state.staged = StagedGeneration(
                generation: staged.generation,
                phase: next,
                binding: staged.binding,
                startedAtMilliseconds: staged.startedAtMilliseconds
            )
        }
    }
}
