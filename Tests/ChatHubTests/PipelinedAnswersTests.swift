import Accounts
import Chat
import Foundation
import HomeTesting
import Kernel
import Synchronization
import Testing
import Transport

@testable import ChatHub

@Suite("Messages of a socket that do not wait for each other", .timeLimit(.minutes(2)))
struct PipelinedAnswersTests {
    /// What was sent, a list for each time.
    private final class Sent: Sendable {
        private let lists = Mutex<[[String]]>([])

        func add(_ responses: [SyncFrame.Response]) { lists.withLock { $0.append(responses.map(\.increment)) } }

        var all: [String] { lists.withLock { $0.flatMap(\.self) } }
    }

    private func answer(_ number: Int) -> SyncFrame.Response { SyncFrame.Response(.send, increment: "\(number)") }

    @Test("answers go out in the order of their requests, in whatever order they come")
    func order() async {
        let sent = Sent()
        let answers = PipelinedAnswers { sent.add($0) }
        let places = (0..<6).map { _ in answers.begin() }
        for number in [3, 1, 0, 5, 4, 2] { places[number](answer(number)) }
        await answers.wait(for: 0)
        #expect(sent.all == ["0", "1", "2", "3", "4", "5"])
        await answers.close()
    }

    @Test("the reader waits until few enough are under way, and a request is that until its answer is sent")
    func window() async {
        let (goes, go) = AsyncStream.makeStream(of: Void.self)
        let sent = Sent()
        let answers = PipelinedAnswers { responses in
            for await _ in goes { break }
            sent.add(responses)
        }
        let places = (0..<3).map { _ in answers.begin() }
        await answers.wait(for: 3)
        let isOver = LatestValue(false)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await answers.wait(for: 0)
                isOver.set(true)
            }
            for (number, place) in places.enumerated() { place(answer(number)) }
            for _ in 0..<100 { await Task.yield() }
            #expect(!isOver.value)
            go.finish()
        }
        #expect(isOver.value)
        #expect(sent.all == ["0", "1", "2"])
        await answers.close()
    }

    @Test("a reader that is cancelled waits no longer")
    func cancelled() async {
        let answers = PipelinedAnswers { _ in }
        _ = answers.begin()
        let reader = Task { await answers.wait(for: 0) }
        reader.cancel()
        await reader.value
        await answers.close()
    }

    @Test(
        "I1, I3: messages that are sent at once on a socket are answered in their order, and refused ones among them in their place"
    )
    func socket() async throws {
        try await Home.run(chat: ChatHubFeature.maker) { hub in
            let (ada, bob) = (try await HubPerson.make("ada", at: hub), try await HubPerson.make("bob", at: hub))
            try await ada.say("hello", to: bob)
            try await bob.say("hello", to: ada)
            let socket = try await ada.socket()
            for number in 0..<20 {
                var data = SendIMMessage(
                    from: ada.id,
                    to: .person(bob.id),
                    .text("words \(number)"),
                    clientMessageID: "m-\(number)"
                ).wire
                if number == 7 { data = data.adding("clientMsgID", "two words") }
                let request = SyncFrame.Request(.send, increment: "\(number)", operation: "test", data: data)
                try await socket.connection.send(text: request.wire.canonicalBytes)
            }
            // A request that is no message sees all that was sent before it.
            let newest = SyncFrame.Request(
                .newestSequences,
                increment: "last",
                operation: "test",
                data: ["userID": .string(ada.id.imUserID)]
            )
            try await socket.connection.send(text: newest.wire.canonicalBytes)
            var answered: [String] = []
            var places: [Int64] = []
            while answered.count < 21, let frame = try await socket.next() {
                guard frame.id != .push else { continue }
                answered.append(frame.increment)
                if frame.increment == "7" {
                    #expect(frame.code == .badArguments)
                } else if frame.increment == "last" {
                    let found = try NewestSequences(wire: frame.data)
                    #expect(found.newest[try ada.with(bob)] == 21)
                } else {
                    places.append(try #require(try SendMessageAnswer(wire: frame.data).sequence))
                }
            }
            #expect(answered == (0..<20).map { "\($0)" } + ["last"])
            #expect(places == Array(3...21))
            #expect(try await bob.history(with: ada).count == 21)
        }
    }
}
