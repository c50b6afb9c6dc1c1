import Kernel
import Testing

@testable import Sealing

@Suite("Pairing by typed code", .timeLimit(.minutes(4)))
struct CodeExchangeTests {
    private static let shown = "4829137306"
    private static let alias = "pairing-code:482913"
    private static let deviceID = "9f0c6a1be2d34775"

    private func phone(_ digits: String = shown, alias: String = alias) throws -> CodeExchange.Phone {
        try CodeExchange.Phone(digits: digits, alias: alias, identity: .alice, device: .phone)
    }

    private func desktop(_ digits: String = shown) throws -> CodeExchange.Desktop {
        try CodeExchange.Desktop(
            digits: digits,
            alias: Self.alias,
            deviceID: Self.deviceID,
            identity: .bob,
            device: .desktop
        )
    }

    /// Messages 1 to 4.
    ///
    /// - Returns: What message 4 carried.
    private func begin(
        _ phone: inout CodeExchange.Phone,
        _ desktop: inout CodeExchange.Desktop,
        claiming did: DID = Identity.alice.did,
        desktopID: String = deviceID
    ) throws -> CodeExchange.Share {
        let nonce = try desktop.greet(phoneNonce: phone.nonce, length: phone.length, phone: did)
        return try desktop.share(after: phone.commit(desktopNonce: nonce, desktopID: desktopID))
    }

    @Test("ten digits typed right pair both ends, without a further number")
    func ten() throws {
        var phone = try phone()
        var desktop = try desktop()
        let share = try begin(&phone, &desktop)
        let answer = try desktop.answer(phone.reveal(for: share), nowMilliseconds: 5)
        let peer = try desktop.read(proof: phone.prove(answer: answer, nowMilliseconds: 6))
        #expect(peer.did == Identity.alice.did)
        #expect(peer.agreementKey == Identity.alice.agreementKey)
        #expect(peer.device == .phone)
        #expect(peer.sentAtMilliseconds == 6)
        #expect(phone.length == .ten && desktop.length == .ten)
        #expect(phone.shortNumber == nil && desktop.shortNumber == nil)
        let other = try phone.finish(confirmation: desktop.confirm(number: nil))
        #expect(other.did == Identity.bob.did)
        #expect(other.agreementKey == Identity.bob.agreementKey)
        #expect(other.device == .desktop)
        #expect(other.sentAtMilliseconds == 5)
    }

    @Test("six digits show the same number on both screens, and pair when it is confirmed")
    func six() throws {
        var phone = try phone("482913")
        var desktop = try desktop()
        let share = try begin(&phone, &desktop)
        let answer = try desktop.answer(phone.reveal(for: share), nowMilliseconds: 5)
        _ = try desktop.read(proof: phone.prove(answer: answer, nowMilliseconds: 6))
        let number = try #require(phone.shortNumber)
        #expect(number.wholeMatch(of: /[0-9]{6}/) != nil)
        #expect(desktop.shortNumber == number)
        #expect(try phone.finish(confirmation: desktop.confirm(number: number)).did == Identity.bob.did)
    }

    @Test("six digits are not confirmed by another number, or by none", arguments: [nil, "", "000000x"])
    func wrongNumber(number: String?) throws {
        var phone = try phone("482913")
        var desktop = try desktop()
        let share = try begin(&phone, &desktop)
        let answer = try desktop.answer(phone.reveal(for: share), nowMilliseconds: 5)
        _ = try desktop.read(proof: phone.prove(answer: answer, nowMilliseconds: 6))
        #expect(throws: SealingError.numbersDiffer) { try desktop.confirm(number: number) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try desktop.confirm(number: desktop.shortNumber) }
    }

    @Test(
        "wrong digits are noticed by the desktop at the first tag, and the exchange is over",
        arguments: ["4829137307", "482914"]
    )
    func wrongDigits(typed: String) throws {
        var phone = try phone(typed)
        var desktop = try desktop()
        let share = try begin(&phone, &desktop)
        let reveal = try phone.reveal(for: share)
        #expect(throws: SealingError.wrongCode) { try desktop.answer(reveal, nowMilliseconds: 5) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try desktop.answer(reveal, nowMilliseconds: 5) }
    }

    @Test("a desktop that shows other digits is noticed by the phone, and the exchange is over")
    func wrongDesktop() throws {
        var phone = try phone()
        var honest = try desktop()
        var other = try desktop("4829130000")
        // Mallory answers with a tag of her own: she knows everything but the last four digits.
        let nonce = try other.greet(phoneNonce: phone.nonce, length: .ten, phone: Identity.alice.did)
        let share = try other.share(after: phone.commit(desktopNonce: nonce, desktopID: Self.deviceID))
        let reveal = try phone.reveal(for: share)
        let forged = CodeExchange.Answer(tag: reveal.answer.tag, handshake: [UInt8](repeating: 0, count: 200))
        #expect(throws: SealingError.wrongCode) { try phone.prove(answer: forged, nowMilliseconds: 6) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try phone.prove(answer: forged, nowMilliseconds: 6) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try honest.answer(reveal, nowMilliseconds: 6) }
    }

