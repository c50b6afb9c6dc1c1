import Foundation
import Kernel
import Testing

@testable import Remote

@Suite("Command envelopes")
struct EnvelopeTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

    @Test("the documented request is read")
    func documented() throws {
        let request = try CommandRequest(
            envelope: json(
                #"""
                {"type":"chainlesschain:command:request","payload":{"id":"5B0C2F1E","method":"clipboard.get",
                "params":{"type":"text"},"auth":{"mobileDid":"did:key:z6MkExampleA"}}}
                """#
            )
        )
        #expect(
            request == CommandRequest(id: "5B0C2F1E", method: "clipboard.get", params: ["type": "text"], form: .object)
        )
    }

    @Test("a request whose payload is a JSON text is read, and answered in the same form")
    func textForm() throws {
        let request = try CommandRequest(
            envelope: json(
                #"{"type":"chainlesschain:command:request","payload":"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"system.ping\"}"}"#
            )
        )
        #expect(request == CommandRequest(id: "7", method: "system.ping", params: [:], form: .text))
        let failure = CommandResponse(id: "7", outcome: .failure(RemoteFailure(code: -32601, message: "no")))
        #expect(
            failure.envelope(form: .text)
                == [
                    "type": "chainlesschain:command:response",
                    "payload": #"{"error":{"code":-32601,"message":"no"},"id":"7","jsonrpc":"2.0","result":null}"#,
                ]
        )
    }

    @Test(
        "a request that is not one is refused",
        arguments: [
            #"{}"#, #"{"type":"chainlesschain:command:request"}"#,
            #"{"type":"other","payload":{"id":"1","method":"a.b"}}"#,
            #"{"type":"chainlesschain:command:request","payload":{"method":"a.b"}}"#,
            #"{"type":"chainlesschain:command:request","payload":{"id":"","method":"a.b"}}"#,
            #"{"type":"chainlesschain:command:request","payload":{"id":{},"method":"a.b"}}"#,
            #"{"type":"chainlesschain:command:request","payload":{"id":"1","method":5}}"#,
            #"{"type":"chainlesschain:command:request","payload":"{not json"}"#,
        ]
    )
    func malformed(text: String) throws {
        let envelope = try json(text)
        #expect(throws: RemoteError.self) { try CommandRequest(envelope: envelope) }
    }

    @Test(
        "every observed answer is read; an error wins over a result",
        arguments: [
            (#"{"id":"1","result":{"ok":true}}"#, Result<JSONValue, RemoteFailure>.success(["ok": true])),
            (#"{"id":"1","result":[1],"error":null}"#, .success([1])),
            (#"{"id":"1"}"#, .success([:])),
            (#"{"id":"1","error":"no"}"#, .failure(RemoteFailure(code: -32603, message: "no"))),
            (#"{"id":"1","error":"no","code":-32010}"#, .failure(RemoteFailure(code: -32010, message: "no"))),
            (
                #"{"id":"1","result":{},"error":{"code":-32000,"message":"late"}}"#,
                .failure(RemoteFailure(code: -32000, message: "late"))
            ),
        ]
    )
    func answers(payload: String, outcome: Result<JSONValue, RemoteFailure>) throws {
        let asObject: JSONValue = ["type": "chainlesschain:command:response", "payload": try json(payload)]
        let asText: JSONValue = ["type": "chainlesschain:command:response", "payload": .string(payload)]
        #expect(try CommandResponse(envelope: asObject) == CommandResponse(id: "1", outcome: outcome))
        #expect(try CommandResponse(envelope: asText) == CommandResponse(id: "1", outcome: outcome))
    }

    @Test("what we answer is what we read")
    func roundTrip() throws {
        for outcome: Result<JSONValue, RemoteFailure> in [
            .success(["pong": true]), .failure(RemoteFailure(code: -32008, message: "not-paired: pair again.")),
        ] {
            let response = CommandResponse(id: "x", outcome: outcome)
            #expect(try CommandResponse(envelope: response.envelope(form: .object)) == response)
            #expect(try CommandResponse(envelope: response.envelope(form: .text)) == response)
        }
    }
}
