import FeatureTesting
import Kernel
import KernelTesting
import Testing

@testable import Commands
@testable import Terminal
@testable import TerminalHost

@Suite("One size, many viewers", .timeLimit(.minutes(5)))
struct TerminalViewersTests {
    private let ada = TerminalFixture.ada
    private let bo = TerminalFixture.bo

    private func resize(
        _ fixture: TerminalFixture,
        _ columns: Int64,
        _ viewer: String?,
        looking: Bool? = nil,
        from device: String
    )
        async throws
    {
        var params: [String: JSONValue] = ["sessionId": "s-1", "cols": .integer(columns), "rows": 20]
        if let viewer { params["viewerId"] = .string(viewer) }
        if let looking { params["looking"] = .bool(looking) }
        try await fixture.call("terminal.resize", .object(params), from: device)
    }

    private func columns(_ fixture: TerminalFixture) async throws -> Int64? {
        try await fixture.call("terminal.list", ["subscribe": false])["sessions"]?.arrayValue?.first?["cols"]?
            .integerValue
    }

    @Test("the size is that of who looked or typed last, and goes back when that window leaves")
    func owner() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create(["cols": 140, "rows": 20, "viewerId": "desk"])
        try await fixture.call("terminal.list", ["sessionId": "s-1"], from: bo)
        try await resize(fixture, 45, "phone", from: bo)
        #expect(try await columns(fixture) == 45)
        try await resize(fixture, 90, "tablet", looking: false, from: bo)
        #expect(try await columns(fixture) == 45, "it only told its size")
        try await fixture.call("terminal.stdin", ["sessionId": "s-1", "data": "l", "inputId": "desk", "inputSeq": 1])
        #expect(try await columns(fixture) == 140, "who types has it")
        try await resize(fixture, 45, "phone", from: bo)
        try await fixture.call("terminal.unsubscribe", ["sessionId": "s-1", "viewerId": "phone"], from: bo)
        #expect(try await columns(fixture) == 140)
        try await fixture.call("terminal.unsubscribe", ["sessionId": "s-1", "viewerId": "desk"])
        #expect(try await columns(fixture) == 90, "the one that is left")
        #expect(terminal.sizes.map(\.columns) == [45, 140, 45, 140, 90])
    }

    @Test("a device that names its windows is told the size before what is written for it; one that does not is not")
    func told() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create(["cols": 140, "rows": 20, "viewerId": "desk"])
        try await fixture.call("terminal.list", ["sessionId": "s-1"], from: bo)
        try await resize(fixture, 45, nil, from: bo)
        terminal.say("redrawn")
        #expect(await fixture.outlet.text(endingWith: "redrawn", to: ada) == "redrawn")
        #expect(await fixture.outlet.text(endingWith: "redrawn", to: bo) == "redrawn")
        let events = fixture.outlet.sent(to: ada)
        let sizes = events.filter { $0.name == "terminal.resized" }.map { $0.members["cols"]?.integerValue }
        #expect(sizes.last == 45)
        #expect(events.last?.name == "terminal.stdout")
        #expect(!fixture.outlet.sent(to: bo).contains { $0.name == "terminal.resized" })
    }

    @Test(
        "a window that leaves takes no output from its device's others; the last one, and a device as a whole, end it"
    )
    func leaving() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create(["cols": 140, "rows": 20, "viewerId": "a"])
        try await resize(fixture, 60, "b", from: ada)
        try await fixture.call("terminal.unsubscribe", ["sessionId": "s-1", "viewerId": "b"])
        terminal.say("goes on")
        #expect(await fixture.outlet.text(endingWith: "goes on", to: ada) == "goes on")
        try await fixture.call("terminal.list", ["sessionId": "s-1"], from: bo)
        try await resize(fixture, 45, "phone", from: bo)
        try await fixture.call("terminal.unsubscribe", ["sessionId": "s-1"], from: bo)
        try await fixture.until { try await columns(fixture) == 140 }
    }

    @Test("windows are bounded, and the one that looked longest ago is forgotten")
    func bounds() throws {
        var viewers = TerminalViewers()
        for index in 0..<100 {
            let viewer = TerminalViewers.Viewer(device: "d", id: "\(index)")
            viewers.place(viewer, size: try TerminalSize(columns: Int64(index + 1), rows: 1), isLooking: true)
        }
        for index in (100 - TerminalViewers.limit..<100).reversed() {
            #expect(viewers.size?.columns == UInt16(index + 1))
            viewers.leave(TerminalViewers.Viewer(device: "d", id: "\(index)"))
        }
        #expect(viewers.size == nil)
    }
}
