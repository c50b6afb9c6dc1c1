import Accounts
import Chat
import ChatHub
import KernelTesting
import Testing

/// Random histories of three people, each step compared with ``LogModel``. A failing run is played again by its seed.
@Suite("Random histories", .timeLimit(.minutes(4)))
struct LogPropertyTests {
    private static let people: [Int64] = [7, 8, 9]
    private static let steps = 60

    private struct Run {
        let store: StoreUnderTest
        var model = LogModel()
        var random: SeededGenerator
        var ids: [String] = []

        mutating func pair() -> (Int64, Int64) {
            let one = people.randomElement(using: &random) ?? 7
            let other = people.filter { $0 != one }.randomElement(using: &random) ?? 8
            return (one, other)
        }
    }

    @Test("I1, I2, I3, I7, I8, I9: a random history leaves what the rules say", arguments: 0..<300)
    func histories(seed: UInt64) async throws {
        var run = Run(store: try StoreKind.memory.make(), random: SeededGenerator(seed: seed))
        for _ in 0..<Self.steps { try await step(&run) }
        try await compare(run)
        try compareNews(run)
    }

    @Test("I1, I2, I3, I7, I8, I9: so does one in a file", arguments: 1000..<1020)
    func historiesInFile(seed: UInt64) async throws {
        var run = Run(store: try StoreKind.file.make(), random: SeededGenerator(seed: seed))
        for _ in 0..<Self.steps { try await step(&run) }
        try await compare(run)
        try compareNews(run)
    }

    private func step(_ run: inout Run) async throws {
        let (one, other) = run.pair()
        let people: Set<Int64> = [one, other]
        let (log, there, who) = (run.store.log, try chat(one, other), try person(one))
        let seq = Int.random(in: 1...12, using: &run.random)
        switch Int.random(in: 0..<20, using: &run.random) {
        case 0..<10: try await send(&run, from: one, to: other)
        case 10, 11:
            let outcome = await failure {
                _ = try await log.recall(.seq(Int64(seq)), in: there, by: who, window: nil, at: start)
            }
            #expect(outcome == run.model.recall(seq, by: one, in: people))
        case 12, 13, 14:
            let outcome = await result {
                Int(try await log.read(there, by: who, upTo: Int64(seq), tellsPeer: true, origin: nil, at: start))
            }
            #expect(outcome == run.model.read(seq, by: one, in: people))
        case 15:
            let outcome = await result { Int(try await log.clear(there, for: who, at: start)) }
            #expect(outcome == run.model.clear(by: one, in: people))
        case 16:
            let outcome = await failure { try await log.hide(there, for: who, at: start) }
            #expect(outcome == run.model.hide(by: one, in: people))
        case 17:
            let outcome = await failure { try await log.delete([Int64(seq)], in: there, for: who, at: start) }
            #expect(outcome == run.model.delete(seq, by: one, in: people))
        case 18:
            let outcome = await failure { try await log.answerRequest(there, by: who, accepts: true, at: start) }
            #expect(outcome == run.model.accept(by: one, in: people))
        default:
            if run.random.chance(0.3) {
                try await log.block(person(other), by: who, limit: 9, at: start)
                run.model.blocks[one, default: []].insert(other)
            } else {
                try await log.unblock(person(other), by: who, at: start)
                run.model.blocks[one, default: []].remove(other)
            }
        }
    }

    private func send(_ run: inout Run, from sender: Int64, to receiver: Int64) async throws {
        let isRepeat = run.random.chance(0.25)
        let id = isRepeat ? run.ids.randomElement(using: &run.random) ?? "first" : "id-\(run.ids.count)"
        run.ids.append(id)
        let words = "words of \(id)" + (run.random.chance(0.1) ? "!" : "")
        let isCountable = !run.random.chance(0.15)
        let now = start + Int64.random(in: -1000...1000, using: &run.random)
        let draft = try MessageDraft.make(words, isCountable ? .text : .control, id: id, from: sender, to: receiver)
        let log = run.store.log
        let outcome = await result {
            let ack = try await log.append(draft, rules: SendRules(), at: now)
            return LogModel.Sent(seq: Int(ack.seq), isRepeat: ack.isRepeat)
        }
        #expect(
            outcome
                == run.model.send(words, isCountable: isCountable, id: id, from: sender, to: receiver, at: now)
        )
    }

    // MARK: Comparing

    private func compare(_ run: Run) async throws {
        for reader in Self.people {
            var unread = 0
            var listed: Set<String> = []
            for other in Self.people where other != reader {
                let there = try chat(reader, other)
                guard let model = run.model.conversations[[reader, other]] else {
                    #expect(try await run.store.log.all(reader, other, for: reader).isEmpty)
                    continue
                }
                let messages = try await run.store.log.all(reader, other, for: reader)
                let first = model.first[reader, default: 1]
                #expect(messages.map(\.seq) == (first...(model.messages.count + 1)).dropLast().map(Int64.init))
                for message in messages { expect(message, is: model.messages[Int(message.seq) - 1], for: reader) }
                let summary = try await run.store.log.summary(of: there, for: person(reader))
                #expect(summary.unread == model.unread(of: reader))
                #expect(summary.seqs.readSeq == Int64(model.read[reader, default: 0]))
                #expect(summary.seqs.maxSeq == Int64(model.messages.count))
                if model.isListed(for: reader) {
                    unread += summary.unread
                    listed.insert(there.text)
                }
            }
            let list = try await run.store.log.conversations(of: person(reader), page: ListPage())
            #expect(Set(list.conversations.map(\.conversation.text)) == listed)
            #expect(list.unreadTotal == unread)
        }
    }

    private func expect(_ message: StoredMessage, is model: LogModel.Message, for reader: Int64) {
        #expect(message.sender.number == model.sender)
        #expect(message.clientMessageID == model.id)
        #expect(message.sendTime == model.time)
        if model.deletedBy.contains(reader) {
            #expect(message.state == .deleted)
        } else {
            #expect(message.isRecalled == model.isRecalled)
        }
        let isGone = model.isRecalled || model.deletedBy.contains(reader)
        #expect(message.words == (isGone ? "" : model.words))
    }

    /// Each stored message was told to both, in the order of its seq; numbers of events have no gaps.
    private func compareNews(_ run: Run) throws {
        let pushes = run.store.told.all.pushes
        for reader in Self.people {
            let numbers = pushes.filter { $0.person.number == reader }.compactMap(\.number)
            #expect(numbers == Array(1..<(Int64(numbers.count) + 1)))
            for (people, model) in run.model.conversations where people.contains(reader) {
                let told = pushes.compactMap { push -> Int64? in
                    guard push.person.number == reader, case .message(let message) = push.change,
                        Set(message.conversation.people.map(\.number)) == people
                    else { return nil }
                    return message.seq
                }
                #expect(told == Array(1..<(Int64(model.messages.count) + 1)))
            }
        }
    }

    private func result<Value>(_ body: () async throws -> Value) async -> Result<Value, ChatHubError> {
        do { return .success(try await body()) } catch let error as ChatHubError { return .failure(error) } catch {
            Issue.record(error)
            return .failure(.malformed("unexpected"))
        }
    }

    private func failure(_ body: () async throws -> Void) async -> ChatHubError? {
        switch await result(body) {
        case .success: nil
        case .failure(let error): error
        }
    }
}
