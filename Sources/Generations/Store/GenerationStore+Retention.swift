import Synchronization

extension GenerationStore {
    /// Removes the kept generation where its time is over, or where the disk is nearly full. Called at each start and once an hour.
    ///
    /// - Returns: Whether it was removed.
    @discardableResult
    package func applyRetention() throws(GenerationsError) -> Bool {
        guard let kept else { return false }
        let room = try files.room()
        if room.free / max(1, policy.freePercent) < room.total / 100 {
            try discardKept()
            return true
        }
        let now = now
        guard now >= kept.untilMilliseconds else {
            if kept.overdueSinceMilliseconds != nil { try mark(kept, overdueSince: nil) }
            return false
        }
        guard let since = kept.overdueSinceMilliseconds, since <= now else {
            try mark(kept, overdueSince: now)
            return false
        }
        guard now - since >= policy.overdueMilliseconds else { return false }
        try discardKept()
        return true
    }

    /// Removes the kept generation, for a person who wants its space: there is no way back then. Does nothing where there is none.
    package func discardKept() throws(GenerationsError) {
        try state.withLock { state throws(GenerationsError) in
            guard !state.isUnsettled else { throw .unsettled }
            guard !state.kept.isEmpty else { return }
            try writeKept([])
            state.kept = []
        }
        tidy()
        if let cleanupFailure { throw cleanupFailure }
    }

    private func mark(_ kept: KeptGeneration, overdueSince moment: Int64?) throws(GenerationsError) {
        try state.withLock { state throws(GenerationsError) in
            guard !state.isUnsettled, let place = state.kept.firstIndex(of: kept) else { return }
            var list = state.kept
            list[place].overdueSinceMilliseconds = moment
            try writeKept(list)
            state.kept = list
        }
    }
}
