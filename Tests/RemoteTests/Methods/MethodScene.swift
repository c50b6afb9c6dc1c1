import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Synchronization
import Testing

@testable import ClipboardHost
@testable import CommandServer
@testable import Commands
@testable import FilesHost
@testable import ScreenHost
@testable import SystemInfoHost
@testable import TerminalHost

/// A desktop with every skill over services in memory, which note whatever they are made to do.
final class MethodScene: Sendable {
    /// The phone that the recorded requests come from; it signed some of them.
    static let phone = "did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z"
    static let version = "5.0.3"

    let log = EffectLog()
    let clock: ManualClock
    let frames = RecordingFrames()
    let files: MemoryFiles
    let terminals: RecordingTerminals
    let fileSkill: FileSkill
    /// What is served, by name.
    let methods: [String: RemoteMethod]
    let router: CommandRouter
    private let terminalSkill: TerminalSkill
    private let clipboardSkill: ClipboardSkill

    /// - Parameter date: What time it is there; by default that of the written requests.
    init(date: Date = Date(millisecondsSince1970: 1_790_000_000_000)) throws {
        clock = ManualClock(date: date)
        let (log, clock) = (log, clock)
        let immediate = ImmediateClock()
        let date: @Sendable () -> Date = { clock.date }
        let stores = RecordingStores(log: log)
        let pictures = InMemoryPictures()
        let sink = RecordingEventSink()
        files = try MemoryFiles(
            [
                "Downloads": nil, "notes": nil, "notes/todo.txt": "Call Bo at nine.\n", "old": nil,
                "report.txt": "Quarterly figures\n",
            ],
            log: log
        )
        terminals = RecordingTerminals(log: log)
        let sessions = Mutex(0)
        terminalSkill = TerminalSkill(
            factory: terminals,
            sink: sink,
            clock: clock,
            now: date,
            makeID: {
                sessions.withLock { count in
                    count += 1
                    return "s-\(count)"
                }
            }
        )
        fileSkill = try FileSkill(
            access: files,
            journal: stores,
            frames: frames,
            now: date,
            clock: { clock.now }
        )
        clipboardSkill = ClipboardSkill(
            clipboard: RecordingClipboard(text: "Grüße", log: log),
            pictures: pictures,
            sink: sink,
            keepsHistory: true,
            clock: clock,
            now: date
        )
        let screen = ScreenSkill(
            screen: RecordingScreen(pictures.picture(width: 4, height: 2), log: log),
            pictures: pictures,
            now: date
        )
        let system = SystemSkill(
            information: RecordingSystem(log: log),
            version: Self.version,
            clock: immediate,
            instant: { immediate.now },
            now: date
        )
        let skills: [any RemoteSkill] = [terminalSkill, fileSkill, clipboardSkill, screen, system]
        let served = skills.flatMap(\.methods)
        let all = (served + RegistryMethods(serving: served).methods).map { method in
            var noted = method
            noted.run = { params, caller in
                log.note("run \(method.name)")
                return try await method.run(params, caller)
            }
            return noted
        }
        methods = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var limits = GateLimits()
        // Floods are tested elsewhere; here each request has to meet the other questions.
        let always = GateLimits.Rate(burst: 1e9, perSecond: 1e9)
        (limits.session, limits.clear, limits.clearPrivileged, limits.strangers) = (always, always, always, always)
        (limits.clearDoor, limits.clearStep) = (always, always)
        router = CommandRouter(
            methods: all,
            logger: Logger(label: "test"),
            gate: CommandGate(nonces: stores, limits: limits, date: date, now: { clock.now }),
            answers: stores,
            date: date,
            now: { clock.now }
        )
    }

    /// The names that the desktop itself says it serves.
    func served() async throws -> [String] {
        let request = CommandRequest(id: UUID().uuidString, method: "registry.list")
        let list = try await router.answer(request, from: caller(.session)).outcome.get()
        let skills = try #require(list["skills"]?.arrayValue)
        return skills.flatMap { $0["methods"]?.arrayValue ?? [] }.compactMap { $0["name"]?.stringValue }
            + RegistryMethods(serving: []).methods.map(\.name)
    }

    /// Every right.
    let everything = Set(Right.allCases.map(\.rawValue))

    func caller(_ proof: Caller.Proof, id: String = phone, allowed: Set<String> = []) -> Caller {
        Caller(id: id, name: "Ada's phone", proof: proof, allowedSkills: allowed)
    }

    /// From the bytes of a message to the bytes of its answer, as the desktop does it.
    func answer(_ bytes: some Sequence<UInt8>, from caller: Caller) async throws -> JSONValue {
        let request = try CommandRequest(envelope: JSONValue(parsing: bytes))
        let response = await router.answer(request, from: caller).envelope(form: request.form)
        return try JSONValue(parsing: response.canonicalBytes)
    }

    /// The newest shell greets, and the terminal has read it.
    func greet(in session: String) async throws {
        terminals.say("ada@studio:~$ ")
        let history = try #require(methods["terminal.history"])
        let params = RemoteParameters(["sessionId": .string(session)])
        while try await history.run(params, caller(.session))["chunks"] == [] { await Task.yield() }
    }

    func shutDown() async {
        await terminalSkill.shutDown()
        await fileSkill.close()
        await clipboardSkill.shutDown()
    }
}
