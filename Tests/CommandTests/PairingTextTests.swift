import Kernel
import Pairing
import Testing

@testable import TandemCommands

@Suite("What pairing says", .timeLimit(.minutes(4)))
struct PairingTextTests {
    private static let lifetime = "It is good for five minutes and one device."

    @Test("the commands name --number where six digits are compared, and only there")
    func commands() throws {
        #expect(
            try PairingText.commands(Sample.of(["number": true]))
                == "  yes: tandem pair accept 7 --number SIX-DIGITS\n  no: tandem pair reject 7"
        )
        #expect(
            try PairingText.commands(Sample.of(["number": false]))
                == "  yes: tandem pair accept 7     no: tandem pair reject 7"
        )
    }

    @Test("what can be allowed goes on below its meaning where the window is narrow")
    func offers() throws {
        let offers: JSONValue = [
            ["name": "clipboard", "meaning": "read and replace what you copy, passwords among it"],
            ["name": "terminal", "meaning": "run any program as you"],
        ]
        let item: RequestEntry = try Sample.of(["offers": offers])
        #expect(
            PairingText.offers(item, width: 50) == """
                  It can see how this computer is doing, and be
                  told things. You may allow it more, now or
                  later:
                    1 clipboard  read and replace what you copy,
                                 passwords among it
                    2 terminal   run any program as you
                """
        )
        #expect(PairingText.offers(item, width: nil)?.split(separator: "\n").count == 3)
        let ten = JSONValue.array((1...10).map { ["name": .string("right\($0)"), "meaning": "meaning"] })
        let lines = try PairingText.offers(Sample.of(["offers": ten]), width: nil)?.split(separator: "\n").dropFirst()
        #expect(lines?.first == "     1 right1   meaning")
        #expect(lines?.last == "    10 right10  meaning")
    }

    @Test("a code that is a link stands there in full, alone in its line, with the way to the other form")
    func link() throws {
        let shown: CodeEntry = try Sample.of(["typed": true, "link": "https://hub.example.net/phone/#AQ"])
        #expect(shown.drawn == "https://hub.example.net/phone/#AQ")
        #expect(
            PairingText.instructions(shown, role: .desktop) == """
                Scan this with the phone's camera, which opens a page there. \(Self.lifetime)
                Or type on the phone: 482 913 7306.
                https://hub.example.net/phone/#AQ
                For a phone's program: tandem pair show --json-code
                """
        )
    }

    @Test("a code is scanned or typed; while typing is locked no digits are shown")
    func instructions() throws {
        let shown: CodeEntry = try Sample.of(["typed": true])
        #expect(
            PairingText.instructions(shown, role: .desktop)
                == "Scan this with the phone, or type there: 482 913 7306. \(Self.lifetime)"
        )
        #expect(PairingText.typing(shown) == "Or type on the phone: 482 913 7306. \(Self.lifetime)")
        let locked: CodeEntry = try Sample.of(["typed": false])
        #expect(PairingText.instructions(locked, role: .desktop) == "Scan this with the phone. \(Self.lifetime)")
        #expect(PairingText.typing(locked) == nil)
    }

    @Test("digits that no server holds stand behind why, and what to do; those that are another device's are not named")
    func digitsThatDoNotWork() throws {
        let trouble: JSONValue = ["reason": "limited", "server": "hub:9001", "until": 5, "message": "Not now."]
        let shown: CodeEntry = try Sample.of(["typed": true, "trouble": trouble])
        #expect(
            PairingText.instructions(shown, role: .desktop)
                == "Scan this with the phone. \(Self.lifetime)\nNot now. They are: 482 913 7306"
        )
        #expect(PairingText.typing(shown) == "Not now. They are: 482 913 7306")
        let taken: CodeEntry = try Sample.of(["typed": true, "trouble": trouble.adding("reason", "taken")])
        #expect(PairingText.typing(taken) == "Not now.")
    }

    @Test("a phone's code is only scanned, and its key stands below")
    func phone() throws {
        #expect(
            try PairingText.instructions(Sample.of(["ownFingerprint": "ABCD"]), role: .phone)
                == "Scan this on the computer: tandem pair scan --role desktop. \(Self.lifetime)\nThis phone's key: ABCD"
        )
    }

    @Test("a computer in the clear was told, and nothing there is sealed")
    func paired() throws {
        #expect(
            try PairingText.paired(Sample.of(["name": "Old desk", "endToEnd": false, "fingerprint": .null]))
                == "Told Old desk, which answers nothing: look there whether it lists this device.\n"
                + "NOT sealed end to end: whoever carries its messages can read and change them."
        )
        #expect(
            try PairingText.paired(Sample.of(["name": "Desk", "fingerprint": "ABCD"]))
                == "Paired with Desk. Its key: ABCD"
        )
    }

    @Test("a request that would be in the clear, or comes with another key, says so")
    func request() throws {
        let item: JSONValue = [
            "id": "7", "name": "Ada\u{1B}[2J", "platform": "ios", "fingerprint": "NEW", "endToEnd": false,
            "identityChanged": true, "knownName": "Ada's phone", "knownFingerprint": "OLD",
        ]
        #expect(
            try PairingText.request(Sample.of(item)) == """
                Ada\\e[2J (ios) asks to be paired. Request 7
                  its key: NEW; the phone must show the same
                  KNOWN WITH ANOTHER KEY: Ada's phone, OLD. Say yes only if that phone was set up anew
                  NOT sealed end to end: whoever carries its messages can read and change them
                """
        )
    }
}
