import CommandClient
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Sealing
import Storage
import TandemPhone
import Terminal
import Testing

@testable import CommandServer
@testable import Commands
@testable import SystemInfoHost

@Suite("The gate", .timeLimit(.minutes(5)))
struct GateTests {
    /// A skill of every risk, one method open to all, and one privileged method that forgot to name its permission.
    static let table =
        PingSkill(version: "1").methods + [
            RemoteMethod("notification.list", risk: .safe) { _, _ in "done" },
            RemoteMethod("clipboard.set", risk: .mutating) { _, _ in "done" },
            RemoteMethod("terminal.create", risk: .privileged) { _, _ in "done" },
            RemoteMethod("terminal.history", risk: .safe) { _, _ in "done" },
            RemoteMethod("file.delete", needs: "file.write", risk: .privileged) { _, _ in "done" },
            RemoteMethod("careless.run", needs: nil, risk: .privileged) { _, _ in "done" },
        ]

    /// Those of an app's features.
    private static let rights = [PeerFeatureMaker].standard.rights

    private let everything = rights.all
    private let clock = ManualClock()
    private let identity = Identity()

    private func gate(
        registry: RemoteSkillRegistry = .builtIn,
        nonces: any NonceStore = MemoryNonceStore(),
        limits: GateLimits = GateLimits()
    ) -> CommandGate {
        CommandGate(
            registry: registry,
            rights: Self.rights,
            nonces: nonces,
            limits: limits,
            time: clock
        )
    }

    private func router(_ methods: [RemoteMethod] = table, gate: CommandGate? = nil) -> CommandRouter {
        CommandRouter(
            methods: methods,
            logger: Logger(label: "test"),
            gate: gate ?? self.gate(),
            time: clock
        )
    }

    private func caller(_ proof: Caller.Proof, _ skills: Set<Right> = []) -> Caller {
        Caller(id: identity.did.text, name: "Ada's phone", proof: proof, rights: skills)
    }

    private func code(_ response: CommandResponse) -> Int? {
        if case .failure(let failure) = response.outcome { failure.code } else { nil }
    }

    @Test(
        "no method does anything for a stranger, or for whoever only claims to be a sealed phone",
        arguments: table.indices
    )
    func closedDoors(index: Int) async {
        let method = Self.table[index]
        let router = router()
        let request = CommandRequest(id: "1", method: method.name)
        // As if the records said it may do everything: the proof is what is missing.
        for caller in [caller(.stranger, everything), caller(.unsealed, everything), Caller.stranger("anybody")] {
            #expect(code(await router.answer(request, from: caller)) == -32008)
        }
    }

    @Test(
        "without a permission a session and a clear phone get what every paired device may, and nothing else",
        arguments: table.indices
    )
    func withoutPermission(index: Int) async {
        let method = Self.table[index]
        let router = router()
        for proof in [Caller.Proof.session, .clear] {
            let response = await router.answer(CommandRequest(id: "1", method: method.name), from: caller(proof))
            #expect(code(response) == (method.name == "system.ping" ? nil : -32010))
        }
    }

    @Test(
        "with every permission a session may do all, a clear phone that does not sign nothing privileged",
        arguments: table.indices
    )
    func withPermission(index: Int) async {
        let method = Self.table[index]
        let router = router()
        let request = CommandRequest(id: "1", method: method.name)
        #expect(code(await router.answer(request, from: caller(.session, everything))) == nil)
        let inTheClear = await router.answer(request, from: caller(.clear, everything))
        #expect(code(inTheClear) == (method.risk == .privileged ? -32010 : nil))
    }

    @Test("a stranger with the id of a paired phone never gets that phone's answers")
    func borrowedName() async {
        let router = router()
        let request = CommandRequest(id: "1", method: "terminal.history")
        #expect(await router.answer(request, from: caller(.session, everything)).outcome == .success("done"))
        #expect(code(await router.answer(request, from: caller(.unsealed, everything))) == -32008)
        #expect(code(await router.answer(request, from: caller(.clear))) == -32010)
    }

    // MARK: Signatures

    enum Dialect: CaseIterable, Sendable { case json, colons }

    private func signed(
        _ method: String,
        _ dialect: Dialect = .json,
        nonce: String = "n-1",
        at date: Date? = nil,
        by signer: Identity? = nil,
        did: String? = nil,
        id: String = UUID().uuidString
    ) throws -> CommandRequest {
        let time = (date ?? clock.date).millisecondsSince1970
        let text =
            switch dialect {
            case .json: #"{"method":"\#(method)","timestamp":\#(time),"nonce":"\#(nonce)"}"#
            case .colons: "\(method):\(time):\(nonce)"
            }
        let signature = Data(try (signer ?? identity).sign(Array(text.utf8))).base64EncodedString()
        let auth = CommandAuth(did: did ?? identity.did.text, signature: signature, timestamp: time, nonce: nonce)
        return CommandRequest(id: id, method: method, auth: auth)
    }

