import Chat
import Testing

@testable import ChatClient

@Suite(.timeLimit(.minutes(1))) struct NewsLaneTests {
    @Test("what is put in comes out in its order, and an ended lane gives what is left")
    func order() async {
        let lane = NewsLane(countLimit: 8)
        for news in [ChatServerNews.connected, .resync, .lost] { _ = lane.put(news, bytes: 1) }
        lane.finish()
        var taken = 0
        while case .some = await lane.next() { taken += 1 }
        #expect(taken == 3)
        #expect(await isOver(lane))
    }

    @Test("a full lane says so, and its writer waits until half of it is taken")
    func bounded() async {
        let lane = NewsLane(countLimit: 4, byteLimit: 1000)
        for number in 1...4 { #expect(lane.put(.resync, bytes: 1) == (number < 4)) }
        async let waited: Void = lane.room()
        _ = await lane.next()
        _ = await lane.next()
        await waited
        #expect(lane.put(.resync, bytes: 2000) == false)
    }

    @Test("a lane that ends wakes its reader and its writer, and drops what it was told to")
    func ended() async {
        let empty = NewsLane()
        async let over = isOver(empty)
        empty.finish()
        #expect(await over)
        let full = NewsLane(countLimit: 1)
        _ = full.put(.resync, bytes: 1)
        async let room: Void = full.room()
        full.finish(dropping: true)
        await room
        #expect(await isOver(full))
    }

    private func isOver(_ lane: NewsLane) async -> Bool {
        if case .none = await lane.next() { true } else { false }
    }
}
