public import Kernel

/// Dials the other phone near by, and further off where it is not reached there. A link that broke is taken up over whichever way there is by then.
public actor PreferredDialer: MigrationLinks {
    private enum Way { case near, far }

    private struct Attempt: Sendable {
        let way: Way
        /// Nil of the head start, once it is over.
        let result: Result<any MigrationLink, any Error>?
    }

    public nonisolated var dials: Bool { true }
    private let links: [Way: any MigrationLinks]
    private let headStart: Duration
    private let time: any TimeSource
    /// The way of the last link.
    private var last: Way?
    private var skipsNear = false

    /// - Parameters:
    ///   - near: What is tried first, such as the local network.
    ///   - far: What is tried where `near` failed, or did not succeed within the head start.
    public init(
        near: any MigrationLinks,
        far: any MigrationLinks,
        headStart: Duration = .seconds(1),
        time: any TimeSource
    ) {
        links = [.near: near, .far: far]
        self.headStart = headStart
        self.time = time
    }

    public func next() async throws -> any MigrationLink {
        let begins: Way = skipsNear ? .far : .near
        skipsNear = false
        let attempts = begins == .near ? await race() : [await attempt(.far)]
        var failures: [Way: any Error] = [:]
        var found: (any MigrationLink)?
        for attempt in attempts {
            switch attempt.result {
            case .success(let link)?:
                // Both came at the same moment: the other phone serves the one that goes on.
                if found == nil { (found, last) = (link, attempt.way) } else { link.close() }
            case .failure(let error)?: failures[attempt.way] = error
            case nil: break
            }
        }
        if let found { return found }
        try Task.checkCancellation()
        // What is wrong at a hub says more than that nobody answered near by.
        throw failures[.far] ?? failures[.near] ?? MigrationTransferError.linkLost
    }

    public func passOver() async {
        guard let last else { return }
        // A stranger at the other phone's address near by must not keep the two apart.
        if last == .near { skipsNear = true }
        await links[last]?.passOver()
    }

    private func attempt(_ way: Way) async -> Attempt {
        guard let links = links[way] else { return Attempt(way: way, result: nil) }
        do { return Attempt(way: way, result: .success(try await links.next())) } catch {
            return Attempt(way: way, result: .failure(error))
        }
    }

    /// Tries both ways, the far one later, until one succeeds or both failed.
    ///
    /// - Returns: What came of each attempt, in the order in which they ended.
    private func race() async -> [Attempt] {
        let (time, headStart) = (time, headStart)
        return await withTaskGroup(of: Attempt.self) { group in
            group.addTask { await self.attempt(.near) }
            group.addTask {
                _ = await time.pause(for: headStart)
                return Attempt(way: .near, result: nil)
            }
            var ended: [Attempt] = []
            var isFarBegun = false
            var failed = 0
            while let attempt = await group.next() {
                ended.append(attempt)
                switch attempt.result {
                case .success?: group.cancelAll()
                case .failure?: failed += 1
                case nil: break
                }
                if failed == 2 { group.cancelAll() }
                guard !isFarBegun, !group.isCancelled else { continue }
                isFarBegun = true
                group.addTask { await self.attempt(.far) }
            }
            return ended
        }
    }
}
