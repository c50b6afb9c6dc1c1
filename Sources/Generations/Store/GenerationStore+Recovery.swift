import Kernel
import Synchronization

extension GenerationStore {
    /// Folders of generations at a time: the current one, kept ones, a staged one, and what earlier runs could not remove.
    static var nameLimit: Int { 4096 }
    private static var pointerByteLimit: Int { 64 }
    private static var retentionByteLimit: Int { 64 << 10 }

    /// What the start does. `CURRENT` decides; the journal only says what is left to do.
    func recover() throws(GenerationsError) {
        try files.makeFolders(Self.folder)
        let current = try readPointer()
        // What is read here may not be on the disk yet, where an earlier run was cut off between the rename and the sync of the folder.
        // Nothing is removed before it is.
        try files.synchronizeFolder(Self.folder)
        let (staged, journal) = try readJournal()
        let kept = try readKept(current: current)
        try state.withLock { state throws(GenerationsError) in
            state.current = current
            state.kept = kept
            state.journal = journal
            if let staged, try isResumable(staged, state) { state.staged = staged }
        }
        tidy()
    }

    private func readPointer() throws(GenerationsError) -> GenerationID? {
        guard let bytes = try files.contents(of: Self.pointer, limit: Self.pointerByteLimit) else { return nil }
        guard bytes.last == UInt8(ascii: "\n"),
            let text = String(validating: bytes.dropLast(), as: UTF8.self), let id = GenerationID(text)
        else { throw .damagedPointer }
        guard try files.status(of: Generation(id).folder)?.kind == .folder else { throw .missingGeneration(id.name) }
        return id
    }

    private func readJournal() throws(GenerationsError) -> (StagedGeneration?, RestoreJournal?) {
        guard try files.status(of: Self.journal) != nil else { return (nil, nil) }
        var first: RestoreRecord.Preparing?
        var phase = StagingPhase.preparing
        let journal = try RestoreJournal.open(Self.journal, in: files) { record in
            switch record {
            case .preparing(let preparing): first = first ?? preparing
            case .progress: break
            case .phase(let next): phase = max(phase, next)
            }
        }
        guard let first, let binding = Base64URL.decode(first.binding) else { return (nil, journal) }
        let staged = StagedGeneration(
            generation: try Generation(first.generation),
            phase: phase,
            binding: binding,
            startedAtMilliseconds: first.startedAtMilliseconds
        )
        return (staged, journal)
    }

    /// Whether an earlier run's generation can be gone on with.
    private func isResumable(_ staged: StagedGeneration, _ state: borrowing State) throws(GenerationsError) -> Bool {
        let id = staged.generation.id
        // The commit was made: it is the current one, or was until somebody went back.
        guard id != state.current, !state.kept.contains(where: { $0.generation == id }), staged.phase < .committed
        else {
            return false
        }
        guard !staged.binding.isEmpty, now - staged.startedAtMilliseconds < policy.stagedMilliseconds else {
            return false
        }
        // Made last: without it the run ended before it could begin.
        return try files.status(of: staged.generation.media) != nil
    }

    private func readKept(current: GenerationID?) throws(GenerationsError) -> [KeptGeneration] {
        guard let current else { return [] }
        guard let bytes = try readRetention() else { return [] }
        if let kept = StoreJSON.decode([KeptGeneration].self, bytes) { return try prune(kept, current: current) }
        // The list is damaged. What was complete once is kept rather than removed.
        var found: [KeptGeneration] = []
        for id in try generations() where id != current {
            guard try files.status(of: Generation(id).facts) != nil else { continue }
            found.append(keeping(id, replacedBy: current))
        }
        return found
    }

    /// The bytes of the list; nil where there is none, no bytes where it is longer than it can be.
    func readRetention() throws(GenerationsError) -> [UInt8]? {
        do throws(GenerationsError) {
            return try files.contents(of: Self.retention, limit: Self.retentionByteLimit)
        } catch {
            guard case .tooLarge = error else { throw error }
            return []
        }
    }

    /// An entry is written before the commit that it is about: it holds once its successor is the current generation.
    func prune(_ kept: [KeptGeneration], current: GenerationID?) throws(GenerationsError) -> [KeptGeneration] {
        var pruned: [KeptGeneration] = []
        for entry in kept where entry.replacedBy == current && entry.generation != current {
            if try files.status(of: Generation(entry.generation).folder) != nil { pruned.append(entry) }
        }
        return pruned
    }

    func keeping(_ id: GenerationID, replacedBy successor: GenerationID) -> KeptGeneration {
        KeptGeneration(
            generation: id,
            replacedBy: successor,
            sinceMilliseconds: now,
            untilMilliseconds: now + policy.keptMilliseconds
        )
    }

    /// The generations that have a folder.
    func generations() throws(GenerationsError) -> [GenerationID] {
        try files.names(in: Self.folder, limit: Self.nameLimit).compactMap { GenerationID($0) }
    }

    func writeKept(_ kept: [KeptGeneration]) throws(GenerationsError) {
        try files.replace(Self.retention, with: StoreJSON.encode(kept))
    }
}
