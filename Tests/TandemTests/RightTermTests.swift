import Clipboard
import Foundation
import Kernel
import LinuxTerminal
import Pairing
import Rights
import Sealing
import Synchronization
import TandemPhone
import Terminal
import TerminalHost
import Testing

@testable import CommandServer
@testable import TandemDesktop

/// Rights that are given for a time, and those that phones ask for.
@Suite("Rights for a time, and asking for one", .timeLimit(.minutes(4)))
struct RightTermTests {
    /// A clock that people set, beside one that runs evenly.
    private final class TwoClocks: TimeSource {
        private struct Times {
            var now = ContinuousClock.now
            var date = Date(timeIntervalSince1970: 1_790_000_000)
        }

        private let state = Mutex(Times())

        var now: ContinuousClock.Instant { state.withLock(\.now) }
        var date: Date { state.withLock(\.date) }

        func pass(_ time: Duration) {
            state.withLock {
                $0.now += time
                $0.date += time / .seconds(1)
            }
        }

        func set(by seconds: Double) { state.withLock { $0.date += seconds } }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            throw CancellationError()
        }
    }

    private static func phone(_ term: RightTerm) -> PairedPhone {
        let identity = Identity()
        return PairedPhone(
            did: identity.did,
            deviceID: "p",
            name: "Ada's phone",
            platform: .android,
            agreementKey: identity.agreementKey,
            pairedAt: Date(),
            lastSeenAt: Date(),
            allowedSkills: [.terminal, .notification],
            terms: [.terminal: term],
            state: .confirmed
        )
    }

    @Test("a right ends by the clock that comes first, and a clock that is set back makes it no longer")
    func clocks() {
        let time = TwoClocks()
        let phone = Self.phone(RightTerm(endsAt: time.date + 3600, checkedAt: time.date))
        let deadlines = RightDeadlines(time: time)
        #expect(deadlines.over(of: phone).isEmpty)
        time.pass(.seconds(3599))
        #expect(deadlines.over(of: phone).isEmpty)
        time.set(by: 2)
        #expect(deadlines.over(of: phone) == [.terminal])
        time.set(by: -7200)
        #expect(deadlines.over(of: phone).isEmpty)
        time.pass(.seconds(1))
        #expect(deadlines.over(of: phone) == [.terminal])
        #expect(deadlines.next(of: [phone]).map { $0 <= time.now } == true)
    }

    @Test("another program, whose clock was set back meanwhile, gives what was left when it was noted last")
    func restart() {
        let time = TwoClocks()
        let phone = Self.phone(RightTerm(endsAt: time.date + 3600, checkedAt: time.date + 3000))
        time.set(by: -86_400)
        let deadlines = RightDeadlines(time: time)
        #expect(deadlines.over(of: phone).isEmpty)
        time.pass(.seconds(599))
        #expect(deadlines.over(of: phone).isEmpty)
        time.pass(.seconds(1))
        #expect(deadlines.over(of: phone) == [.terminal])
    }

    @Test("a term reads and writes itself, and ends at once where it was noted after its end")
    func terms() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(RightTerm(endsAt: now, checkedAt: now + 5).left(at: now - 10) == .zero)
        #expect(RightTerm(endsAt: now + 60, checkedAt: now).left(at: now + 20) == .seconds(40))
    }

    @Test("a shell by a right for a time ends when the time is up, as by a denial, and the next one is refused")
    func shell() async throws {
        let terminals = [TerminalSkill.maker(factory: LinuxPseudoTerminalFactory.withoutProfile)]
        try await Household.run(features: terminals) { home in
            let computer = try await home.pair()
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
            let record = try #require(home.desktop.pairedPhones().first)
            let given = try await home.desktop.phones.allow([.terminal], to: record, for: .seconds(3))
            #expect(given.terms.keys.map(\.self) == [.terminal])
            _ = try await home.phone.call("terminal.create", ["shell": "sh"], on: computer)
            #expect(await home.desktop.phones.activities().map(\.kind) == [.terminal])
            // By itself: nobody looks or asks.
            for await list in home.desktop.phones.records.store.list() {
                guard let phone = list.first, phone.allowedSkills.contains(.terminal) else { break }
            }
            while !Task.isCancelled, await !home.desktop.phones.activities().isEmpty { await Task.yield() }
            await #expect(throws: (any Error).self) {
                try await home.phone.call("terminal.create", ["shell": "sh"], on: computer)
            }
            #expect(home.desktop.pairedPhones().first?.terms.isEmpty == true)
            let log = try await home.desktop.audit.entries(after: nil, limit: 10, matching: AuditFilter())
            #expect(log.entries.contains { $0.detail == "terminal, the time was up" })
        }
    }

    // MARK: Asking

    @Test("a right is asked for once, ends unanswered after ten minutes, and rests before it is asked for again")
    func asks() {
        let time = TwoClocks()
        let phone = Identity().did
        var asks = RightAsks()
        guard case .asked(let ask) = asks.ask(.terminal, by: phone, now: time.now, date: time.date) else {
            Issue.record("not asked")
            return
        }
        #expect(ask.untilDate == time.date + 600)
        let again = asks.ask(.terminal, by: phone, now: time.now, date: time.date)
        #expect(again == .known(ask))
        time.pass(.seconds(600))
        let unanswered = asks.pass(now: time.now, date: time.date)
        #expect(unanswered == [phone])
        #expect(asks.waiting.isEmpty)
        #expect(asks.asks(of: phone)[.terminal] == RightAskState(.unanswered, until: time.date + 600))
        time.pass(.seconds(600))
        guard case .asked = asks.ask(.terminal, by: phone, now: time.now, date: time.date) else {
            Issue.record("not asked again")
            return
        }
        let isOtherRefused = asks.refuse(.clipboard, of: phone, now: time.now, date: time.date)
        #expect(isOtherRefused == false)
        let isRefused = asks.refuse(nil, of: phone, now: time.now, date: time.date)
        #expect(isRefused)
        time.pass(.seconds(3599))
        guard case .known(let refused) = asks.ask(.terminal, by: phone, now: time.now, date: time.date) else {
            Issue.record("a no is asked again")
            return
        }
        #expect(refused.stage == .refused)
        time.pass(.seconds(1))
        let rested = asks.pass(now: time.now, date: time.date)
        #expect(rested == [phone])
        #expect(asks.all.isEmpty)
    }

    @Test("rights are looked at when one ends, now and then before, and not all the time where that cannot be written")
    func looks() {
        let now = ContinuousClock.now
        #expect(PhoneAdministration.nextLook(at: nil, now: now) == nil)
        for soon in [Duration.milliseconds(1), .seconds(5)] {
            #expect(PhoneAdministration.nextLook(at: now + soon, now: now) == now + soon)
        }
        #expect(PhoneAdministration.nextLook(at: now + .seconds(3600), now: now) == now + .seconds(10))
        #expect(PhoneAdministration.nextLook(at: now - .seconds(60), now: now) == now + .seconds(1))
    }

    @Test("a phone has so many requests waiting, and no more")
    func bounds() {
        let (time, phone) = (TwoClocks(), Identity().did)
        var asks = RightAsks()
        for number in 0..<RightAsks.limitOfPhone {
            _ = asks.ask(Right(rawValue: "r\(number)"), by: phone, now: time.now, date: time.date)
        }
        let oneMore = asks.ask(.terminal, by: phone, now: time.now, date: time.date)
        #expect(oneMore == .tooMany)
        #expect(asks.waiting.count == RightAsks.limitOfPhone)
        asks.forget(of: phone)
        #expect(asks.all.isEmpty)
    }
}
