import Accounts
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Chat

/// The queue whose journal answers to it.
private final class HeldQueue: Sendable {
    let queue = Mutex<SendQueue?>(nil)
}

@Suite("The queue of messages on their way out", .timeLimit(.minutes(4)))
struct SendQueueTests {
    let scene: ChatScene
    let pipeline = ScriptedPipeline()
    let journal = RecordedJournal()
    let clock = ManualClock()
    let other: ConversationID

    init() throws {
        scene = try ChatScene()
        other = try #require(ConversationID(scene.ada, scene.cy))
    }

    private func queue(journal: RecordedJournal? = nil, attempts: Int = 3, limit: Int = 100) -> SendQueue {
        SendQueue(
            of: scene.ada,
            through: pipeline,
            journal: journal ?? self.journal,
            policy: SendPolicy(
                sendTimeout: .seconds(30),
                uploadTimeout: .seconds(600),
                attempts: attempts,
                backoff: Backoff(steps: [.seconds(1), .seconds(2)], jitter: 0),
                limit: limit
            ),
            time: clock
        )
    }

    private func text(_ id: String, in conversation: ConversationID? = nil) -> OutgoingMessage {
        OutgoingMessage(id: id, in: conversation ?? scene.conversation, .payload(.text(id)), createTime: 1)
    }

    private func photos(_ id: String, _ files: String..., kind: OutgoingMedia.Kind = .images) -> OutgoingMessage {
        let media = OutgoingMedia(kind, files.map { OutgoingMedia.File(source: $0) })
        return OutgoingMessage(id: id, in: scene.conversation, .media(media), createTime: 1)
    }

    @Test(
        "Q1, Q2: a later message of a conversation waits for an earlier one's slow upload; another conversation does not"
    )
    func serial() async throws {
        let queue = queue()
        pipeline.plan("slow", .waits)
        try queue.enqueue(photos("1", "slow", kind: .image))
        try queue.enqueue(text("2"))
        try queue.enqueue(text("3", in: other))
        #expect(try await journal.ended(1) == ["3"])
        #expect(pipeline.sends.value.map(\.clientMessageID) == ["3"])
        pipeline.open("slow")
        #expect(try await journal.ended(3) == ["3", "1", "2"])
        await queue.end()
    }

    @Test("Q2, Q3: a hundred messages that are given at once go in the order of the calls, by one task")
    func order() async throws {
        let queue = queue()
        let ids = (0..<100).map { "m\($0)" }
        for id in ids { try queue.enqueue(text(id)) }
        #expect(try await journal.ended(100) == ids)
        // One message began only after the one before it had ended.
        let steps = journal.events.value.map { event in
            switch event {
            case .sending(let id): "begin \(id)"
            case .sent(let answer): "end \(answer.clientMessageID)"
            default: "other"
            }
        }
        #expect(steps == ids.flatMap { ["begin \($0)", "end \($0)"] })
        #expect(queue.count == 0)
        await queue.end()
    }

    @Test("Q4, B16, B17: files are uploaded in order, each noted, and the message names their keys alone")
    func media() async throws {
        let queue = queue()
        try queue.enqueue(photos("p", "a.jpg", "b.jpg"))
        try queue.enqueue(photos("f", "c.jpg", kind: .flash))
        try queue.enqueue(photos("v", "d.ogg", kind: .voice(seconds: 4, waveform: [1, 2])))
        _ = try await journal.ended(3)
        #expect(pipeline.uploads.value == ["a.jpg", "b.jpg", "c.jpg", "d.ogg"])
        let expected: [MessagePayload] = [
            .multiImage(MultiImagePayload(objectKeys: ["chat/chat_image/a.jpg", "chat/chat_image/b.jpg"])),
            .flashImage(FlashImagePayload(objectKey: "chat/chat_flash/c.jpg")),
            .voice(VoicePayload(objectKey: "chat/chat_audio/d.ogg", durationSeconds: 4, waveform: [1, 2])),
        ]
        #expect(pipeline.sends.value.map(\.payload) == expected)
        #expect(journal.progress.value.prefix(2) == [0.25, 0.75])
        await queue.end()
    }

