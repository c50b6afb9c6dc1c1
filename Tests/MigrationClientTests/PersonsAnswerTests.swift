import Testing

@testable import MigrationClient

@Suite("A question to a person", .timeLimit(.minutes(1)))
struct PersonsAnswerTests {
    @Test("an answer reaches everybody who asks, and nobody who does not")
    func reachesAll() async throws {
        let answer = PersonsAnswer<String>()
        #expect(!answer.give("early"))
        let values = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<3 { group.addTask { try await answer.ask() } }
            group.addTask {
                // Whoever asks by then is answered; the group is cancelled once all were.
                while !Task.isCancelled {
                    _ = answer.give("yes")
                    await Task.yield()
                }
                return nil
            }
            var values: [String] = []
            while values.count < 3, let next = try await group.next() { if let next { values.append(next) } }
            group.cancelAll()
            return values
        }
        #expect(values == ["yes", "yes", "yes"])
    }

    @Test("what shows the question is told once an answer is taken, so that whoever sees it may answer at once")
    func shownWhenAsked() async throws {
        let answer = PersonsAnswer<String>()
        let value = try await answer.ask { #expect(answer.give("at once")) }
        #expect(value == "at once")
    }

    @Test("who is cancelled asks no more, before or while it waits")
    func cancelled() async throws {
        let answer = PersonsAnswer<Int>()
        let asker = Task { try await answer.ask() }
        asker.cancel()
        await #expect(throws: CancellationError.self) { _ = try await asker.value }
        #expect(!answer.give(1))
    }
}
