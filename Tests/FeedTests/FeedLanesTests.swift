import Feed
import Kernel
import Testing

/// A text; what ends with "+" is joined with the next, and what ends with "?" comes again.
private struct Word: FeedItem, Hashable {
    var text: String
    var comesAgain: Bool { text.hasSuffix("?") }

    func joined(with next: Word) -> Word? { text.hasSuffix("+") ? Word(text: text + next.text) : nil }
}

/// Sends that stand until a test lets them go.
private final class Sends: Sendable {
    struct Send: Hashable {
        let follower: String
        let texts: [String]
    }

    let beginnings = LatestValue<[Send]>([])
    let endings = LatestValue<[Send]>([])
    private let free = LatestValue<Set<String>>([])

    /// - Parameter text: A send that begins with this ends.
    func release(_ text: String) { free.update { $0.insert(text) } }

    func begun(_ count: Int) async -> [Send] {
        for await begun in beginnings.values() where begun.count >= count { return begun }
        return []
    }

    func ended(_ count: Int) async -> [Send] {
        for await ended in endings.values() where ended.count >= count { return ended }
        return []
    }

    func send(_ words: [Word], to follower: String) async {
        let send = Send(follower: follower, texts: words.map(\.text))
        beginnings.update { $0.append(send) }
        for await free in free.values() where free.contains(send.texts[0]) || free.contains("all") { break }
        endings.update { $0.append(send) }
    }
}

@Suite("Feed: lanes", .timeLimit(.minutes(1))) struct FeedLanesTests {
    private typealias Lanes = FeedLanes<String, Word>

    private let sends = Sends()

    private func lanes(batch: Int = .max, sendLimit: Int = 1) -> Lanes {
        Lanes(batch: batch, sendLimit: sendLimit) { [sends] words, visit in
            await sends.send(words, to: visit.follower)
        }
    }

    @Test("what waits is sent in its order, and a follower whose send stands holds up no other")
    func order() async {
        let lanes = lanes()
        lanes.add(Word(text: "1"), to: "a", limit: 9)
        _ = await sends.begun(1)
        for text in ["2", "3"] { lanes.add(Word(text: text), to: "a", limit: 9) }
        sends.release("4")
        lanes.add(Word(text: "4"), to: "b", limit: 9)
        #expect(await sends.ended(1) == [.init(follower: "b", texts: ["4"])])
        sends.release("all")
        #expect(await sends.ended(3).dropFirst().map(\.texts) == [["1"], ["2", "3"]])
        await lanes.close()
    }

    @Test("a send takes no more than its batch, and the sends of one visit follow each other")
    func batches() async {
        let lanes = lanes(batch: 2, sendLimit: 4)
        for number in 1...5 { lanes.add(Word(text: "\(number)"), to: "a", limit: 9) }
        sends.release("all")
        #expect(await sends.ended(3).flatMap(\.texts) == ["1", "2", "3", "4", "5"])
        #expect(await sends.ended(3).allSatisfy { $0.texts.count <= 2 })
        await lanes.close()
    }

    @Test(
        "a full lane says what had to go: first what comes again, then the oldest; two that travel together take one place"
    )
    func full() async {
        let lanes = lanes()
        lanes.add(Word(text: "0"), to: "a", limit: 2)
        _ = await sends.begun(1)
        #expect(lanes.add(Word(text: "1"), to: "a", limit: 2) == nil)
        #expect(lanes.add(Word(text: "2?"), to: "a", limit: 2) == nil)
        #expect(lanes.add(Word(text: "3"), to: "a", limit: 2) == Word(text: "2?"))
        #expect(lanes.add(Word(text: "4+"), to: "a", limit: 2) == Word(text: "1"))
        #expect(lanes.add(Word(text: "5"), to: "a", limit: 2) == nil)
        #expect(lanes.add(Word(text: "6"), to: "a", limit: 3) == nil)
        sends.release("all")
        #expect(await sends.ended(2).last?.texts == ["3", "4+5", "6"])
        await lanes.close()
    }

    @Test("a follower that came again is sent to beside a send that stands, up to the limit")
    func renewed() async {
        let lanes = lanes(batch: 1, sendLimit: 2)
        lanes.add(Word(text: "1"), to: "a", limit: 9)
        _ = await sends.begun(1)
        lanes.add(Word(text: "2"), to: "a", limit: 9)
        lanes.renew("a")
        #expect(await sends.begun(2).map(\.texts) == [["1"], ["2"]])
        lanes.add(Word(text: "3"), to: "a", limit: 9)
        lanes.renew("a")
        for _ in 0..<100 { await Task.yield() }
        #expect(sends.beginnings.value.count == 2)
        // The first that ends begins the next one.
        sends.release("1")
        #expect(await sends.begun(3).last?.texts == ["3"])
        sends.release("all")
        _ = await sends.ended(3)
        lanes.renew("a")
        await lanes.close()
    }

    @Test(
        "a follower that left gets nothing of what waited, and one that came again stays whatever an earlier send says"
    )
    func left() async {
        let visits = LatestValue<[Lanes.Visit]>([])
        let lanes = Lanes(batch: 1, sendLimit: 4) { [sends] words, visit in
            visits.update { $0.append(visit) }
            await sends.send(words, to: visit.follower)
        }
        lanes.add(Word(text: "1"), to: "a", limit: 9)
        _ = await sends.begun(1)
        lanes.add(Word(text: "2"), to: "a", limit: 9)
        #expect(lanes.leave(visits.value[0]))
        #expect(!lanes.leave(visits.value[0]))
        lanes.add(Word(text: "3"), to: "a", limit: 9)
        _ = await sends.begun(2)
        #expect(!lanes.leave(visits.value[0]))
        lanes.add(Word(text: "4"), to: "a", limit: 9)
        lanes.renew("a")
        _ = await sends.begun(3)
        #expect(!lanes.leave(visits.value[1]))
        lanes.add(Word(text: "5"), to: "a", limit: 9)
        lanes.remove("a")
        sends.release("all")
        #expect(Set(await sends.ended(3).flatMap(\.texts)) == ["1", "3", "4"])
        lanes.add(Word(text: "6"), to: "a", limit: 9)
        #expect(await sends.ended(4).last?.texts == ["6"])
        await lanes.close()
    }

    @Test("closing hands what waits to sends that are cancelled, and nothing is sent afterwards")
    func closing() async {
        let lanes = lanes(batch: 1)
        lanes.add(Word(text: "1"), to: "a", limit: 9)
        _ = await sends.begun(1)
        lanes.add(Word(text: "2"), to: "a", limit: 9)
        await lanes.close()
        #expect(sends.endings.value.map(\.texts) == [["1"], ["2"]])
        lanes.add(Word(text: "3"), to: "a", limit: 9)
        for _ in 0..<100 { await Task.yield() }
        #expect(sends.beginnings.value.count == 2)
    }
}
