import Feed
import Kernel
import KernelTesting
import Testing

/// The other side of a line, whose answers a test gives.
private final class OtherSide: Sendable {
    struct Refusal: Error, Hashable { let isFinal: Bool }

    let count = LatestValue(0)
    let texts = LatestValue<[String]>([])
    let clock = ManualClock()
    let questions: FeedQuestions
    private let reach = Broadcaster<Bool>()
    private let answers = LatestValue<[Result<String, Refusal>]>([])
    private let reachability: AsyncStream<Bool>

    init() {
        questions = FeedQuestions(renewal: .seconds(30), time: clock)
        reachability = reach.subscribe()
    }

    /// Answers that end with "…" are followed by more.
    func run() async throws {
        try await questions.run(
            while: reachability,
            isFinal: { ($0 as? Refusal)?.isFinal ?? false },
            question: { () async throws -> String in
                self.count.update { $0 += 1 }
                for await waiting in self.answers.values() where !waiting.isEmpty {
                    var answer: Result<String, Refusal>?
                    self.answers.update { answer = $0.isEmpty ? nil : $0.removeFirst() }
                    if let answer { return try answer.get() }
                }
                throw CancellationError()
            },
            take: { (answer: String) in
                self.texts.update { $0.append(answer) }
                return answer.hasSuffix("…")
            }
        )
    }

    func answer(_ text: String) { answers.update { $0.append(.success(text)) } }
    func refuse(isFinal: Bool) { answers.update { $0.append(.failure(Refusal(isFinal: isFinal))) } }

    func hasAnsweredAll() async { for await waiting in answers.values() where waiting.isEmpty { return } }

    func isReached(_ isReached: Bool) { reach.send(isReached) }
    func forget() { reach.finish() }

    func asked(_ count: Int) async { for await asked in self.count.values() where asked >= count { return } }
    func taken(_ texts: [String]) async { for await taken in self.texts.values() where taken == texts { return } }
}

@Suite("Feed: questions", .timeLimit(.minutes(1))) struct FeedQuestionsTests {
    private let other = OtherSide()

    @Test("nothing is asked without a reason but to renew, and an answer with more is followed by the next question")
    func renewal() async throws {
        let task = Task { try await other.run() }
        await other.clock.sleeper(for: .seconds(30))
        #expect(other.count.value == 0)
        other.answer("1…")
        other.answer("2")
        other.clock.advance(by: .seconds(30))
        await other.taken(["1…", "2"])
        await other.clock.sleeper(for: .seconds(30))
        other.answer("3")
        other.clock.advance(by: .seconds(30))
        await other.taken(["1…", "2", "3"])
        #expect(other.count.value == 3)
        other.forget()
        try await task.value
    }

    @Test("it is asked at once when the other side is reached again, and what stands is given up for it")
    func reached() async throws {
        let task = Task { try await other.run() }
        other.isReached(true)
        other.questions.ask()
        await other.asked(1)
        other.isReached(false)
        other.isReached(true)
        await other.asked(2)
        other.answer("1")
        await other.taken(["1"])
        #expect(other.count.value == 2)
        other.forget()
        try await task.value
    }

    @Test("a question in a while waits for its time")
    func later() async throws {
        let task = Task { try await other.run() }
        other.questions.ask(in: .seconds(3))
        await other.clock.sleeper(for: .seconds(3))
        #expect(other.count.value == 0)
        other.answer("1")
        other.clock.advance(by: .seconds(3))
        await other.taken(["1"])
        other.forget()
        try await task.value
    }

    @Test("after a failure the next reason is waited for, and a final one ends it")
    func failures() async throws {
        let task = Task { try await other.run() }
        other.refuse(isFinal: false)
        other.questions.ask()
        await other.asked(1)
        await other.hasAnsweredAll()
        other.answer("1")
        await other.clock.sleepers(1)
        // Not asked again at once.
        #expect(other.count.value == 1)
        other.clock.advance(by: .seconds(30))
        await other.taken(["1"])
        other.refuse(isFinal: true)
        other.questions.ask()
        await #expect(throws: OtherSide.Refusal(isFinal: true)) { try await task.value }
        #expect(other.count.value == 3)
    }
}
