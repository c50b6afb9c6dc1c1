import Foundation
import Kernel
import Testing

@testable import Commands

@Suite("Command envelopes", .timeLimit(.minutes(4)))
struct EnvelopeTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

    @Test(
        "an answer has its request's id in the asker's own kind of JSON, also where a number's text was another's",
        arguments: [
            "\"7\"", "7", "-7", "7.5", "9007199254740993",
        ]
    )
    func writtenID(id: String) throws {
        let object = #"{"type":"chainlesschain:command:request","payload":{"id":\#(id),"method":"system.ping"}}"#
        let request = try CommandRequest(envelope: JSONValue(parsing: object.utf8))
        let written = try JSONValue(parsing: id.utf8)
        for outcome in [Result<JSONValue, RemoteFailure>.success([:]), .failure(RemoteFailure(code: 1, message: "no"))]
        {
            let answer = CommandResponse(id: request.id, outcome: outcome).envelope(answering: request)
            #expect(answer["payload"]?["id"] == written)
        }
        var texts = request
        texts.form = .text
        let answer = CommandResponse(id: request.id, outcome: .success([:])).envelope(answering: texts)
        let payload = try JSONValue(parsing: try #require(answer["payload"]?.stringValue).utf8)
        #expect(payload["id"] == written)
    }

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
            request
                == CommandRequest(
                    id: "5B0C2F1E",
                    method: "clipboard.get",
                    params: ["type": "text"],
                    auth: CommandAuth(did: "did:key:z6MkExampleA")
                )
        )
    }

    @Test("a request whose payload is a JSON text is read, and answered in the same form")
    func textForm() throws {
        let request = try CommandRequest(
            envelope: json(
                #"{"type":"chainlesschain:command:request","payload":"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"system.ping\"}"}"#
            )
        )
        #expect(request == CommandRequest(id: "7", writtenID: 7, method: "system.ping", params: [:], form: .text))
        let failure = CommandResponse(id: "7", outcome: .failure(RemoteFailure(code: -32601, message: "no")))
        #expect(
            failure.envelope(answering: request)
                == [
                    "type": "chainlesschain:command:response",
                    "payload": #"{"error":{"code":-32601,"message":"no"},"id":7,"jsonrpc":"2.0","result":null}"#,
                ]
        )
    }

    @Test(
        "every observed way to name the asker is read, from an object and from a text",
        arguments: [
            (#""auth":{"mobileDid":"did:key:zA"}"#, CommandAuth(did: "did:key:zA")),
            (
                #""auth":{"did":"did:key:zA"},"timestamp":1790000000000"#,
                CommandAuth(did: "did:key:zA", timestamp: 1_790_000_000_000)
            ),
            (
                #""auth":{"did":"did:key:zA","signature":"c2ln","timestamp":1790000000000,"nonce":"n-1"}"#,
                CommandAuth(did: "did:key:zA", signature: "c2ln", timestamp: 1_790_000_000_000, nonce: "n-1")
            ),
            (#""auth":{"mobileDid":"did:key:zA","did":"did:key:zB"}"#, CommandAuth(did: "did:key:zB")),
            (#""auth":{"did":7,"signature":[],"timestamp":"soon","nonce":""}"#, CommandAuth()),
            (#""auth":{}"#, CommandAuth()), (#""auth":"did:key:zA""#, nil), (#""auth":null"#, nil),
            (#""other":1"#, nil),
        ] as [(String, CommandAuth?)]
    )
    func auth(member: String, expected: CommandAuth?) throws {
        let payload = #"{"jsonrpc":"2.0","id":"1","method":"file.read","params":{"p":1},\#(member)}"#
        for (value, form) in [(try json(payload), CommandRequest.Form.object), (.string(payload), .text)] {
            let request = try CommandRequest(envelope: ["type": "chainlesschain:command:request", "payload": value])
            #expect(
                request == CommandRequest(id: "1", method: "file.read", params: ["p": 1], form: form, auth: expected)
            )
        }
    }

    @Test("what is signed is one of the two observed texts, to the byte")
    func signedTexts() {
        let texts = CommandAuth.signedTexts(method: "file.read", timestamp: 1_790_000_000_000, nonce: "n-1")
        #expect(
            texts.map { String(decoding: $0, as: UTF8.self) } == [
                #"{"method":"file.read","timestamp":1790000000000,"nonce":"n-1"}"#, "file.read:1790000000000:n-1",
            ]
        )
    }

    @Test(
        "a cancellation is read in every form",
        arguments: [
            #"{"type":"chainlesschain:command:cancel","payload":{"id":"a","reason":"left"}}"#,
            #"{"type":"chainlesschain:command:cancel","payload":"{\"id\":\"a\"}"}"#,
            #"{"type":"chainlesschain:command:cancel","id":"a"}"#,
        ]
    )
    func cancels(text: String) throws {
        #expect(try CommandCancel(envelope: json(text)) == CommandCancel(id: "a"))
        #expect(try CommandCancel(envelope: CommandCancel(id: "a").envelope) == CommandCancel(id: "a"))
    }

    @Test(
        "a cancellation of nothing is refused",
        arguments: [
            "{}", #"{"type":"chainlesschain:command:cancel"}"#,
            #"{"type":"chainlesschain:command:cancel","payload":{"id":""}}"#,
            #"{"type":"chainlesschain:command:cancel","payload":"{"}"#, #"{"type":"other","id":"a"}"#,
        ]
    )
    func malformedCancels(text: String) throws {
        let envelope = try json(text)
        #expect(throws: RemoteError.self) { try CommandCancel(envelope: envelope) }
    }

    @Test("a refusal is an error in each form: a text for those who read texts, an object for those who read objects")
    func errorShapes() throws {
        let response = CommandResponse(
            id: "1",
            outcome: .failure(RemoteFailure(code: -32008, message: "not-paired: no"))
        )
        #expect(
            response.envelope(form: .object).canonicalText
                == #"{"payload":{"code":-32008,"error":"not-paired: no","id":"1"},"type":"chainlesschain:command:response"}"#
        )
        #expect(
            response.envelope(form: .text)["payload"]?.stringValue
                == #"{"error":{"code":-32008,"message":"not-paired: no"},"id":"1","jsonrpc":"2.0","result":null}"#
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

    @Test("a method that an existing program does not know is that, in a sentence", arguments: [true, false])
    func unknownAction(isObject: Bool) throws {
        let words: JSONValue = "Unknown action: sync"
        let error: JSONValue = isObject ? ["code": -32603, "message": words] : words
        let envelope: JSONValue = ["type": .string(CommandResponse.type), "payload": ["id": "1", "error": error]]
        guard case .failure(let failure) = try CommandResponse(envelope: envelope).outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == FailureCode.unknownMethod)
        #expect(
            failure.message == "The program on the computer does not know the command sync. Update it, or do without."
        )
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
