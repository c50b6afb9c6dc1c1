import CommandClient
import CommandServer
import Commands
import Control
import Foundation
import GRDB
import HomeTesting
import Kernel
import Pairing
import Rights
import Sealing
import Storage
import Synchronization
import TandemPhone
import Testing
import Transport

@testable import TandemDesktop

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The proof of the joints: a feature that is a folder of its own and a line in each list, and whose every part works in the real compositions.
@Suite("A feature that is added by a folder and a line", .timeLimit(.minutes(4)))
struct DoorbellTests {
    /// A home with the bell, and the bell itself.
    private static func run(
        servesSockets: Bool = false,
        settings: [String: JSONValue] = [:],
        _ body: @escaping @Sendable (Home, PairedDesktop, BellPart) async throws -> Void
    ) async throws {
        var plan = Home.Plan(host: [BellSkill.maker], phone: .standard + [BellFeature.maker])
        plan.settings = settings
        plan.servesSockets = servesSockets
        try await Home.run(plan) { home in
            let computer = try await home.pair(allowing: [.bell])
            try await home.connected(computer)
            try await body(home, computer, try await home.phone.part(BellPart.self, of: computer))
        }
    }

    @Test("its method is served with types, told in the registry, and refused without its right")
    func method() async throws {
        try await Self.run { home, computer, _ in
            let peer = try await home.phone.peer(computer)
            #expect(try await peer.call(BellMethods.ring, BellMethods.Ring(times: 2)).total == 2)
            let wrong = await #expect(throws: RemoteFailure.self) {
                try await peer.call(BellMethods.ring, BellMethods.Ring(times: 6))
            }
            #expect(wrong?.code == FailureCode.badParameters)
            let list = try await peer.call(MethodDeclaration.registryList.name, [:], timeout: .seconds(30))
            let skills = list["skills"]?.arrayValue ?? []
            #expect(skills.contains { $0["namespace"] == "bell" && $0["served"] == true })
            try await home.deny([.bell])
            let refused = await #expect(throws: RemoteFailure.self) {
                try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1))
            }
            #expect(refused?.code == FailureCode.notAllowed)
        }
    }

    @Test(
        "its right is in the catalogue: given by name, listed where a name is wrong, and what it kept going ends with it"
    )
    func right() async throws {
        try await Self.run { home, computer, _ in
            let control = try await home.desktop.control
            try await home.deny([.bell])
            let record = try await home.record()
            let allow: JSONValue = ["id": .string(record.name), "skills": ["bell"]]
            let allowed = try await control.handle(ControlRequest(id: 1, method: "devices.allow", params: allow))
            #expect(allowed["changed"] == ["bell"])
            let typo: JSONValue = ["id": .string(record.name), "skills": ["bells"]]
            let error = await #expect(throws: RightsError.self) {
                try await control.handle(ControlRequest(id: 1, method: "devices.allow", params: typo))
            }
            #expect(error?.description.contains(" bell.") == true)
            _ = try await home.phone.peer(computer).call(BellMethods.ring, BellMethods.Ring(times: 1))
            let list = ControlRequest(id: 1, method: "activity.list")
            #expect(try await control.handle(list)["activities"]?.arrayValue?.first?["words"] == "rings the bell")
            try await home.deny([.bell])
            #expect(try await control.handle(list)["activities"] == [])
        }
    }

    @Test("its event reaches the phone while it has the right")
    func event() async throws {
        try await Self.run { home, computer, _ in
            var events = try await home.phone.events(of: computer).makeAsyncIterator()
            _ = try await home.phone.peer(computer).call(BellMethods.ring, BellMethods.Ring(times: 3))
            #expect(await events.next() == RemoteEvent(.bellRang, ["total": 3]))
        }
    }

    @Test("a call of it waits for a computer that is away, and a wrong one is refused before it waits")
    func queue() async throws {
        try await Self.run { home, computer, _ in
            await home.stopDesktop()
            let events = try await home.phone.queue.events()
            _ = try await home.phone.enqueue(BellMethods.ring.name, ["times": 2], for: computer)
            await #expect(throws: RemoteError.self) {
                try await home.phone.enqueue(BellMethods.ring.name, ["times": 9], for: computer)
            }
            try await home.startDesktop()
            var results: [JSONValue] = []
            for await event in events {
                guard case .delivered(_, let result) = event else { continue }
                results.append(result)
                break
            }
            #expect(results == [["success": true, "total": 2]])
        }
    }

    @Test("what it keeps reaches a phone that was away for a day, through restarts of both, in order and once")
    func kept() async throws {
        try await Self.run { home, computer, _ in
            let device = try await home.record().did.text
            await home.stopPhone()
            let bell = try #require(try await home.feature(BellSkill.self))
            try await bell.missed("Ada", device: device)
            try await bell.missed("a parcel", replacing: "parcel", device: device)
            try await bell.missed("a second parcel", replacing: "parcel", device: device)
            await home.stopDesktop()
            home.pass(.seconds(24 * 3600))
            try await home.startDesktop()
            let again = try #require(try await home.feature(BellSkill.self))
            try await again.missed("Bo", device: device)
            try await home.startPhone()
            let part = try await home.phone.part(BellPart.self, of: computer)
            let missed = await part.missed(3)
            #expect(missed.map(\.visitor) == ["Ada", "a second parcel", "Bo"])
            let numbers = missed.compactMap(\.number)
            #expect(numbers == (0..<3).map { numbers[0] + $0 })
            // The next process of the phone gets what is new and nothing again: what was acknowledged before this one ended.
            try await home.connected(computer)
            try await Self.everythingTaken(from: home)
            await home.stopPhone()
            try await again.missed("Cy", device: device)
            try await home.startPhone()
            let next = try await home.phone.part(BellPart.self, of: computer)
            #expect(await next.missed(1).map(\.visitor) == ["Cy"])
            #expect(next.missedNow.count == 1)
        }
    }

    /// Returns once the phone has acknowledged all that the computer kept for it.
    private static func everythingTaken(from home: Home) async throws {
        let database = try await home.desktop.state.database
        let held = "SELECT (SELECT COUNT(*) FROM sessionKept) + (SELECT COUNT(*) FROM sessionOutbound)"
        while !Task.isCancelled, try await database.read({ try Int.fetchOne($0, sql: held) }) != 0 {
            await Task.yield()
        }
    }

    @Test("what is kept is dropped with the right, and after a month")
    func dropped() async throws {
        try await Self.run { home, computer, _ in
            let device = try await home.record().did.text
            let bell = try #require(try await home.feature(BellSkill.self))
            // The phone is told its rights in the same lane: what is on its way is not taken back any more.
            try await Self.everythingTaken(from: home)
            await home.stopPhone()
            try await bell.missed("Ada", device: device)
            try await home.deny([.bell])
            await #expect(throws: RemoteError.notConnected) { try await bell.missed("Bo", device: device) }
            try await home.allow([.bell])
            try await bell.missed("Cy", device: device)
            home.pass(.seconds(31 * 24 * 3600))
            try await bell.missed("Di", device: device)
            try await home.startPhone()
            let part = try await home.phone.part(BellPart.self, of: computer)
            let missed = await part.missed(1).map(\.visitor)
            #expect(missed == ["Di"])
        }
    }

    @Test("its binary message goes there and back")
    func frame() async throws {
        try await Self.run { _, _, part in
            try await part.press([BellFrame.firstByte, 7, 7])
            #expect(await part.frames(1) == [[BellFrame.firstByte, 7, 7, 3]])
        }
    }

    @Test("its control routes answer at both roles, its check is doctor's, and its table lasts")
    func control() async throws {
        try await Self.run { home, _, _ in
            let ring = ControlRequest(id: 1, method: "bell.ring")
            #expect(try await home.phone.control.handle(ring) == ["success": true, "total": 1])
            await home.stopDesktop()
            try await home.startDesktop()
            let control = try await home.desktop.control
            #expect(try await control.handle(ControlRequest(id: 1, method: "bell.total")) == ["total": 1])
            let doctor = try await control.handle(ControlRequest(id: 1, method: "doctor"))
            #expect(doctor["checks"]?.arrayValue?.contains { $0["name"] == "Bell" && $0["works"] == true } == true)
        }
    }

    @Test("its page and its socket are served beside the relay, as it was set")
    func routes() async throws {
        try await Self.run(servesSockets: true, settings: ["bellSound": "ding"]) { home, _, _ in
            let port = try await home.desktop.boundPort()
            let page = try #require(URL(string: "http://127.0.0.1:\(port)/bell"))
            let (body, _) = try await URLSession.shared.data(from: page)
            #expect(String(decoding: body, as: UTF8.self) == "ding")
            let live = try #require(URL(string: "ws://127.0.0.1:\(port)/bell/live"))
            let socket = try await WebSocketConnection.connect(to: live)
            try await socket.send(text: "hello")
            var messages = socket.messages.makeAsyncIterator()
            #expect(await messages.next() == .text(Array("hello".utf8)))
            await socket.close(.normal, reason: "")
        }
    }
}
