import Synchronization

extension GenerationStore {
    /// Makes the staged generation the current one. The one before is kept (``RetentionPolicy``).
    ///
    /// Nobody may write into the current generation any more: what is written between the last reading of it and this is in the kept one only.
    ///
    /// - Throws: ``GenerationsError/notReady`` before ``verify(key:restoredFrom:)``. ``GenerationsError/unsettled`` where the disk failed in the
    ///   commit itself, so that only the next start knows what holds. Any other error leaves everything as it was.
    package func commit() throws(GenerationsError) -> GenerationCommit {
        try state.withLock { state throws(GenerationsError) in
            guard let staged = state.staged, staged.phase == .verified else { throw .notReady }
            try point(to: staged.generation.id, &state)
            state.staged = nil
            // CURRENT says it already: this record only saves the next start a look.
            do throws(GenerationsError) {
                try state.journal?.append(.phase(.committed))
            } catch {
                state.cleanupFailure = error
            }
        }
        return try afterCommit()
    }

    /// Goes back to the generation that was replaced. What was written since stays in the one that is left, which is kept in its place: going
    /// back can be undone by the same call.
    ///
    /// - Throws: ``GenerationsError/nothingKept``, and the errors of ``commit()``.
    package func rollback() throws(GenerationsError) -> GenerationCommit {
        try state.withLock { state throws(GenerationsError) in
            guard !state.isUnsettled else { throw .unsettled }
            guard let kept = state.kept.first else { throw .nothingKept }
            let name = keyName(of: kept.generation)
            guard try keys.key(named: name) != nil else { throw .missingKey(kept.generation.name) }
            guard try files.status(of: Generation(kept.generation).folder) != nil else {
                throw .missingGeneration(kept.generation.name)
            }
            try point(to: kept.generation, &state)
        }
        return try afterCommit()
    }

    private func afterCommit() throws(GenerationsError) -> GenerationCommit {
        tidy()
        guard let current = try current() else { throw .empty }
        return GenerationCommit(current: current, kept: kept, cleanupFailure: cleanupFailure)
    }

    /// The commit. In front of it, the list of kept generations gets the one that is replaced: it holds once the commit does.
    private func point(to id: GenerationID, _ state: inout State) throws(GenerationsError) {
        guard !state.isUnsettled else { throw .unsettled }
        var kept = state.kept
        if let current = state.current {
            kept.append(keeping(current, replacedBy: id))
            try writeKept(kept)
        }
        let next = try files.writeNext(of: Self.pointer, Array("\(id.name)\n".utf8))
        // From here on an error does not say which of the two the disk has.
        state.isUnsettled = true
        do throws(GenerationsError) {
            try files.rename(next, to: Self.pointer)
            try files.synchronizeFolder(Self.folder)
        } catch { throw .unsettled }
        state.isUnsettled = false
        state.current = id
        state.kept = kept
    }
}
