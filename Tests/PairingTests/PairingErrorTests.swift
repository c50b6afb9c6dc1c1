import Foundation
import Kernel
import Testing

@testable import Pairing

@Suite("Why pairing stopped, for a program")
struct PairingErrorTests {
    static let errors: [PairingError] = [
        .notAPairingCode, .wrongKindOfCode(found: "x"), .codeNotSixDigits, .missingDesktopID,
        .damagedCode(field: "did"), .codeOfNewerProgram, .codeExpired(ageSeconds: 512),
        .codeFromTheFuture(aheadSeconds: 90),
        .unsafeAddress("ws://203.0.113.9"), .codeHasOtherCharacters, .wrongDigitCount(3), .noIdentity, .noAddress,
        .unreachable([PairingAttempt(way: .lan, reason: "no answer")]), .deviceOffline(name: "Desk"), .codeNotShown,
        .codeTakenDown, .notSent(reason: "No."), .noAnswer(afterSeconds: 60), .malformedMessage(type: "x"),
        .declined(name: "Desk"), .wrongCode, .locked, .busy, .endToEndRequired, .handshakeFailed,
        .refused(reason: "busy"), .tenDigitsNeeded, .keyChanged(name: "Desk"), .notEndToEnd(name: "Desk"),
        .shownCodeExpired, .codeWithdrawn, .unknownRequest, .numbersDiffer, .numberNeeded,
    ]

    @Test("each error has a name of its own, and the page a sentence for it")
    func names() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let area = repository.appending(path: "Sources/TandemWeb/Page/i18n/en/pairing.js")
        let texts = try String(contentsOf: area, encoding: .utf8)
        // The page shows these in another way: a code that is over with its clock, a number that is missing with its field.
        let others: Set = ["shownCodeExpired", "codeWithdrawn", "numberNeeded"]
        let reasons = Self.errors.compactMap(\.facts.reason)
        for reason in reasons where !others.contains(reason) {
            #expect(texts.contains("'pairing.failed.\(reason).do'"), "\(reason)")
        }
        #expect(Set(reasons).count == Self.errors.count)
    }

    @Test("an error with values is named as its case", arguments: errors)
    func labels(error: PairingError) {
        guard let label = Mirror(reflecting: error).children.first?.label else { return }
        #expect(error.facts.reason == label)
    }

    @Test("an error's values are named as the page's sentences name them")
    func values() {
        #expect(PairingError.codeExpired(ageSeconds: 512).facts.values == ["ageSeconds": 512])
        #expect(PairingError.codeFromTheFuture(aheadSeconds: 90).facts.values == ["aheadSeconds": 90])
        #expect(PairingError.damagedCode(field: "did").facts.values == ["field": "did"])
        #expect(PairingError.unsafeAddress("ws://203.0.113.9").facts.values == ["address": "ws://203.0.113.9"])
        #expect(PairingError.noAnswer(afterSeconds: 60).facts.values == ["afterSeconds": 60])
        #expect(PairingError.keyChanged(name: "Desk").facts.values == ["name": "Desk"])
        let attempts = [PairingAttempt(way: .lan, reason: "no answer"), PairingAttempt(way: .relay, reason: "away")]
        let told: JSONValue = [["way": "lan", "reason": "no answer"], ["way": "relay", "reason": "away"]]
        #expect(PairingError.unreachable(attempts).facts.values == ["attempts": told])
        #expect(PairingError.locked.facts.values == [:])
    }

    @Test("a computer that is not reached says nothing about this device's own network")
    func kinds() {
        #expect(PairingError.unreachable([]).facts.kind == .away)
        #expect(PairingError.deviceOffline(name: "Desk").facts.kind == .away)
        #expect(PairingError.noAddress.facts.kind == .badRequest)
        #expect(!Self.errors.contains { $0.facts.kind == .offline })
    }

    @Test("a step that tells of a failure names it; of another error it has the sentence only")
    func step() throws {
        #expect(
            try JSONValue(encoding: PairingStep(failure: PairingError.keyChanged(name: "Desk"))) == [
                "event": "failed", "message": .string(PairingError.keyChanged(name: "Desk").description),
                "reason": "keyChanged", "values": ["name": "Desk"],
            ]
        )
        struct Other: Error, CustomStringConvertible {
            let description = "It broke."
        }
        #expect(
            try JSONValue(encoding: PairingStep(clocks: .codeFromTheFuture(aheadSeconds: 7))) == [
                "event": "clocks", "reason": "codeFromTheFuture", "values": ["aheadSeconds": 7],
            ]
        )
        #expect(try JSONValue(encoding: PairingStep(failure: Other())) == ["event": "failed", "message": "It broke."])
    }
}
