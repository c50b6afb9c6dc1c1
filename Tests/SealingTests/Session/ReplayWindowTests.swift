import Testing

@testable import Sealing

@Suite("The replay window", .timeLimit(.minutes(4)))
struct ReplayWindowTests {
    @Test("each number is new once")
    func once() {
        var window = ReplayWindow()
        for number: UInt64 in [0, 1, 5, 3, 64, 63, 1000] {
            #expect(window.isNew(number))
            window.insert(number)
            #expect(!window.isNew(number))
        }
        #expect(window.isNew(2))
        #expect(window.isNew(4))
    }

    @Test("a number 1023 below the greatest is taken, one 1024 below is not")
    func width() {
        var window = ReplayWindow()
        window.insert(5000)
        #expect(window.isNew(5000 - 1023))
        #expect(!window.isNew(5000 - 1024))
        #expect(!window.isNew(0))
    }

    @Test("numbers up to the greatest possible do not overflow")
    func greatest() {
        var window = ReplayWindow()
        window.insert(0)
        window.insert(.max)
        #expect(!window.isNew(.max))
        #expect(window.isNew(.max - 1023))
        #expect(!window.isNew(.max - 1024))
    }

    @Test("a random walk agrees with a set of everything seen")
    func model() {
        var window = ReplayWindow()
        var seen: Set<UInt64> = []
        var greatest: UInt64 = 0
        var state: UInt64 = 25519
        for step in 0..<6000 {
            // A small linear generator: the same walk in every run.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let jump = (state >> 33) % 1200
            let number = step % 500 == 499 ? greatest + 3000 : greatest + 100 > jump ? greatest + 100 - jump : 0
            let isExpected = !seen.contains(number) && (number >= greatest || greatest - number < 1024)
            #expect(window.isNew(number) == isExpected)
            guard isExpected else { continue }
            window.insert(number)
            seen.insert(number)
            greatest = max(greatest, number)
        }
        #expect(seen.count > 1000)
    }
}
