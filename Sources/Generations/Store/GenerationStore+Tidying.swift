import Synchronization

extension GenerationStore {
    /// Puts away what is no part of the data any more. It may end at any call and is begun again at the next start; a failure is noted.
    func tidy() {
        state.withLock { state in
            guard !state.isUnsettled else { return }
            do throws(GenerationsError) {
                try finishCommit(&state)
                try writeLegacyKey(state)
                try removeRemains(state)
                try finishJournal(&state)
                state.cleanupFailure = nil
            } catch {
                state.cleanupFailure = error
            }
        }
    }

    /// The list of kept generations as it is after the commit. What it does not name any more is removed afterwards, never before.
    private func finishCommit(_ state: inout State) throws(GenerationsError) {
        state.kept = try prune(state.kept, current: state.current)
        let written = try readRetention()
        guard written != StoreJSON.encode(state.kept), written != nil || !state.kept.isEmpty else { return }
        try writeKept(state.kept)
    }

    private func writeLegacyKey(_ state: borrowing State) throws(GenerationsError) {
        guard let current = state.current, let key = try keys.key(named: keyName(of: current)) else { return }
        if try keys.key(named: Self.keyName) != key { try keys.store(key, named: Self.keyName) }
    }

    /// Removes folders and keys that belong to no generation which is current, kept or staged: a key after its folder.
    private func removeRemains(_ state: borrowing State) throws(GenerationsError) {
        let living = Set([state.current, state.staged?.generation.id].compactMap { $0 } + state.kept.map(\.generation))
        var removed = false
        for name in try files.names(in: Self.folder, limit: Self.nameLimit) {
            let isRemains = GenerationID(name).map { !living.contains($0) } ?? name.hasSuffix(Self.nextSuffix)
            guard isRemains else { continue }
            try files.removeTree(Self.folder.appending(try StorePath(name)))
            removed = true
        }
        if removed { try files.synchronizeFolder(Self.folder) }
        let names = Set(living.map { keyName(of: $0) } + [Self.keyName])
        for name in try keys.names(withPrefix: Self.keyName) where !names.contains(name) {
            try keys.remove(named: name)
        }
    }

    private static var nextSuffix: String { ".next" }

    /// Ends the journal of a generation that is not staged any more.
    private func finishJournal(_ state: inout State) throws(GenerationsError) {
        guard state.staged == nil, let journal = state.journal else { return }
        try journal.append(.phase(.cleaned))
        try files.removeFileIfThere(Self.journal)
        try files.synchronizeFolder(Self.folder)
        state.journal = nil
    }
}