    @Test("ends that disagree about the alias, the DID or the device id do not pair")
    func disagreement() throws {
        for (alias, did, desktopID) in [
            ("pairing-code:482914", Identity.alice.did, Self.deviceID),
            (Self.alias, Identity.mallory.did, Self.deviceID),
            (Self.alias, Identity.alice.did, "somebody-else"),
        ] {
            var phone = try phone(alias: alias)
            var desktop = try desktop()
            let share = try begin(&phone, &desktop, claiming: did, desktopID: desktopID)
            let reveal = try phone.reveal(for: share)
            #expect(throws: SealingError.wrongCode) { try desktop.answer(reveal, nowMilliseconds: 5) }
        }
    }

    @Test("a phone that knows the code but proves another DID than it claimed is refused")
    func claimedAnother() throws {
        var desktop = try desktop()
        let nonce = [UInt8](repeating: 4, count: 16)
        let desktopNonce = try desktop.greet(phoneNonce: nonce, length: .ten, phone: Identity.alice.did)
        let cpace = try CPace(
            role: .initiator,
            password: Array(Self.shown.utf8),
            channel: CodeExchange.channel(alias: Self.alias),
            sessionID: nonce + desktopNonce,
            associatedData: Array(Identity.alice.did.text.utf8)
        )
        let own = CodeExchange.Share(share: cpace.share, blind: [UInt8](repeating: 5, count: 16))
        let share = try desktop.share(after: CodeExchange.commitment(to: own))
        let agreement = try cpace.agree(peerShare: share.share, peerAssociatedData: Array(Self.deviceID.utf8))
        var handshake = try CodeExchange.handshake(role: .initiator, agreement: agreement, identity: .mallory)
        let first = CodeExchange.Answer(tag: agreement.ownTag, handshake: try handshake.write { _ in [] })
        let answer = try desktop.answer(CodeExchange.Reveal(share: own, answer: first), nowMilliseconds: 5)
        try agreement.confirm(peerTag: answer.tag)
        #expect(try handshake.readProof(answer.handshake).did == Identity.bob.did)
        let proof = try handshake.writeProof(identity: .mallory, device: .phone, nowMilliseconds: 6)
        #expect(throws: SealingError.identityNotProven) { try desktop.read(proof: proof) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try desktop.confirm(number: nil) }
    }

    @Test("a share or blind that is not the one committed to is refused, and the exchange is over")
    func brokenCommitment() throws {
        for change: (inout CodeExchange.Reveal) -> Void in [
            { $0.share.blind[0] ^= 1 },
            { $0.share.share[0] ^= 1 },
        ] {
            var phone = try phone()
            var desktop = try desktop()
            var reveal = try phone.reveal(for: begin(&phone, &desktop))
            change(&reveal)
            #expect(throws: SealingError.brokenCommitment) { try desktop.answer(reveal, nowMilliseconds: 5) }
            #expect(throws: SealingError.handshakeOutOfOrder) { try desktop.answer(reveal, nowMilliseconds: 5) }
        }
    }

    @Test("shares of low order are refused at both ends")
    func lowOrder() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        var first = try phone()
        var second = try desktop()
        var share = try begin(&first, &second)
        share.share = zero
        #expect(throws: SealingError.weakKey) { try first.reveal(for: share) }
        #expect(throws: SealingError.handshakeOutOfOrder) { try first.reveal(for: share) }

