import Commands
import Kernel
import Testing

@Suite("Remote events", .timeLimit(.minutes(4)))
struct RemoteEventTests {
    private static let event = RemoteEvent("terminal.stdout", ["sessionId": "s1", "seq": 4, "data": "é\n"])

    @Test(
        "both dialects are read, with the payload as an object and as a text",
        arguments: [
            #"{"type":"chainlesschain:event","payload":{"event":"terminal.stdout","sessionId":"s1","seq":4,"data":"é\n"}}"#,
            #"{"type":"chainlesschain:event","payload":"{\"event\":\"terminal.stdout\",\"sessionId\":\"s1\",\"seq\":4,\"data\":\"é\\n\"}"}"#,
            #"{"type":"chainlesschain:event:notification","payload":{"jsonrpc":"2.0","method":"terminal.stdout","params":{"sessionId":"s1","seq":4,"data":"é\n"}}}"#,
            #"{"type":"chainlesschain:event:notification","payload":"{\"jsonrpc\":\"2.0\",\"method\":\"terminal.stdout\",\"params\":{\"sessionId\":\"s1\",\"seq\":4,\"data\":\"é\\n\"}}"}"#,
            // The second type around the first one's payload, and members that nobody knows.
            #"{"type":"chainlesschain:event:notification","extra":1,"payload":{"event":"terminal.stdout","sessionId":"s1","seq":4,"data":"é\n"}}"#,
        ]
    )
    func dialects(text: String) throws {
        #expect(RemoteEvent(envelope: try JSONValue(parsing: text.utf8)) == Self.event)
    }

    @Test("a notification without parameters has no members")
    func withoutParameters() throws {
        let text = #"{"type":"chainlesschain:event:notification","payload":{"method":"terminal.exit"}}"#
        #expect(RemoteEvent(envelope: try JSONValue(parsing: text.utf8)) == RemoteEvent("terminal.exit", [:]))
    }

    @Test("the documented form is written, and read again")
    func written() {
        #expect(
            Self.event.envelope == [
                "type": "chainlesschain:event",
                "payload": ["event": "terminal.stdout", "sessionId": "s1", "seq": 4, "data": "é\n"],
            ]
        )
        #expect(RemoteEvent(envelope: Self.event.envelope) == Self.event)
    }

    @Test("a member called event does not replace the name")
    func nameWins() {
        #expect(RemoteEvent("a", ["event": "b"]).envelope["payload"]?["event"] == "a")
    }

    @Test(
        "what is no event is none",
        arguments: [
            #"{}"#, #"{"type":"chainlesschain:event"}"#, #"{"type":"chainlesschain:event","payload":null}"#,
            #"{"type":"chainlesschain:event","payload":[]}"#, #"{"type":"chainlesschain:event","payload":"{"}"#,
            #"{"type":"chainlesschain:event","payload":"[]"}"#, #"{"type":"chainlesschain:event","payload":{}}"#,
            #"{"type":"chainlesschain:event","payload":{"event":7}}"#,
            #"{"type":"chainlesschain:event","payload":{"method":"a"}}"#,
            #"{"type":"chainlesschain:event:notification","payload":{"method":7}}"#,
            #"{"type":"chainlesschain:event:other","payload":{"event":"a"}}"#,
            #"{"type":"chainlesschain:command:response","payload":{"event":"a"}}"#,
        ]
    )
    func others(text: String) throws {
        #expect(RemoteEvent(envelope: try JSONValue(parsing: text.utf8)) == nil)
    }

    @Test("every reader gets every event")
    func multicast() async {
        let events = Broadcaster<RemoteEvent>(capacity: 256)
        let readers = (0..<3).map { _ in events.subscribe() }
        for number in 0..<256 { events.send(RemoteEvent("count", ["number": .integer(Int64(number))])) }
        events.finish()
        for reader in readers {
            var numbers: [Int64] = []
            for await event in reader { numbers += [event.members["number"]?.integerValue ?? -1] }
            #expect(numbers == Array(0..<256))
        }
    }
}
