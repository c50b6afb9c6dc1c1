import Clipboard
import CommandClient
import Commands
import Control
import FeatureTesting
import Kernel
import Testing

@Suite("Following a clipboard", .timeLimit(.minutes(4)))
struct ClipboardFollowingTests {
    /// A computer whose events and ways a test sends; it keeps what it was called with.
    private final class Desk: Peer {
        let id = "pc-1"
        let isSealed = true
        let told = AsyncStream.makeStream(of: RemoteEvent.self, bufferingPolicy: .bufferingNewest(16))
        let ways = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(16))
        let calls = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))

        func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
            calls.continuation.yield(method)
            return ["success": true]
        }

        func events() async throws -> AsyncStream<RemoteEvent> { told.stream }

        func reachability() async throws -> AsyncStream<Bool> { ways.stream }
    }

    private func follow(
        _ desk: Desk,
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
        let desk = Desk()
        let reports = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(16))
        var calls = desk.calls.stream.makeAsyncIterator()
        var items = reports.stream.makeAsyncIterator()
        let command = Task { try await follow(desk) { reports.continuation.yield($0) } }
        #expect(await calls.next() == "clipboard.watch")
        desk.told.continuation.yield(RemoteEvent("terminal.stdout", ["data": "no"]))
        desk.told.continuation.yield(RemoteEvent(.clipboardChanged, ["type": "text", "content": "one"]))
        #expect(await items.next() == ["type": "text", "content": "one"])
        for isReached in [true, false, true] { desk.ways.continuation.yield(isReached) }
        #expect(await calls.next() == "clipboard.watch")
        command.cancel()
        #expect(await calls.next() == "clipboard.unwatch")
        _ = await command.result
    }

    @Test("what follows a clipboard no more ends with the computer's record")
    func forgotten() async throws {
        let desk = Desk()
        desk.ways.continuation.finish()
        #expect(try await follow(desk, named: "pc-1") == .null)
    }

    @Test("a computer that is not paired is not followed")
    func unknown() async throws {
        let desk = Desk()
        await #expect(throws: ScriptedComputers.Unknown.self) { try await follow(desk, named: "pc-2") }
        desk.calls.continuation.finish()
        for await call in desk.calls.stream { Issue.record("\(call)") }
    }

    @Test("everything else is the role's to answer")
    func others() {
        #expect(ClipboardFeature(ScriptedComputers(Desk())).controlRoutes.map(\.name) == ["clipboard.follow"])
    }
}