        var desktop = try desktop()
        let forged = CodeExchange.Share(share: zero, blind: [UInt8](repeating: 1, count: 16))
        _ = try desktop.greet(phoneNonce: [UInt8](repeating: 2, count: 16), length: .ten, phone: Identity.alice.did)
        _ = try desktop.share(after: CodeExchange.commitment(to: forged))
        #expect(throws: SealingError.weakKey) {
            try desktop.answer(
                CodeExchange.Reveal(share: forged, answer: CodeExchange.Answer(tag: [], handshake: [])),
                nowMilliseconds: 5
            )
        }
    }

    @Test("any change of a later message is refused; the true proof and confirmation still go through")
    func tampering() throws {
        var phone = try phone()
        var desktop = try desktop()
        let share = try begin(&phone, &desktop)
        let reveal = try phone.reveal(for: share)
        for change: (inout CodeExchange.Reveal) -> Void in [
            { $0.answer.tag[63] ^= 1 },
            { $0.answer.handshake[0] ^= 1 },
            { $0.answer.handshake[40] ^= 1 },
            { $0.answer.handshake = [] },
        ] {
            var changed = reveal
            change(&changed)
            var copy = desktop
            #expect(throws: SealingError.self) { try copy.answer(changed, nowMilliseconds: 5) }
        }
        let answer = try desktop.answer(reveal, nowMilliseconds: 5)
        for index in stride(from: 0, to: answer.handshake.count, by: 37) {
            var changed = answer
            changed.handshake[index] ^= 1
            var copy = phone
            #expect(throws: SealingError.handshakeFailed) { try copy.prove(answer: changed, nowMilliseconds: 6) }
        }
        let proof = try phone.prove(answer: answer, nowMilliseconds: 6)
        for index in stride(from: 0, to: proof.count, by: 37) {
            var changed = proof
            changed[index] ^= 1
            #expect(throws: SealingError.handshakeFailed) { try desktop.read(proof: changed) }
        }
        _ = try desktop.read(proof: proof)
        let confirmation = try desktop.confirm(number: nil)
        #expect(confirmation.count == 16)
        for index in confirmation.indices {
            var changed = confirmation
            changed[index] ^= 1
            #expect(throws: SealingError.handshakeFailed) { try phone.finish(confirmation: changed) }
        }
        #expect(throws: SealingError.handshakeFailed) { try phone.finish(confirmation: []) }
        #expect(try phone.finish(confirmation: confirmation).did == Identity.bob.did)
        #expect(throws: SealingError.handshakeOutOfOrder) { try phone.finish(confirmation: confirmation) }
    }

    @Test("a message that is delivered twice is refused and changes nothing")
    func duplicates() throws {
        var phone = try phone()
        var desktop = try desktop()
        let nonce = try desktop.greet(phoneNonce: phone.nonce, length: .ten, phone: Identity.alice.did)
        #expect(throws: SealingError.handshakeOutOfOrder) {
            try desktop.greet(phoneNonce: phone.nonce, length: .six, phone: Identity.alice.did)
        }
        let commitment = try phone.commit(desktopNonce: nonce, desktopID: Self.deviceID)
        #expect(throws: SealingError.handshakeOutOfOrder) {
            try phone.commit(desktopNonce: nonce, desktopID: Self.deviceID)
        }
        let share = try desktop.share(after: commitment)
        #expect(throws: SealingError.handshakeOutOfOrder) { try desktop.share(after: commitment) }
        let reveal = try phone.reveal(for: share)
        #expect(throws: SealingError.handshakeOutOfOrder) { try phone.reveal(for: share) }
        let answer = try desktop.answer(reveal, nowMilliseconds: 5)
        #expect(throws: SealingError.handshakeOutOfOrder) { try desktop.answer(reveal, nowMilliseconds: 5) }
        _ = try desktop.read(proof: phone.prove(answer: answer, nowMilliseconds: 6))
        #expect(try phone.finish(confirmation: desktop.confirm(number: nil)).did == Identity.bob.did)
    }

    @Test("digits of another form, and values of another length, are refused")
    func malformed() throws {
        for digits in ["", "12345", "1234567", "12345a", "１２３４５６", "12345678901"] {
            #expect(throws: SealingError.wrongCode) { try self.phone(digits) }
        }
        for digits in ["", "482913", "482913730x"] {
            #expect(throws: SealingError.wrongCode) { try self.desktop(digits) }
        }
        var phone = try phone()
        #expect(throws: SealingError.wrongLength(of: "nonce", expected: 16, actual: 15)) {
            try phone.commit(desktopNonce: [UInt8](repeating: 0, count: 15), desktopID: Self.deviceID)
        }
        var desktop = try desktop()
        #expect(throws: SealingError.wrongLength(of: "nonce", expected: 16, actual: 17)) {
            try desktop.greet(phoneNonce: [UInt8](repeating: 0, count: 17), length: .ten, phone: Identity.alice.did)
        }
        var other = try self.desktop()
        _ = try other.greet(phoneNonce: [UInt8](repeating: 0, count: 16), length: .ten, phone: Identity.alice.did)
        #expect(throws: SealingError.wrongLength(of: "commitment", expected: 32, actual: 0)) {
            try other.share(after: [])
        }
    }

    @Test("the short number is the documented one, with its leading zeros")
    func shortNumber() throws {
        let key = [UInt8](repeating: 1, count: 64)
        let (ra, rb) = ([UInt8](repeating: 2, count: 16), [UInt8](repeating: 3, count: 16))
        let number = CodeExchange.shortNumber(key: key, phoneBlind: ra, desktopBlind: rb)
        #expect(number == "351344")
        #expect(CodeExchange.shortNumber(key: key, phoneBlind: rb, desktopBlind: ra) != number)
        let numbers = (0..<64).map { byte in
            CodeExchange.shortNumber(key: [UInt8](repeating: byte, count: 64), phoneBlind: ra, desktopBlind: rb)
        }
        #expect(numbers.allSatisfy { $0.utf8.count == 6 })
        #expect(numbers.contains { $0.hasPrefix("0") })
    }

    @Test("the channel is the documented one")
    func channel() {
        let expected = "\u{0E}tandem-code-v1\u{05}phone\u{07}desktop\u{13}pairing-code:482913"
        #expect(CodeExchange.channel(alias: Self.alias) == Array(expected.utf8))
    }
}