    @Test("a signature over either observed text opens what is allowed", arguments: Dialect.allCases)
    func signature(dialect: Dialect) async throws {
        let request = try signed("terminal.create", dialect)
        #expect(await router().answer(request, from: caller(.clear, ["terminal"])).outcome == .success("done"))
        #expect(code(await router().answer(request, from: caller(.clear))) == -32010)
    }

    @Test("a signature that does not hold is refused, also where none is needed")
    func wrongSignature() async throws {
        let router = router()
        let trusted = caller(.clear, everything)
        var other = try signed("terminal.history")
        other.method = "terminal.create"
        #expect(code(await router.answer(other, from: trusted)) == -32001)
        let forged = try signed("terminal.history", nonce: "n-2", by: Identity())
        #expect(code(await router.answer(forged, from: trusted)) == -32001)
        let foreign = try signed("terminal.history", nonce: "n-3", did: Identity().did.text)
        #expect(code(await router.answer(foreign, from: trusted)) == -32001)
        for change: @Sendable (inout CommandAuth) -> Void in [
            { $0.did = nil }, { $0.nonce = nil }, { $0.timestamp = nil },
        ] {
            var request = try signed("terminal.history", nonce: UUID().uuidString)
            var auth = try #require(request.auth)
            change(&auth)
            request.auth = auth
            #expect(code(await router.answer(request, from: trusted)) == -32600)
        }
    }

    @Test(
        "a request is fresh for five minutes on either side of our clock",
        arguments: [(-300, nil), (300, nil), (-301, -32001), (301, -32001)] as [(TimeInterval, Int?)]
    )
    func freshness(offset: TimeInterval, expected: Int?) async throws {
        let request = try signed("terminal.create", at: clock.date.addingTimeInterval(offset))
        #expect(code(await router().answer(request, from: caller(.clear, everything))) == expected)
        let unsigned = CommandRequest(
            id: "2",
            method: "clipboard.set",
            auth: CommandAuth(timestamp: clock.date.addingTimeInterval(offset).millisecondsSince1970)
        )
        #expect(code(await router().answer(unsigned, from: caller(.clear, everything))) == expected)
    }

    @Test(
        "timestamps at the ends of the number line are not fresh, and crash nothing",
        arguments: [Int64.min, .max, 0]
    )
    func extremeTimes(timestamp: Int64) async {
        let request = CommandRequest(id: "1", method: "clipboard.set", auth: CommandAuth(timestamp: timestamp))
        #expect(code(await router().answer(request, from: caller(.clear, everything))) == -32001)
    }

    @Test("a nonce serves once in ten minutes, whatever id the request has, also after a restart")
    func replay() async throws {
        let folder = try TemporaryDatabase()
        defer { folder.remove() }
        let request = try signed("terminal.create", id: "a")
        let first = router(gate: gate(nonces: SQLiteNonceStore(try folder.open())))
        #expect(code(await first.answer(request, from: caller(.clear, everything))) == nil)
        // The very same id is answered from memory, and another one is a replay.
        #expect(code(await first.answer(request, from: caller(.clear, everything))) == nil)
        var copy = request
        copy.id = "b"
        #expect(code(await first.answer(copy, from: caller(.clear, everything))) == -32001)
        let store = SQLiteNonceStore(try folder.open())
        #expect(code(await router(gate: gate(nonces: store)).answer(copy, from: caller(.clear, everything))) == -32001)
        #expect(try await store.use("n-1", by: "did:key:zOther", now: clock.date))
        #expect(try await store.use("n-1", by: identity.did.text, now: clock.date.addingTimeInterval(599)) == false)
        #expect(try await store.use("n-1", by: identity.did.text, now: clock.date.addingTimeInterval(600)))
    }

