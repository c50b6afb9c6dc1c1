import Foundation
import Kernel
import Pairing
import Testing

@testable import TandemCommands

@Suite("The terminal beside a code", .timeLimit(.minutes(4)))
struct PairingDialogueTests {
    private static let request: JSONValue = ["event": "request"]
    private static let asked =
        "Ada's phone (android) asks to be paired. Request 7\n  its key: ABCD-EFGH; the phone must show the same"
    private static let commands = "  yes: tandem pair accept 7     no: tandem pair reject 7"
    private static let prompt = "Accept? y or n:"

    /// One that has just asked about ``request``, or about the same with other members.
    private func asking(adding members: [String: JSONValue] = [:], stays: Bool = false) throws -> PairingDialogue {
        var dialogue = PairingDialogue(canAsk: true, stays: stays, role: .desktop)
        _ = dialogue.take(try Sample.of(members.reduce(Self.request) { $0.adding($1.key, $1.value) }))
        return dialogue
    }

    private func accepting(
        _ id: String,
        number: String? = nil,
        allow: [String]? = nil
    ) -> PairingDialogue.Action {
        .call(.accept(Acceptance(id: id, number: number, allow: allow)))
    }

    // MARK: Wrong codes

    @Test("a wrong code brings new digits with a warning, three of them a lock, and its end new digits again")
    func wrongCodes() throws {
        var dialogue = PairingDialogue(canAsk: true, stays: false, role: .desktop)
        #expect(
            try dialogue.take(Sample.of(["event": "digits-replaced", "code": "4829137306"])) == [
                .say(
                    "A wrong code was typed; someone may be interfering. These digits take the place of the others, "
                        + "and the code to scan stays the same:\n  482 913 7306"
                )
            ]
        )
        let until: Int64 = 1_700_000_000_000
        let clock = Date(millisecondsSince1970: until).formatted(date: .omitted, time: .standard)
        #expect(
            try dialogue.take(Sample.of(["event": "digits-locked", "code": "4829137306", "until": .integer(until)]))
                == [
                    .say(
                        "Too many wrong codes were typed; someone may be interfering. No code can be typed until \(clock). "
                            + "Scanning still works."
                    )
                ]
        )
        #expect(
            try dialogue.take(Sample.of(["event": "digits-unlocked", "code": "1112223334"]))
                == [.say("Codes can be typed again:\n  111 222 3334")]
        )
        #expect(
            try dialogue.take(Sample.of(["event": "interference"])) == [
                .say(
                    "Somebody sends wrong codes, and is not listened to any more. The code to scan is not affected."
                )
            ]
        )
    }

    @Test("that the digits work nowhere is said once for each reason, and that they work again")
    func digitsThatDoNotWork() throws {
        var dialogue = PairingDialogue(canAsk: true, stays: false, role: .desktop)
        let event: JSONValue = ["event": "digits-unreachable", "code": "4829137306"]
        let trouble: JSONValue = ["reason": "limited", "server": "hub:9001", "until": 5, "message": "Not now."]
        let said = [PairingDialogue.Action.say("Not now. You are told here when the digits work.")]
        #expect(try dialogue.take(Sample.of(event.adding("trouble", trouble))) == said)
        #expect(try dialogue.take(Sample.of(event.adding("trouble", trouble.adding("until", 6)))) == [])
        #expect(
            try dialogue.take(Sample.of(event.adding("event", "digits-reachable")))
                == [.say("The digits work now:\n  482 913 7306")]
        )
        #expect(try dialogue.take(Sample.of(event.adding("trouble", trouble))) == said)
    }

    // MARK: Yes or no

    @Test("whoever asks is named with its key, then comes the question")
    func question() throws {
        var dialogue = PairingDialogue(canAsk: true, stays: false, role: .desktop)
        #expect(try dialogue.take(Sample.of(Self.request)) == [.say(Self.asked + "\n" + Self.prompt)])
    }

    @Test("y and yes accept, and nothing is allowed besides", arguments: ["y", "Y", "yes", " yes \r"])
    func yes(typed: String) throws {
        var dialogue = try asking()
        #expect(dialogue.answer(typed) == [accepting("7")])
        #expect(dialogue.done(with: nil) == [])
        // Nobody is left to accept.
        #expect(dialogue.answer("y") == [])
    }

    @Test("n and no reject", arguments: ["n", "N", "no", "no 1"])
    func no(typed: String) throws {
        var dialogue = try asking()
        #expect(dialogue.answer(typed) == [.call(.reject(RequestChoice("7")))])
    }

    @Test(
        "an empty line and any other word are no answer: the question is put again",
        arguments: [("", false), ("  ", false), ("maybe", true), ("482913", true), ("yesno", true)]
    )
    func unclear(typed: String, isWord: Bool) throws {
        var dialogue = try asking()
        #expect(dialogue.answer(typed) == [.say((isWord ? "Please type y or n.\n" : "") + Self.prompt)])
        #expect(dialogue.answer("y") == [accepting("7")])
    }

    @Test("where six digits are compared a yes alone is not enough")
    func number() throws {
        let prompt = "Type the six digits that the phone shows; or n:"
        var dialogue = try asking(adding: ["number": true])
        #expect(dialogue.answer("482 913") == [accepting("7", number: "482913")])
        #expect(dialogue.answer("48291") == [.say("That is no number of six digits.\n" + prompt)])
        #expect(dialogue.answer("sure") == [.say("That is no number of six digits.\n" + prompt)])
        #expect(dialogue.answer("") == [.say(prompt)])
        let refusal = "The phone shows six digits."
        #expect(dialogue.done(with: refusal).first == PairingDialogue.Action.say(refusal))
        #expect(dialogue.answer("n") == [.call(.reject(RequestChoice("7")))])
    }

    @Test("what was allowed goes along with the yes, and a number that is not in the list with nothing")
    func allowed() throws {
        let offers: JSONValue = [
            ["name": "clipboard", "meaning": "read and replace what you copy"],
            ["name": "terminal", "meaning": "run any program as you"],
        ]
        let prompt = "Accept? y or n; \"y 1 3\" accepts it and allows 1 and 3:"
        var dialogue = try asking(adding: ["offers": offers])
        #expect(dialogue.answer("y 3") == [.say("There is no 3 in the list.\n" + prompt)])
        #expect(dialogue.answer("y 0") == [.say("There is no 0 in the list.\n" + prompt)])
        #expect(dialogue.answer("y 2,1") == [accepting("7", allow: ["terminal", "clipboard"])])
    }

    @Test("the next one is asked about once the first is answered, and a refusal puts the question again")
    func several() throws {
        var dialogue = try asking()
        let second = Self.request.adding("id", "8").adding("name", "Bo's phone")
        #expect(try dialogue.take(Sample.of(second)) == [.say("Bo's phone asks too; you are asked next.")])
        #expect(dialogue.done(with: "It is gone.") == [.say("It is gone."), .say(Self.asked + "\n" + Self.prompt)])
        let next =
            "Bo's phone (android) asks to be paired. Request 8\n  its key: ABCD-EFGH; the phone must show the same\n"
            + Self.prompt
        #expect(dialogue.done(with: nil) == [.say(next)])
        #expect(dialogue.answer("y") == [accepting("8")])
    }

    @Test("nobody is asked where nobody can answer: the commands are printed")
    func noTerminal() throws {
        var dialogue = PairingDialogue(canAsk: false, stays: false, role: .desktop)
        #expect(try dialogue.take(Sample.of(Self.request)) == [.say(Self.asked + "\n" + Self.commands)])
        #expect(dialogue.answer("y") == [])
    }

    @Test("after the end of input the commands are printed for whoever asks then")
    func endOfInput() throws {
        var dialogue = try asking()
        dialogue.canAsk = false
        let second = Self.request.adding("id", "8").adding("number", true)
        #expect(
            try dialogue.take(Sample.of(second)) == [
                .say(
                    "Ada's phone (android) asks to be paired. Request 8\n  its key: ABCD-EFGH; the phone must show the "
                        + "same\n  it shows six digits, which are typed here\n"
                        + "  yes: tandem pair accept 8 --number SIX-DIGITS\n  no: tandem pair reject 8"
                )
            ]
        )
    }

    @Test("return asks for a new code where codes stay, and only while nobody waits")
    func newCode() throws {
        var dialogue = PairingDialogue(canAsk: true, stays: true, role: .desktop)
        #expect(dialogue.answer("") == [.call(.newCode)])
        var asked = try asking(stays: true)
        #expect(asked.answer("") == [.say(Self.prompt)])
    }
}