    @Test(
        "Q5, B2, B3: whatever fails at any stage, the message ends as failed and the next one goes",
        arguments: [
            "send", "upload", "answer", "payload", "files", "cancelled", "journal",
        ]
    )
    func failures(stage: String) async throws {
        let journal = RecordedJournal { event in
            if case .uploaded = event { stage == "journal" } else { false }
        }
        let queue = queue(journal: journal)
        var message = photos("1", "a.jpg", kind: .image)
        switch stage {
        case "send": pipeline.plan("1", .fails(ChatError.refused(.blockedByPeer)))
        case "upload": pipeline.plan("a.jpg", .fails(ChatError.tooLong("media", limit: 5)))
        case "answer": pipeline.plan("1", .answers(forID: "2"))
        case "payload": message.content = .payload(.text(String(repeating: "a", count: 20_000)))
        case "files": message.content = .media(OutgoingMedia(.image, []))
        // A part that gives up by itself is no end of the queue.
        case "cancelled": pipeline.plan("1", .fails(CancellationError()))
        default: break
        }
        try queue.enqueue(message)
        try queue.enqueue(text("next"))
        #expect(try await journal.ended(2) == ["1!", "next"])
        guard let failure = journal.events.value.first(where: { if case .failed = $0 { true } else { false } }),
            case .failed(_, let reason, _) = failure
        else { return #expect(Bool(false), "no failure") }
        #expect(!reason.isEmpty)
        await queue.end()
    }

    @Test("Q5: where not even the end can be kept, the queue goes on")
    func journalFails() async throws {
        let journal = RecordedJournal { _ in true }
        let queue = queue(journal: journal)
        try queue.enqueue(text("1"))
        try queue.enqueue(text("2"))
        #expect(try await journal.ended(2) == ["1!", "2!"])
        await queue.end()
    }

    @Test("Q8, R4, B1: a server that does not answer is tried again after growing waits, under the same id")
    func retries() async throws {
        let queue = queue()
        pipeline.plan("1", .fails(ChatError.unreachable), .hangs)
        try queue.enqueue(text("1"))
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
        // The second attempt hangs until its time is over.
        _ = try await first(pipeline.sends) { $0.count == 2 }
        await clock.sleeper(for: .seconds(30))
        clock.advance(by: .seconds(30))
        await clock.sleeper(for: .seconds(2))
        clock.advance(by: .seconds(2))
        #expect(try await journal.ended(1) == ["1"])
        #expect(pipeline.sends.value.map(\.clientMessageID) == ["1", "1", "1"])
        #expect(journal.events.value.contains(.retrying(id: "1", attempt: 3)))
        await queue.end()
    }

    @Test("B24: a message can be sent again in the very moment in which it is told that it failed")
    func resendAtOnce() async throws {
        let again = HeldQueue()
        let message = text("1")
        let journal = RecordedJournal { event in
            if case .failed = event { try? again.queue.withLock { $0 }?.enqueue(message) }
            return false
        }
        let queue = queue(journal: journal)
        again.queue.withLock { $0 = queue }
        pipeline.plan("1", .fails(ChatError.refused(.badArguments)))
        try queue.enqueue(message)
        #expect(try await journal.ended(2) == ["1!", "1"])
        again.queue.withLock { $0 = nil }
        await queue.end()
    }

    @Test("Q8: after the last attempt it failed; a refusal is tried once")
    func givesUp() async throws {
        let queue = queue(attempts: 1)
        pipeline.plan("1", .fails(ChatError.unreachable))
        try queue.enqueue(text("1"))
        #expect(try await journal.ended(1) == ["1!"])
        pipeline.plan("2", .fails(ChatError.refused(.badArguments)))
        try queue.enqueue(text("2"))
        #expect(try await journal.ended(2) == ["1!", "2!"])
        #expect(pipeline.sends.value.count == 2)
        await queue.end()
    }

    @Test("a file that was uploaded is not uploaded again by a later attempt, nor after a restart")
    func keepsUploads() async throws {
        let queue = queue()
        pipeline.plan("b.jpg", .fails(ChatError.unreachable))
        try queue.enqueue(photos("p", "a.jpg", "b.jpg"))
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
        _ = try await journal.ended(1)
        #expect(pipeline.uploads.value == ["a.jpg", "b.jpg", "b.jpg"])
        let kept = journal.events.value.compactMap { event -> OutgoingMessage? in
            if case .uploaded(let message) = event { message } else { nil }
        }
        try queue.enqueue(try #require(kept.last))
        _ = try await journal.ended(2)
        #expect(pipeline.uploads.value.count == 3)
        await queue.end()
    }

    @Test("B19: a message whose turn has not come can be taken back, one that is being sent cannot")
    func cancel() async throws {
        let queue = queue()
        pipeline.plan("1", .waits)
        try queue.enqueue(text("1"))
        try queue.enqueue(text("2"))
        try queue.enqueue(text("3"))
        _ = try await first(pipeline.sends) { !$0.isEmpty }
        #expect(!queue.cancel("1"))
        #expect(queue.cancel("2"))
        #expect(!queue.cancel("2"))
        pipeline.open("1")
        #expect(try await journal.ended(2) == ["1", "3"])
        await queue.end()
    }

    @Test("Q7: signing out ends what is being sent and notes nothing as failed; nothing is taken any more")
    func logout() async throws {
        let queue = queue()
        pipeline.plan("1", .hangs)
        try queue.enqueue(text("1"))
        try queue.enqueue(text("2"))
        _ = try await first(pipeline.sends) { !$0.isEmpty }
        await queue.end()
        #expect(RecordedJournal.ended(journal.events.value).isEmpty)
        #expect(pipeline.sends.value.count == 1)
        #expect(throws: ChatError.queueEnded) { try queue.enqueue(text("3")) }
        #expect(queue.count == 0)
    }

    @Test("one id is in the queue once, a full queue says so, and another's conversation is refused")
    func refusals() async throws {
        let queue = queue(limit: 2)
        pipeline.plan("1", .waits)
        try queue.enqueue(text("1"))
        try queue.enqueue(text("1"))
        try queue.enqueue(text("2"))
        #expect(queue.count == 2)
        #expect(throws: ChatError.queueFull(limit: 2)) { try queue.enqueue(text("3")) }
        let foreign = try #require(ConversationID(scene.bob, scene.cy))
        #expect(throws: ChatError.notYours) { try queue.enqueue(text("4", in: foreign)) }
        pipeline.open("1")
        #expect(try await journal.ended(2) == ["1", "2"])
        await queue.end()
    }
}
