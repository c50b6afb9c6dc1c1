import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Synchronization
import Testing

@Suite("The person types the computer's digits")
struct TypedCodeTests {
    /// What a pairing reported on its way.
    actor Reports {
        var all: [PairingProgress] = []
        func add(_ progress: PairingProgress) { all.append(progress) }
    }

    /// A code on the computer's screen whose alias is registered.
    private func shownCode(in scene: PairingScene) async throws -> TypedCode {
        let shown = try await scene.host.makeCode()
        while !scene.relay.isRegistered(shown.qr.code.alias) { await Task.yield() }
        return try #require(shown.typed)
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
        let code = try await shownCode(in: scene)
        let reports = Reports()
        let pairing = Task {
            try await scene.phone.pair(typing: TypedCode(code.code.digits)) { await reports.add($0) }
        }
        let request = try await scene.request()
        let number = try #require(request.comparisonNumber)
        #expect(request.needsPerson)
        await #expect(throws: PairingError.numberNeeded) { try await scene.host.accept(request.id) }
        try await scene.host.accept(request.id, comparison: .typed(number))
        #expect(try await pairing.value.did == scene.desktopIdentity.did)
        #expect(await reports.all.contains(.compare(number: number)))
    }

    @Test("another number on the phone ends the request, and pairs nobody")
    func numbersDiffer() async throws {
        let scene = try await PairingScene()
        let code = try await shownCode(in: scene)
        let pairing = Task { try await scene.phone.pair(typing: TypedCode(code.code.digits)) }
        let request = try await scene.request()
        let other = request.comparisonNumber == "000000" ? "000001" : "000000"
        await #expect(throws: PairingError.numbersDiffer) {
            try await scene.host.accept(request.id, comparison: .typed(other))
        }
        await #expect(throws: PairingError.handshakeFailed) { try await pairing.value }
        #expect(try await scene.phones.all().isEmpty)
        #expect(await scene.host.status().isSuspicious)
    }

    @Test("a wrong code is one guess: the code is replaced, and three in five minutes lock typed codes for a minute")
    func wrongCode() async throws {
        let scene = try await PairingScene()
        var code = try await shownCode(in: scene)
        for attempt in 1...3 {
            let wrong = try TypedCode(code.code.digits + (code.digits.hasSuffix("0000") ? "0001" : "0000"))
            await #expect(throws: PairingError.wrongCode) { try await scene.phone.pair(typing: wrong) }
            guard attempt < 3 else { break }
            let status = await scene.host.status()
            #expect(status.isSuspicious)
            guard case .shown(let next) = status.code, let typed = next.typed else {
                Issue.record("a burnt code is replaced")
                return
            }
            #expect(typed != code)
            code = typed
            while !scene.relay.isRegistered(code.code.alias) { await Task.yield() }
        }
        let locked = await scene.host.status()
        #expect(locked.typedCodesLockedUntil == scene.clock.date.addingTimeInterval(60))
        guard case .shown(let shown) = locked.code else {
            Issue.record("scanning still works while typed codes are locked")
            return
        }
        #expect(shown.typed == nil)
        await scene.pass(seconds: 61)
        let open = try await scene.status { status in
            if case .shown(let shown) = status.code { shown.typed != nil } else { false }
        }
        #expect(open.typedCodesLockedUntil == nil)
        #expect(try await scene.phones.all().isEmpty)
        #expect(try await scene.desktops.all().isEmpty)
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
