import Commands
import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("A computer asked through the running phone", .timeLimit(.minutes(4)))
struct ControlPeerTests {
    private func client(_ state: String) -> ControlClient {
        ControlClient(folder: StateFolder(at: URL(fileURLWithPath: state)), role: "phone")
    }

    @Test("a call takes the person's time limit, and its answer is kept as it came, until it is taken")
    func call() async throws {
        let answer: JSONValue = ["pong": true, "more": [1, .null]]
        try await PreparedRole.run({ _ in answer }) { state, role in
            let peer = ControlPeer(client(state), computer: "Desk", timeout: 7, keeps: .all)
            #expect(try await peer.call("a.b", ["x": 1], timeout: .seconds(1)) == answer)
            #expect(role.requests.map(\.method) == ["call"])
            #expect(
                role.requests.first?.params == ["method": "a.b", "params": ["x": 1], "device": "Desk", "timeout": 7]
            )
            #expect(peer.takeAnswers() == [answer])
            #expect(peer.takeAnswers() == [])
            let forgetful = ControlPeer(client(state), computer: nil, timeout: 7, keeps: .none)
            _ = try await forgetful.call("a.b", [:], timeout: .seconds(1))
            #expect(forgetful.takeAnswers() == [])
            #expect(role.requests.last?.params["device"] == nil)
        }
    }

    @Test("what the phone refuses is its sentence, and nothing is kept of it")
    func refused() async throws {
        try await PreparedRole.run({ _ in throw ControlError.refused("No.") }) { state, _ in
            let peer = ControlPeer(client(state), computer: nil, timeout: 7, keeps: .all)
            await #expect(throws: ControlError.refused("No.")) {
                try await peer.call("a.b", [:], timeout: .seconds(1))
            }
            #expect(peer.takeAnswers() == [])
        }
    }

    @Test("events and reachability are what the phone reports, and end with it")
    func following() async throws {
        let items: [JSONValue] = [["event": "a.b", "members": ["x": 1]], ["no": "event"], ["event": "c.d"]]
        try await PreparedRole.run({ _ in .null }, reporting: items) { state, role in
            let peer = ControlPeer(client(state), computer: "Desk", timeout: 7, keeps: .none)
            var events: [RemoteEvent] = []
            for await event in try await peer.events() { events.append(event) }
            #expect(events == [RemoteEvent("a.b", ["x": 1]), RemoteEvent("c.d", [:])])
            #expect(role.requests.map(\.method) == ["events"])
            #expect(role.requests.first?.params == ["device": "Desk"])
        }
        try await PreparedRole.run({ _ in .null }, reporting: [true, "x", false]) { state, role in
            let peer = ControlPeer(client(state), computer: nil, timeout: 7, keeps: .none)
            var states: [Bool] = []
            for await isReached in try await peer.reachability() { states.append(isReached) }
            #expect(states == [true, false])
            #expect(role.requests.map(\.method) == ["reachability"])
        }
    }
}
