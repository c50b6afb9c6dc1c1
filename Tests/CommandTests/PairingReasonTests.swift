import Testing

@testable import Pairing

@Suite("Why a computer was not reached", .timeLimit(.minutes(4)))
struct PairingReasonTests {
    private struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    private func attempt(_ way: PairingAttempt.Way, _ sentence: String) -> PairingAttempt {
        PairingAttempt(way: way, reason: PhonePairing.phrase(Refusal(description: sentence)))
    }

    @Test("sentences become parts of one, without a full stop before the punctuation that follows")
    func sentences() {
        let attempts = [attempt(.lan, "The server is full. Try later."), attempt(.relay, "nobody answers")]
        #expect(
            PairingError.unreachable(attempts).description
                == "The computer was not reached: on the local network: The server is full. Try later; "
                + "through the relay: nobody answers. Check that both devices are online, then try again."
        )
    }

    @Test("what a server said acts on no terminal, makes one row and has an end")
    func hostile() {
        #expect(PhonePairing.phrase(Refusal(description: "a\nb\u{1B}[2J\u{202E}c.")) == "a\\nb\\e[2J\\u202ec")
        #expect(PhonePairing.phrase(Refusal(description: String(repeating: "x", count: 100_000))).count == 512)
    }
}
