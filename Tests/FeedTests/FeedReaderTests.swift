import Feed
import KernelTesting
import Testing

@Suite("Feed: a reader's place") struct FeedReaderTests {
    @Test("a part that goes on from here moves the reader, one that it has is known, and any other leaves a gap")
    func parts() {
        var reader = FeedReader("b")
        #expect(reader.take(after: "a", upTo: "b") == .known)
        #expect(reader.take(after: "c", upTo: "d") == .gap)
        #expect(reader.cursor == "b")
        #expect(reader.take(after: "b", upTo: nil) == .next)
        #expect(reader.cursor == "b")
        #expect(reader.take(after: "b", upTo: "c") == .next)
        #expect(reader.cursor == "c")
        #expect(reader.take(after: "b", upTo: nil) == .gap)
    }

    @Test("an answer counts only where it was asked for")
    func answers() {
        var reader = FeedReader<String>()
        #expect(reader.take(after: "a", upTo: "b") == .gap)
        #expect(reader.take(answerTo: "a", upTo: "b") == false)
        #expect(reader.take(answerTo: nil, upTo: "b") == true)
        #expect(reader.take(after: "b", upTo: "c") == .next)
        #expect(reader.take(answerTo: "b", upTo: "d") == false)
        #expect(reader.cursor == "c")
        #expect(reader.take(answerTo: "c", upTo: nil) == true)
        #expect(reader.cursor == "c")
    }

    @Test("numbers follow each other within an epoch, and are not compared with another's")
    func positions() {
        let place = FeedPosition(epoch: "e", number: 4)
        func relation(_ number: Int64, _ epoch: String = "e") -> FeedRelation {
            place.relation(of: FeedPosition(epoch: epoch, number: number))
        }
        #expect([3, 4, 5, 6].map { relation($0) } == [.known, .known, .next, .gap])
        #expect(relation(5, "other") == .gap)
        #expect(relation(.min) == .known)
        #expect(relation(.max) == .gap)
    }

    @Test("a feed of which parts are lost, doubled and late ends with every change once, in order", arguments: 0..<50)
    func losses(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let changes = Array(0..<60)
        var reader = FeedReader(0)
        var taken: [Int] = []
        var late: [(after: Int, upTo: Int)] = []
        for change in changes {
            late.append((change, change + 1))
            while let part = late.first, Bool.random(using: &random) {
                if Bool.random(using: &random) { late.removeFirst() }
                switch reader.take(after: part.after, upTo: part.upTo) {
                case .next: taken.append(part.after)
                case .known: break
                case .gap:
                    let asked = reader.cursor
                    #expect(reader.take(answerTo: asked, upTo: change + 1) == true)
                    taken += changes[(asked ?? 0)..<(change + 1)]
                }
            }
            if Bool.random(using: &random), !late.isEmpty { late.removeFirst() }
        }
        let asked = reader.cursor ?? 0
        taken += changes[asked...]
        #expect(taken == changes)
    }
}
