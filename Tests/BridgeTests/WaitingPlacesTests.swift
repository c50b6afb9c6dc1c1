import Testing

@testable import BridgeHost

@Suite("Bridge: places of connections that prove nothing yet")
struct WaitingPlacesTests {
    @Test("of one address the oldest by arrival gives way, whatever order event loops see them in")
    func arrival() {
        var places = WaitingPlaces<Int>(addressLimit: 3, totalLimit: 10)
        for number in 1...6 { places.arrive(number) }
        // The device is the sixth, and its event loop is the first to take notice.
        #expect([6, 5, 4].map { places.enter($0, from: "a") } == [[], [], []])
        #expect([2, 3, 1].map { places.enter($0, from: "a") } == [[2], [3], [1]], "they came before")
        #expect(places.count == 3)
    }

    @Test("one that is silent gives way before one that asked for a socket, however long that stands")
    func silent() {
        var places = WaitingPlaces<Int>(addressLimit: 2, totalLimit: 10)
        #expect(places.enter(1, from: "a").isEmpty)
        places.speak(1)
        #expect(places.enter(2, from: "a").isEmpty)
        #expect(places.enter(3, from: "a") == [2])
        #expect(places.enter(4, from: "a") == [3])
        places.speak(4)
        // All have spoken but the newest, which had no time to.
        #expect(places.enter(5, from: "a") == [1])
    }

    @Test("in all, the oldest silent one of any address gives way")
    func total() {
        var places = WaitingPlaces<Int>(addressLimit: 2, totalLimit: 3)
        #expect(places.enter(1, from: "a").isEmpty)
        #expect(places.enter(2, from: "b").isEmpty)
        places.speak(1)
        #expect(places.enter(3, from: "c").isEmpty)
        #expect(places.enter(4, from: "d") == [2])
        places.leave(1)
        #expect(places.enter(5, from: "a").isEmpty)
        #expect(places.count == 3)
    }
}
