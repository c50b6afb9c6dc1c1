import Synchronization

/// Waits for the other phone wherever it comes: in the local network or at a hub.
public final class JoinedListeners: MigrationLinks {
    private typealias Outcome = (listener: Int, result: Result<any MigrationLink, any Error>)

    public var dials: Bool { false }
    private let listeners: [any MigrationLinks]
    /// Those at which nobody can come, as they said once.
    private let useless = Mutex<Set<Int>>([])

    /// - Parameter listeners: None of them dials.
    public init(_ listeners: [any MigrationLinks]) { self.listeners = listeners }

    /// - Throws: What is wrong with one of them, once; the others go on with the next call.
    public func next() async throws -> any MigrationLink {
        let passedOver = useless.withLock(\.self)
        let (listeners, waiting) = (self.listeners, self.listeners.indices.filter { !passedOver.contains($0) })
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for number in waiting {
                group.addTask {
                    do { return (number, .success(try await listeners[number].next())) } catch {
                        return (number, .failure(error))
                    }
                }
            }
            var outcomes: [Outcome] = []
            for await outcome in group {
                outcomes.append(outcome)
                group.cancelAll()
            }
            return outcomes
        }
        var found: (any MigrationLink)?
        var failure: (any Error)?
        for (number, result) in outcomes {
            switch result {
            case .success(let link):
                // The peer dials again whichever of two links is not served.
                if found == nil { found = link } else { link.close() }
            case .failure(let error as MigrationTransferError):
                failure = failure ?? error
                if case .hubCarriesNoMoves = error { useless.withLock { _ = $0.insert(number) } }
            case .failure: break
            }
        }
        if let found { return found }
        try Task.checkCancellation()
        throw failure ?? MigrationTransferError.linkLost
    }
}
