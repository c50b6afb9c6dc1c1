package import Kernel

/// The questions of a follower at the other end of a line: it renews its subscription, and asks for what is missing, one question at a time.
package final class FeedQuestions: Sendable {
    private let renewal: Duration
    private let time: any TimeSource
    private let reasons = LatestValue(0)
    private let later = LatestValue<ContinuousClock.Instant?>(nil)

    /// - Parameter renewal: How often it is asked without another reason.
    package init(renewal: Duration, time: any TimeSource) {
        self.renewal = renewal
        self.time = time
    }

    /// There is a reason to ask now.
    package func ask() { reasons.update { $0 += 1 } }

    /// There is a reason to ask in a while. A later one replaces one that has not been waited for yet.
    package func ask(in duration: Duration) { later.set(time.now + duration) }

    /// Asks until the other side is forgotten: then `reachability` ends.
    ///
    /// - Parameters:
    ///   - reachability: Whether the other side is reached, now and after each change. It is asked as soon as it is reached again.
    ///   - isFinal: Whether an error of the question ends this. After any other the next reason is waited for.
    ///   - question: Given up for a newer reason, because a program that ended does not answer what it was asked.
    ///   - take: Takes an answer, and says whether there is more to ask for at once. It is not given up.
    /// - Throws: A final error of the question; what `take` throws.
    package func run<Answer: Sendable>(
        while reachability: AsyncStream<Bool>,
        isFinal: @escaping @Sendable (any Error) -> Bool,
        question: @escaping @Sendable () async throws -> Answer,
        take: @escaping @Sendable (Answer) async throws -> Bool
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var wasReached = true
                for await isReached in reachability {
                    if isReached, !wasReached { self.ask() }
                    wasReached = isReached
                }
            }
            group.addTask { while await self.time.pause(for: self.renewal) { self.ask() } }
            group.addTask {
                for await due in self.later.values() {
                    guard let due else { continue }
                    guard await self.time.pause(until: due) else { return }
                    self.ask()
                }
            }
            group.addTask {
                for await reason in self.reasons.values() where reason > 0 {
                    while let answer = try await self.answer(reason, isFinal, question), try await take(answer) {}
                }
            }
            try await group.next()
        }
    }

    /// - Returns: Nil where the question failed, or there is a newer reason to ask.
    private func answer<Answer: Sendable>(
        _ reason: Int,
        _ isFinal: @Sendable (any Error) -> Bool,
        _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer? {
        do {
            return try await withThrowingTaskGroup(of: Answer?.self) { [reasons] group in
                defer { group.cancelAll() }
                group.addTask { try await question() }
                group.addTask {
                    for await newer in reasons.values() where newer > reason { return nil }
                    throw CancellationError()
                }
                return try await group.next() ?? nil
            }
        } catch {
            if isFinal(error) { throw error }
            return nil
        }
    }
}
