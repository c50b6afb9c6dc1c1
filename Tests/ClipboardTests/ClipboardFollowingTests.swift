import Clipboard
import CommandClient
import Commands
import Control
import FeatureTesting
import Kernel
import Testing

@Suite("Following a clipboard", .timeLimit(.minutes(4)))
struct ClipboardFollowingTests {
    private func follow(
        _ desk: ScriptedPeer,
        named name: String? = nil,
        _ report: @escaping @Sendable (JSONValue) async throws -> Void = { _ in }
    ) async throws -> JSONValue {
        let table = ControlTable(ClipboardFeature(ScriptedComputers(desk)).controlRoutes)
        let params: JSONValue = ["device": name.map(JSONValue.string) ?? .null]
        return try await table.handle(
            ControlRequest(id: 1, method: "clipboard.follow", params: params),
            report: report
        )
    }

    @Test("changes are reported, watching is asked for again after an outage, and taken back at the end")
    func follow() async throws {
        let desk = ScriptedPeer(id: "pc-1")
        let reports = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(16))
        var items = reports.stream.makeAsyncIterator()
        let command = Task { try await follow(desk) { reports.continuation.yield($0) } }
        #expect(await desk.called(1).map(\.method) == ["clipboard.watch"])
        desk.tell(RemoteEvent("terminal.stdout", ["data": "no"]))
        desk.tell(RemoteEvent(.clipboardChanged, ["type": "text", "content": "one"]))
        #expect(await items.next() == ["watching": true])
        #expect(await items.next() == ["type": "text", "content": "one"])
        for isReached in [false, true] { desk.setReachable(isReached) }
        #expect(await desk.called(2).map(\.method) == ["clipboard.watch", "clipboard.watch"])
        #expect(await items.next() == ["watching": true])
        #expect(ClipboardChange(item: ["watching": true]) == nil)
        command.cancel()
        #expect(await desk.called(3).last?.method == "clipboard.unwatch")
        _ = await command.result
    }

    @Test("what follows a clipboard no more ends with the computer's record")
    func forgotten() async throws {
        let desk = ScriptedPeer(id: "pc-1")
        desk.forget()
        #expect(try await follow(desk, named: "pc-1") == .null)
    }

    @Test("a computer that is not paired is not followed")
    func unknown() async throws {
        let desk = ScriptedPeer(id: "pc-1")
        await #expect(throws: ScriptedComputers.Unknown.self) { try await follow(desk, named: "pc-2") }
        #expect(desk.calls.isEmpty)
    }

    @Test("everything else is the role's to answer")
    func others() {
        #expect(ClipboardFeature(ScriptedComputers(ScriptedPeer())).controlRoutes.map(\.name) == ["clipboard.follow"])
    }
}
