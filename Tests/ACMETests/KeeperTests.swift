import Foundation
import Kernel
import KernelTesting
import Logging
import Synchronization
import Testing
import WebClient

@testable import ACME

@Suite("Keeping a certificate", .timeLimit(.minutes(1)))
struct KeeperTests {
    private func keeper(
        _ hub: Hub,
        _ methods: [ChallengeMethod] = [.http, .tls],
        use: @escaping @Sendable () async throws -> Void = {}
    ) throws -> CertificateKeeper {
        let configuration = try hub.configuration()
        return CertificateKeeper(
            configuration,
            issuer: hub.issuer(configuration),
            store: hub.store,
            methods: methods,
            time: hub.time,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            use: use
        )
    }

    /// Runs a keeper beside `body`.
    private func running(_ keeper: CertificateKeeper, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keeper.run() }
            try await body()
            group.cancelAll()
        }
    }

    @Test("the first certificate is made at once, and the next one when two thirds of its life are over")
    func renewal() async throws {
        let clock = ManualClock()
        var script = ScriptedAuthority.Script()
        script.from = 0
        script.life = 90 * 60
        script.kinds = ["http-01"]
        script.looks = 0
        try await withHub(script, time: clock) { hub in
            let used = LatestValue(0)
            let keeper = try keeper(hub) { used.set(used.value + 1) }
            try await running(keeper) {
                try await proveBothNames(clock)
                await clock.sleepers()
                #expect(used.value == 1)
                let due = try await keeper.due()
                #expect(abs(due.timeIntervalSince(clock.date) - 3600) < 5)
                clock.advance(by: .seconds(3601))
                try await proveBothNames(clock)
                await clock.sleepers()
                #expect(used.value == 2)
            }
            #expect(hub.authority.asked.filter { $0 == "/order" }.count == 2)
            #expect(hub.authority.asked.filter { $0 == "/account" }.count == 1)
        }
    }

    /// Lets the first look at each of two authorizations happen.
    private func proveBothNames(_ clock: ManualClock) async throws {
        for _ in 0..<2 {
            await clock.sleeper(for: Issuance.waits[0])
            clock.advance(by: Issuance.waits[0])
        }
    }

    @Test("failures are further and further apart, over restarts too, and a success ends them")
    func tries() throws {
        let configuration = try ACMEConfiguration(names: ["a.example.org"])
        var tries = CertificateTries(configuration)
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let failure = ACMEError.notProved(name: "a", .http, .notReached, detail: "")
        var waits: [TimeInterval] = []
        for _ in 0..<8 {
            tries.failed(failure, now: now, spread: 1)
            waits.append(tries.next(after: nil, for: configuration.names, now: now).timeIntervalSince(now))
        }
        #expect(waits == [60, 300, 1200, 3600, 14_400, 43_200, 86_400, 86_400])
        // Five failed proofs an hour are what Let's Encrypt allows.
        #expect(waits.prefix(4).reduce(0, +) > 3600)
        tries.succeeded()
        #expect(tries.next(after: nil, for: configuration.names, now: now) == now)
        #expect(tries.failures == 0)
    }

    @Test("an authority that is not reached is tried more often")
    func absence() throws {
        let configuration = try ACMEConfiguration(names: ["a.example.org"])
        var tries = CertificateTries(configuration)
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        var waits: [TimeInterval] = []
        for _ in 0..<6 {
            tries.failed(ACMEError.notAsked(.unknownHost("a.test")), now: now, spread: 1)
            waits.append(tries.next(after: nil, for: configuration.names, now: now).timeIntervalSince(now))
        }
        #expect(waits == [10, 30, 60, 300, 600, 600])
        #expect(tries.failures == 0)
    }

    @Test("an authority's own wait is kept, but a clock that was set back does not keep a hub waiting for years")
    func asked() throws {
        let configuration = try ACMEConfiguration(names: ["a.example.org"])
        var tries = CertificateTries(configuration)
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let until = now.addingTimeInterval(2 * 86_400)
        tries.failed(ACMEError.askedToWait(authority: "a", until: until, detail: ""), now: now, spread: 1)
        #expect(tries.next(after: nil, for: configuration.names, now: now) == until)
        let past = now.addingTimeInterval(-1000 * 86_400)
        #expect(tries.next(after: nil, for: configuration.names, now: past) == past.addingTimeInterval(7 * 86_400))
    }

    @Test("a restart keeps the wait, and other names begin anew")
    func restart() async throws {
        var script = ScriptedAuthority.Script()
        script.refusals["/order"] = [(429, "rateLimited", ["Retry-After": "7200"])]
        let clock = ManualClock()
        try await withHub(script, time: clock) { hub in
            let first = try keeper(hub)
            try await running(first) { await clock.sleepers() }
            #expect(hub.authority.asked.filter { $0 == "/order" }.count == 1)
            let second = try keeper(hub)
            #expect(try await second.due() == clock.date.addingTimeInterval(7200))
            try await running(second) { await clock.sleepers() }
            #expect(hub.authority.asked.filter { $0 == "/order" }.count == 1)
            let other = try hub.configuration(["c.example.org"])
            #expect(try hub.store.tries(for: other).next(after: nil, for: other.names, now: clock.date) == clock.date)
        }
    }

    @Test("a certificate for fewer or more names than are wanted is replaced at once")
    func names() async throws {
        try await withHub { hub in
            let chain = try await hub.issue()
            var tries = try hub.store.tries(for: hub.configuration())
            tries.succeeded()
            let now = hub.time.date
            #expect(tries.next(after: chain, for: try hub.configuration().names, now: now) == chain.validity.renewal)
            #expect(tries.next(after: chain, for: [try CertificateName("c.example.org")], now: now) == now)
            #expect(tries.next(after: chain, for: [try CertificateName("a.example.org")], now: now) == now)
        }
    }
}