    @Test("nonces in memory are used once, and a flood of them makes nothing forgotten")
    func memoryNonces() async throws {
        let store = MemoryNonceStore()
        #expect(try await store.use("first", by: "a", now: clock.date))
        for index in 1..<10_000 { #expect(try await store.use("\(index)", by: "a", now: clock.date)) }
        #expect(try await store.use("one more", by: "a", now: clock.date) == false)
        #expect(try await store.use("first", by: "a", now: clock.date) == false)
        #expect(try await store.use("first", by: "a", now: clock.date.addingTimeInterval(600)))
    }

    @Test("a DID without a key cannot be checked, so its signature counts for nothing")
    func otherDID() async throws {
        let caller = Caller(id: "did:cc:abc", name: "Old phone", proof: .clear, rights: everything)
        let request = try signed("terminal.create", did: "did:cc:abc")
        #expect(code(await router().answer(request, from: caller)) == -32010)
        let harmless = try signed("clipboard.set", nonce: "n-9", did: "did:cc:abc")
        #expect(code(await router().answer(harmless, from: caller)) == nil)
    }

    // MARK: How often

    @Test(
        "a clear phone types on in a terminal that it opened: keys count for themselves, and each terminal for itself"
    )
    func steps() async {
        let typing = RemoteMethod(TerminalMethods.stdin.declaration) { _, _ in "done" }
        let opening = RemoteMethod(TerminalMethods.create.declaration) { _, _ in "done" }
        let router = router([typing, opening])
        var trusted = caller(.clear, ["terminal"])
        trusted.unsignedRights = ["terminal"]
        func type(_ session: String, _ id: Int) async -> Int? {
            let request = CommandRequest(
                id: "\(session)-\(id)",
                method: "terminal.stdin",
                params: ["sessionId": .string(session)]
            )
            return code(await router.answer(request, from: trusted))
        }
        for id in 0..<400 { #expect(await type("one", id) == nil) }
        #expect(await type("one", 400) == -32003)
        #expect(await type("two", 0) == nil)
        for id in 0..<10 {
            let request = CommandRequest(id: "open-\(id)", method: "terminal.create")
            #expect(code(await router.answer(request, from: trusted)) == nil)
        }
        let eleventh = CommandRequest(id: "open-10", method: "terminal.create")
        #expect(code(await router.answer(eleventh, from: trusted)) == -32003)
    }

    @Test("what was allowed unsigned is done without a signature, and nothing else privileged is")
    func unsigned() async {
        let table = [
            RemoteMethod("terminal.create", needs: "terminal", risk: .privileged) { _, _ in "done" },
            RemoteMethod("file.delete", needs: "file.write", risk: .privileged) { _, _ in "done" },
        ]
        var phone = caller(.clear, ["terminal", "file.write"])
        phone.unsignedRights = ["terminal"]
        #expect(
            code(await router(table).answer(CommandRequest(id: "1", method: "terminal.create"), from: phone)) == nil
        )
        #expect(code(await router(table).answer(CommandRequest(id: "2", method: "file.delete"), from: phone)) == -32010)
        // The right itself was taken back.
        phone.rights = []
        #expect(
            code(await router(table).answer(CommandRequest(id: "3", method: "terminal.create"), from: phone)) == -32010
        )
    }

    @Test("a clear phone may ask 100 times a minute, privileged things ten times; a session types on")
    func rates() async throws {
        let router = router()
        for index in 0..<10 {
            let request = try signed("terminal.create", nonce: "p\(index)")
            #expect(code(await router.answer(request, from: caller(.clear, everything))) == nil)
        }
        let eleventh = try signed("terminal.create", nonce: "p10")
        #expect(code(await router.answer(eleventh, from: caller(.clear, everything))) == -32003)
        for index in 0..<89 {
            let request = CommandRequest(id: "c\(index)", method: "clipboard.set")
            #expect(code(await router.answer(request, from: caller(.clear, everything))) == nil)
        }
        let last = CommandRequest(id: "last", method: "clipboard.set")
        #expect(code(await router.answer(last, from: caller(.clear, everything))) == -32003)
        for index in 0..<1000 {
            let request = CommandRequest(id: "s\(index)", method: "terminal.create")
            #expect(code(await router.answer(request, from: caller(.session, everything))) == nil)
        }
        clock.advance(by: .seconds(1))
        #expect(code(await router.answer(last, from: caller(.clear, everything))) == nil)
    }

    @Test("strangers share one limit, so that many ids give no more")
    func strangers() async {
        let router = router()
        for index in 0..<100 {
            let response = await router.answer(CommandRequest(id: "1", method: "a.b"), from: .stranger("s\(index)"))
            #expect(code(response) == -32008)
        }
        #expect(code(await router.answer(CommandRequest(id: "1", method: "a.b"), from: .stranger("x"))) == -32003)
    }

    @Test("a session that runs wild is stopped")
    func wildSession() async {
        var limits = GateLimits()
        limits.session = GateLimits.Rate(burst: 2, perSecond: 1)
        let router = router(gate: gate(limits: limits))
        for (id, expected) in [("1", nil), ("2", nil), ("3", -32003)] as [(String, Int?)] {
            let response = await router.answer(CommandRequest(id: id, method: "system.ping"), from: caller(.session))
            #expect(code(response) == expected)
        }
    }

    @Test("a stored registry can make a method riskier, never less risky")
    func tighter() async {
        func registry(_ risk: Risk) -> RemoteSkillRegistry {
            RemoteSkillRegistry([
                RemoteSkillEntry(
                    "x",
                    "X",
                    "X.",
                    category: "control",
                    risk: .safe,
                    methodCount: 1,
                    methods: [
                        SkillMethod(name: "clipboard.set", description: "", parameterCount: 0, riskOverride: risk),
                        SkillMethod(name: "terminal.create", description: "", parameterCount: 0, riskOverride: risk),
                    ]
                )
            ])
        }
        let tight = router(gate: gate(registry: registry(.privileged)))
        let set = CommandRequest(id: "1", method: "clipboard.set")
        #expect(code(await tight.answer(set, from: caller(.clear, everything))) == -32010)
        let loose = router(gate: gate(registry: registry(.safe)))
        let create = CommandRequest(id: "1", method: "terminal.create")
        #expect(code(await loose.answer(create, from: caller(.clear, everything))) == -32010)
    }
}
