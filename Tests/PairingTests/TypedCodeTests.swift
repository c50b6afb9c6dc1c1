import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Synchronization
import Testing

@Suite("The person types the computer's digits", .timeLimit(.minutes(4)))
struct TypedCodeTests {
    /// What a pairing reported on its way.
    actor Reports {
        var all: [PairingProgress] = []
        func add(_ progress: PairingProgress) { all.append(progress) }
    }

    /// A code on the computer's screen.
    private func shownCode(in scene: PairingScene, digits: TypedDigits = .ten) async throws -> TypedCode {
        try #require(try await scene.host.makeCode(options: PairingOptions(digits: digits)).typed)
    }

    /// Somebody types a wrong code.
    private func guessWrong(_ code: TypedCode, in scene: PairingScene) async throws {
        let wrong = try TypedCode(code.code.digits + (code.digits.hasSuffix("0000") ? "0001" : "0000"))
        await #expect(throws: PairingError.wrongCode) { try await scene.phone.pair(typing: wrong) }
    }

    @Test("a code that was made is found at once, however soon it is typed")
    func foundAtOnce() async throws {
        for _ in 0..<20 {
            let scene = try await PairingScene()
            let code = try await shownCode(in: scene)
            #expect(scene.relay.isRegistered(code.code.alias))
        }
    }

    @Test("a server that never answers holds a code up for two seconds, and no longer")
    func silentAliasServer() async throws {
        struct Silent: PairingAliasGate {
            func hold(
                _ code: PairingCode,
                reporting report: @escaping @Sendable (PairingAliasStanding, Int) -> Void,
                handingOn receive: @escaping @Sendable (PairingGateEvent, Int) async -> Void
            ) async throws {
                try await ContinuousClock().sleep(for: .seconds(3600))
            }
        }
        let scene = try await PairingScene(aliasGate: Silent())
        let making = Task { try await scene.host.makeCode() }
        await scene.clock.sleeper(for: .seconds(2))
        scene.clock.advance(by: .seconds(2))
        #expect(try await making.value.typed != nil)
    }

