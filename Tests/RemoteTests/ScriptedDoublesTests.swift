import CommandClient
import CommandServer
import Commands
import FeatureTesting
import Kernel
import Rights
import Testing

@Suite("The computers and outlets that tests script", .timeLimit(.minutes(1)))
struct ScriptedDoublesTests {
    private static let kind = EventKind("test.told", needs: .notification)
    private static let event = RemoteEvent(kind, ["text": "a"])

    @Test("a peer without a script says yes, and notes what it was asked")
    func calls() async throws {
        let peer = ScriptedPeer()
        #expect(try await peer.call("test.one", ["a": 1], timeout: .seconds(2)) == ["success": true])
        #expect(try await peer.call("test.two", [:], timeout: .seconds(3)) == ["success": true])
        let calls = await peer.called(2)
        #expect(calls.map(\.number) == [1, 2])
        #expect(calls.map(\.method) == ["test.one", "test.two"])
        #expect(calls.map(\.params) == [["a": 1], [:]])
        #expect(calls.map(\.timeout) == [.seconds(2), .seconds(3)])
    }

    @Test("a peer that is away is not called, and says when it is back")
    func away() async throws {
        let peer = ScriptedPeer()
        var ways = try await peer.reachability().makeAsyncIterator()
        #expect(await ways.next() == true)
        peer.setReachable(false)
        #expect(await ways.next() == false)
        await #expect(throws: RemoteError.notConnected) { try await peer.call("test.one", [:], timeout: .seconds(1)) }
        #expect(peer.calls.isEmpty)
        peer.setReachable(true)
        #expect(await ways.next() == true)
        #expect(try await peer.call("test.one", [:], timeout: .seconds(1)) == ["success": true])
    }

    @Test("a peer tells its readers, until it is forgotten")
    func forgotten() async throws {
        let peer = ScriptedPeer()
        var events = try await peer.events().makeAsyncIterator()
        peer.tell(Self.event)
        #expect(await events.next() == Self.event)
        peer.forget()
        #expect(await events.next() == nil)
        #expect(peer.readers == 1)
        for await isReached in try await peer.reachability() { Issue.record("\(isReached)") }
    }

    @Test("a device that is away, or lacks a right, is not told")
    func devices() async throws {
        let outlet = ScriptedOutlet()
        outlet.pair([
            OutletDevice(id: "a", name: "A", keepsEvents: true), OutletDevice(id: "b", name: "B", keepsEvents: true),
        ])
        outlet.deny([.notification], to: "b")
        #expect(outlet.devices(needing: .notification).map(\.id) == ["a"])
        outlet.leave("a")
        await #expect(throws: RemoteError.notConnected) {
            try await outlet.send(Self.kind, ["text": "a"], to: "a")
        }
        await outlet.failed(1)
        #expect(outlet.events.isEmpty)
        outlet.comeBack("a")
        var told = outlet.stream(to: "a").makeAsyncIterator()
        try await outlet.send(Self.kind, ["text": "a"], to: "a")
        #expect(await told.next() == Self.event)
        #expect(outlet.events.map(\.device) == ["a"])
    }

    @Test("an event arrives as often as the test lets it pass")
    func passing() async throws {
        let outlet = ScriptedOutlet { sent in sent.number == 1 ? [] : [sent.event, sent.event] }
        for _ in 0..<2 { try await outlet.send(Self.kind, ["text": "a"], to: "a") }
        #expect(await outlet.arrived(2) == [Self.event, Self.event])
        #expect(outlet.events.map(\.number) == [2, 2])
    }

    @Test("computers are found by their id, the only one without it, and forgotten")
    func computers() async throws {
        let (home, work) = (ScriptedPeer(id: "home"), ScriptedPeer(id: "work"))
        let computers = ScriptedComputers(home)
        var lists = computers.paired().makeAsyncIterator()
        #expect(await lists.next()?.map(\.id) == ["home"])
        #expect(try await computers.peer(named: nil).id == "home")
        computers.set([home, work])
        #expect(await lists.next()?.map(\.id) == ["home", "work"])
        #expect(try await computers.peer(named: "work").id == "work")
        await #expect(throws: ScriptedComputers.Unknown.self) { try await computers.peer(named: nil) }
        computers.set([])
        await #expect(throws: ScriptedComputers.Unknown.self) { try await computers.peer(named: "home") }
    }
}
