import Commands
import Conversations
import Foundation
import Kernel
import Testing

@testable import Threads

/// What a thread's follower is told and answered, and what it shows then: `Tests/Scenarios/threads.json`, which `Tests/Page/test_scenarios.py`
/// plays to the page's follower as well.
@Suite("Scenarios of followed threads", .timeLimit(.minutes(1)))
struct ThreadScenarioTests {
    struct Scenario: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var steps: [JSONValue]
        var testDescription: String { name }
    }

    static let all: [Scenario] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Scenarios/threads.json")
        let scenarios = try? JSONValue(parsing: Data(contentsOf: file)).decode(as: [Scenario].self)
        return scenarios ?? []
    }()

    @Test("there are scenarios")
    func some() { #expect(Self.all.count >= 10) }

    @Test("a follower shows everything once, and asks for nothing that it has", arguments: all)
    func played(scenario: Scenario) throws {
        var follower = Follower()
        for (number, step) in scenario.steps.enumerated() {
            try follower.play(step, "step \(number)")
        }
    }
}

/// A reader, with one question at a time like ``Feed/FeedQuestions``.
private struct Follower {
    private var reader = ThreadReader(ThreadReference(agent: .codex, id: "t"))
    private var shown: [String] = []
    /// The cursor behind which is asked; nil where nothing is asked.
    private var question: ConversationCursor??
    private var isAskedAgain = false

    init() { question = .some(nil) }

    mutating func play(_ step: JSONValue, _ name: Comment) throws {
        if let event = step["event"]?.objectValue {
            switch reader.take(RemoteEvent(event["event"]?.stringValue ?? "", event)) {
            case .ask where question == nil: question = .some(reader.cursor)
            case .ask: isAskedAgain = true
            case let other: show(other)
            }
        } else if let answer = step["answer"] {
            guard let asked = question else {
                #expect(step["needed"] == false, "nothing was asked: \(name)")
                return
            }
            #expect(asked?.text == step["asks"]?.stringValue, name)
            // The reader has moved meanwhile: the answer is dropped, and what may be missing behind it asked for.
            let isLate = asked != reader.cursor
            let (next, more) = reader.take(try ThreadPage(wire: answer), after: asked)
            show(next)
            question = more || isLate || isAskedAgain ? .some(reader.cursor) : nil
            isAskedAgain = false
        } else {
            let wanted = try #require(step["shows"]?.arrayValue).compactMap(\.stringValue)
            #expect(shown == wanted, name)
            #expect(question == nil, "something is asked that nobody answers: \(name)")
        }
    }

    private mutating func show(_ step: ThreadReader.Step) {
        switch step {
        case .add(let items): shown += items.map(\.id)
        case .replace(let items): shown = items.map(\.id)
        case .ask, .nothing: break
        }
    }
}