    @Test("six digits are not enough for a code that was shown with ten, and are no guess")
    func sixOfTen() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let code = try await shownCode(in: scene)
        await #expect(throws: PairingError.tenDigitsNeeded) {
            try await scene.phone.pair(typing: TypedCode(code.code.digits))
        }
        #expect(await scene.host.requests().isEmpty)
        #expect(try await scene.phones.all().isEmpty)
        #expect(await !scene.host.status().isSuspicious)
        // The code is as good as before.
        #expect(try await scene.phone.pair(typing: code).did == scene.desktopIdentity.did)
    }

    @Test("a code that is only scanned has no digits to guess")
    func scanOnly() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let shown = try await scene.host.makeCode(options: PairingOptions(digits: .none))
        #expect(shown.typed == nil)
        #expect(!scene.relay.isRegistered(shown.qr.code.alias))
        #expect(try await scene.phone.pair(with: scene.phone.read(shown.qrText)).did == scene.desktopIdentity.did)
    }

    @Test("ten digits pair without anything to compare, and the last four never travel")
    func tenDigits() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let code = try await shownCode(in: scene)
        let desktop = try await scene.phone.pair(typing: TypedCode(code.grouped))
        #expect(desktop.agreementKey == scene.desktopIdentity.agreementKey)
        #expect(desktop.did == scene.desktopIdentity.did)
        #expect(desktop.pcPeerID == PairingScene.desktopID)
        #expect(desktop.relayURL == PairingScene.relayURL)
        #expect(desktop.state == .confirmed)
        let phone = try #require(try await scene.phones.record(scene.phoneIdentity.did))
        #expect(phone.agreementKey == scene.phoneIdentity.agreementKey)
        #expect(!scene.relay.frames.contains { $0.payload.canonicalText.contains(code.digits) })
    }

    @Test("six digits show the same number on both screens, and only the person at the computer can go on")
    func sixDigits() async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let code = try await shownCode(in: scene, digits: .six)
        #expect(code.digits.count == 6)
        let reports = Reports()
        let pairing = Task {
            try await scene.phone.pair(typing: TypedCode(code.code.digits)) { asked in
                await reports.all.contains(.compare(number: asked))
            } progress: {
                await reports.add($0)
            }
        }
        let request = try await scene.request()
        let number = try #require(request.comparisonNumber)
        #expect(request.needsPerson)
        await #expect(throws: PairingError.numberNeeded) { try await scene.host.accept(request.id) }
        try await scene.host.accept(request.id, comparison: .typed(number))
        #expect(try await pairing.value.did == scene.desktopIdentity.did)
        #expect(await reports.all.contains(.compare(number: number)))
        #expect(await reports.all.first == .identified(key: request.fingerprint))
        #expect(await reports.all.last == .confirm(number: number))
    }

    @Test("by six digits the phone keeps a computer only by its own person's word too", arguments: [false, nil])
    func unconfirmed(answer: Bool?) async throws {
        let scene = try await PairingScene(acceptsEverybody: true)
        let code = try await shownCode(in: scene, digits: .six)
        let asked = LatestValue<String?>(nil)
        let pairing = Task {
            try await scene.phone.pair(typing: code) { number in
                asked.set(number)
                if let answer { return answer }
                for await _ in AsyncStream<Never>.makeStream().stream {}
                return true
            }
        }
        let request = try await scene.request()
        let number = try #require(request.comparisonNumber)
        try await scene.host.accept(request.id, comparison: .typed(number))
        for await shown in asked.values() where shown == number { break }
        if answer == nil {
            await scene.clock.sleeper(for: .seconds(300))
            scene.clock.advance(by: .seconds(300))
        }
        await #expect(throws: PairingError.numberUnconfirmed) { try await pairing.value }
        #expect(try await scene.desktops.all().isEmpty)
        // The computer, which had said yes, hears that the question is taken back.
        for await phones in scene.phones.list() where phones.isEmpty { break }
    }

    @Test("another number on the phone ends the request, and pairs nobody")
    func numbersDiffer() async throws {
        let scene = try await PairingScene()
        let code = try await shownCode(in: scene, digits: .six)
        let pairing = Task { try await scene.phone.pair(typing: code) }
        let request = try await scene.request()
        let other = request.comparisonNumber == "000000" ? "000001" : "000000"
        await #expect(throws: PairingError.numbersDiffer) {
            try await scene.host.accept(request.id, comparison: .typed(other))
        }
        await #expect(throws: PairingError.handshakeFailed) { try await pairing.value }
        #expect(try await scene.phones.all().isEmpty)
        #expect(await scene.host.status().isSuspicious)
    }

    @Test(
        "a wrong code is one guess: other digits take its place beside the same QR code, and three in five minutes lock them"
    )
    func wrongCode() async throws {
        let scene = try await PairingScene()
        let first = try await scene.host.makeCode()
        var code = try #require(first.typed)
        for attempt in 1...3 {
            try await guessWrong(code, in: scene)
            guard attempt < 3 else { break }
            let status = await scene.host.status()
            #expect(status.isSuspicious)
            guard case .shown(let next) = status.code, let typed = next.typed else {
                Issue.record("a burnt code is replaced")
                return
            }
            #expect(typed.code != code.code)
            #expect(next.qr == first.qr)
            code = typed
            while !Task.isCancelled, !scene.relay.isRegistered(code.code.alias) { await Task.yield() }
        }
        let locked = await scene.host.status()
        #expect(locked.typedCodesLockedUntil == scene.clock.date.addingTimeInterval(60))
        guard case .shown(let shown) = locked.code else {
            Issue.record("scanning still works while typed codes are locked")
            return
        }
        #expect(shown.typed == nil)
        #expect(shown.qr == first.qr)
        await scene.pass(seconds: 61)
        let open = try await scene.status { status in
            if case .shown(let shown) = status.code { shown.typed != nil } else { false }
        }
        #expect(open.typedCodesLockedUntil == nil)
        #expect(try await scene.phones.all().isEmpty)
        #expect(try await scene.desktops.all().isEmpty)
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(first.qrText)) }
        try await scene.host.accept(try await scene.request().id)
        #expect(try await pairing.value.did == scene.desktopIdentity.did)
    }

    @Test("a restart neither lifts the lock of typed codes nor begins its doubling anew")
    func lockOverRestart() async throws {
        let guesses = InMemoryPairingGuesses()
        let clock = ManualClock()
        let first = try await PairingScene(guesses: guesses, clock: clock)
        for _ in 0..<3 { try await guessWrong(try await shownCode(in: first), in: first) }
        let lock = clock.date.addingTimeInterval(60)
        #expect(await first.host.status().typedCodesLockedUntil == lock)

        let second = try await PairingScene(guesses: guesses, clock: clock)
        #expect(await second.host.status().typedCodesLockedUntil == lock)
        #expect(try await second.host.makeCode().typed == nil)
        clock.advance(by: .seconds(61))
        let third = try await PairingScene(guesses: guesses, clock: clock)
        try await guessWrong(try await shownCode(in: third), in: third)
        #expect(await third.host.status().typedCodesLockedUntil == clock.date.addingTimeInterval(120))
    }

    @Test(
        "only a day without a wrong code or a lock ends the doubling of the lock",
        arguments: [
            // A minute's lock, then the day.
            ([60 + 86_400], 60.0),
            // A day after the last wrong code, with the lock in it.
            ([86_400], 120.0),
            // A wrong code in the middle.
            ([60 + 43_200, 43_200], 120.0),
        ]
    )
    func forgiven(waits: [Int], lock: TimeInterval) async throws {
        let store = InMemoryPairingGuesses()
        let clock = ManualClock()
        /// Wrong codes at a computer that was just started; for how long typed codes are locked then.
        func secondsLocked(after guesses: Int) async throws -> TimeInterval? {
            let scene = try await PairingScene(guesses: store, clock: clock)
            for _ in 0..<guesses { try await guessWrong(try await shownCode(in: scene), in: scene) }
            return await scene.host.status().typedCodesLockedUntil?.timeIntervalSince(clock.date)
        }
        #expect(try await secondsLocked(after: 3) == 60)
        for (number, wait) in waits.enumerated() {
            // A scene begins with a second of its own, so that a wait is over by then.
            clock.advance(by: .seconds(wait))
            let isLast = number == waits.count - 1
            let seconds = try await secondsLocked(after: isLast ? 3 : 1)
            #expect(seconds == (isLast ? lock : nil))
        }
    }

    @Test("a code that no computer shows fails at once")
    func unknownCode() async throws {
        let scene = try await PairingScene()
        await #expect(throws: PairingError.codeNotShown) { try await scene.phone.pair(typing: TypedCode("4829137306")) }
    }

    @Test("a computer that never answers is given a minute")
    func silent() async throws {
        let scene = try await PairingScene()
        let code = try await shownCode(in: scene)
        scene.relay.tamper { _ in [] }
        let pairing = Task { try await scene.phone.pair(typing: code) }
        await scene.clock.sleepers(2)
        scene.clock.advance(by: .seconds(61))
        await #expect(throws: PairingError.noAnswer(afterSeconds: 60)) { try await pairing.value }
    }

    @Test(
        "a computer that answers in the clear is not believed, unless the person allowed it",
        arguments: [false, true]
    )
    func documentedDesktop(isAllowed: Bool) async throws {
        let scene = try await PairingScene()
        let code = try await shownCode(in: scene)
        // A computer that knows only the documented wire: it ignores `e2e`, and ours adds a confirmation.
        scene.relay.tamper { frame in
            guard frame.payload["type"] == "pair-ack" else { return [frame] }
            let confirmation: JSONValue = [
                "type": "pairing:confirmation", "pairingCode": .string(code.code.digits), "pcPeerId": "desk-7",
                "deviceInfo": ["name": "old-pc", "platform": "darwin"], "timestamp": 1_790_000_060_000,
            ]
            return [.init(from: "desk-7", to: frame.from ?? "", payload: confirmation)]
        }
        let options = PairingOptions(allowsDocumentedPeers: isAllowed)
        let pairing = Task { try await scene.phone.pair(typing: code, options: options) }
        if isAllowed {
            let desktop = try await pairing.value
            #expect(!desktop.isEndToEnd)
            #expect(desktop.state == .unconfirmed)
        } else {
            await #expect(throws: PairingError.notEndToEnd(name: "old-pc")) { try await pairing.value }
        }
    }

    @Test(
        "what a person types is read with its spaces and dashes, and anything else is said to be wrong",
        arguments: [
            ("482 913 7306", "4829137306"), ("482-913-7306", "4829137306"), (" 482913 ", "482913"),
            ("482\u{2013}913", "482913"), ("482\u{A0}913\u{2009}7306", "4829137306"),
        ]
    )
    func reading(typed: String, digits: String) throws {
        #expect(try TypedCode(typed).digits == digits)
    }

    @Test("a code with letters is refused as such", arguments: ["48291a", "４８２９１３", "482913O", "482913\u{202E}"])
    func letters(typed: String) {
        #expect(throws: PairingError.codeHasOtherCharacters) { try TypedCode(typed) }
    }

    @Test("a code of another length is refused with its length", arguments: [("", 0), ("48291", 5), ("48291373", 8)])
    func length(typed: String, count: Int) {
        #expect(throws: PairingError.wrongDigitCount(count)) { try TypedCode(typed) }
    }
}
