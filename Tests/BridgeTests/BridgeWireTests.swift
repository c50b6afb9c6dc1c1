import Bridge
import Foundation
import Kernel
import KernelTesting
import Testing

@Suite("The bridge's messages")
struct BridgeWireTests {
    @Test(
        "both documented shapes of Hello are read, and further members do not matter",
        arguments: [
            #"{"type":"Hello","token":"T"}"#, #"{"token":"T"}"#, #"{"type":" hello ","token":"T","client":"x"}"#,
            #"{"type":null,"token":"T","v":1,"rotate":true}"#, #" {"token" : "T"} "#,
        ]
    )
    func hello(text: String) {
        #expect(BridgeHello(text.utf8) == BridgeHello(.token("T")))
    }

    @Test(
        "what is no Hello is none",
        arguments: [
            "", "T", "{}", "[]", #"{"type":"Hello"}"#, #"{"token":""}"#, #"{"token":7}"#,
            #"{"type":"Ping","token":"T"}"#,
            #"{"type":7,"token":"T"}"#, #"{"code":"C","name":"N"}"#, #"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            #"{"type":"Hello","token":"T""#,
        ]
    )
    func noHello(text: String) {
        #expect(BridgeHello(text.utf8) == nil)
    }

    @Test("version 2 asks for another token, or shows a code")
    func helloTwo() throws {
        let rotating = BridgeHello(.token("T"), version: 2, takesNextToken: true)
        #expect(String(decoding: rotating.bytes, as: UTF8.self) == #"{"type":"Hello","token":"T","v":2,"rotate":true}"#)
        #expect(BridgeHello(rotating.bytes) == rotating)
        let scanning = BridgeHello(.code("C", name: "Ada's phone"), version: 2)
        #expect(
            String(decoding: scanning.bytes, as: UTF8.self)
                == #"{"type":"Hello","code":"C","name":"Ada's phone","v":2}"#
        )
        #expect(BridgeHello(scanning.bytes) == scanning)
    }

    @Test("a documented client sends the documented bytes, and so does a documented server")
    func documentedBytes() {
        #expect(
            String(decoding: BridgeHello(.token("dev-7f3c")).bytes, as: UTF8.self)
                == #"{"type":"Hello","token":"dev-7f3c"}"#
        )
        #expect(
            String(decoding: BridgeMessage.helloAck(BridgeHelloAck(token: "dev-7f3c")).bytes, as: UTF8.self)
                == #"{"type":"HelloAck","token":"dev-7f3c"}"#
        )
        #expect(String(decoding: BridgeMessage.ping.bytes, as: UTF8.self) == #"{"type":"Ping"}"#)
        #expect(String(decoding: BridgeMessage.pong.bytes, as: UTF8.self) == #"{"type":"Pong"}"#)
        #expect(
            String(decoding: BridgeThreads.request().message.bytes, as: UTF8.self)
                == #"{"type":"threads.list.request","data":{"topK":20}}"#
        )
        #expect(
            String(decoding: BridgeThreads.request(topK: 9000).message.bytes, as: UTF8.self)
                == #"{"type":"threads.list.request","data":{"topK":200}}"#
        )
    }

    @Test("HelloAck is believed as documented clients believe it")
    func helloAck() {
        let details = BridgeHelloAck.Details(
            deviceID: "a1",
            serverName: "studio-pc",
            protocolVersion: 2,
            nextToken: "N"
        )
        let ack = BridgeHelloAck(token: "", details: details)
        #expect(BridgeHelloAck(BridgeMessage.helloAck(ack).bytes, answering: "T") == ack)
        // A text of the type counts whatever its token says; without a type the token has to be the one sent, or empty.
        for text in [
            #"{"type":"HelloAck","token":"other"}"#, #"{"token":"T"}"#, #"{"token":""}"#, #"{"type":"HelloAck"}"#,
        ] {
            #expect(BridgeHelloAck(text.utf8, answering: "T") != nil, "\(text)")
        }
        for text in [#"{"token":"other"}"#, #"{"type":"Pong","token":"T"}"#, "{}", "T", #"{"type":1}"#] {
            #expect(BridgeHelloAck(text.utf8, answering: "T") == nil, "\(text)")
        }
    }

    @Test("types are told without regard to case and spaces, and Ping needs no data")
    func types() {
        #expect(BridgeMessage(#"{"type":" PING "}"#.utf8) == .ping)
        #expect(BridgeMessage(#"{"type":"Ping","data":{}}"#.utf8) == .ping)
        #expect(BridgeMessage(#"{"type":"pong","data":null}"#.utf8) == .pong)
        #expect(BridgeMessage(#"{"type":"x.Changed","data":[1]}"#.utf8) == .envelope(type: "x.Changed", data: [1]))
        #expect(BridgeMessage(#"{"type":"x"}"#.utf8) == .envelope(type: "x", data: .null))
        let long = String(repeating: "x", count: 161)
        for text in ["", "Ping", #"{"data":{}}"#, #"{"type":7}"#, "[]", #"{"type":"\#(long)"}"#] {
            #expect(BridgeMessage(text.utf8) == nil, "\(text)")
        }
    }

    @Test("requests take their parameters from data, whatever data is")
    func requests() {
        func request(_ type: String, _ data: JSONValue) -> BridgeRequest? { BridgeRequest(type: type, data: data) }
        let plain = BridgeRequest("bell.ring", ["times": 2])
        #expect(request(" Bell.Ring.REQUEST", ["times": 2]) == plain)
        #expect(request("bell.ring.request", .string(Data(#"{"times":2}"#.utf8).base64EncodedString())) == plain)
        for data: JSONValue in [.null, [], "nonsense", 7, true] {
            #expect(request("bell.ring.request", data) == BridgeRequest("bell.ring"))
        }
        #expect(request("bell.ring.request", ["request_id": "a", "times": 2])?.id == "a")
        #expect(request("bell.ring.request", ["request_id": 7])?.id == 7)
        let long = JSONValue.string(String(repeating: "a", count: 129))
        for id: JSONValue in [.null, "", long, [1], 1.5.json] {
            #expect(request("bell.ring.request", ["request_id": id]) == BridgeRequest("bell.ring"))
        }
        for type in ["bell.ring", "bell.ring.response", ".request", "request", ""] {
            #expect(request(type, [:]) == nil)
        }
    }

    @Test("answers and errors carry the asker's id, where there is one")
    func responses() {
        func text(_ id: JSONValue?, _ outcome: Result<JSONValue, BridgeFailure>) -> String {
            String(decoding: BridgeResponse("bell.ring", id: id, outcome: outcome).message.bytes, as: UTF8.self)
        }
        #expect(text(nil, .success(["total": 1])) == #"{"type":"bell.ring.response","data":{"total":1}}"#)
        #expect(
            text("a", .success(["total": 1])) == #"{"type":"bell.ring.response","data":{"request_id":"a","total":1}}"#
        )
        #expect(text(1, .success([2])) == #"{"type":"bell.ring.response","data":{"request_id":1,"result":[2]}}"#)
        let failure = BridgeFailure(code: -32010, message: "No.")
        let wire = text("a", .failure(failure))
        #expect(
            wire == #"{"type":"bell.ring.response","data":{"error":{"code":-32010,"message":"No."},"request_id":"a"}}"#
        )
        guard case .envelope(let type, let data)? = BridgeMessage(wire.utf8) else {
            Issue.record("no envelope: \(wire)")
            return
        }
        #expect(
            BridgeResponse(type: type, data: data) == BridgeResponse("bell.ring", id: "a", outcome: .failure(failure))
        )
    }

    @Test("a documented answer with threads is read, and what has no id is left out")
    func threads() throws {
        let recorded = #"""
            {"type":"threads.list.response","data":{"items":[{"id":"0199a213-81c0-7800-8aa1-bbab2a035a53","source":"codex",
            "updated_at":1762261200000,"last_message_ts":1762261200000},{"source":"codex","updated_at":1},
            {"updated_at":1762261100000,"id":"5973b6c0","source":"claude_code","title":"Mend the wire","message_count":12}]}}
            """#
        guard case .envelope(let type, let data)? = BridgeMessage(recorded.utf8) else {
            Issue.record("no envelope")
            return
        }
        let response = try #require(BridgeResponse(type: type, data: data))
        let threads = BridgeThreads.threads(in: try response.outcome.get())
        #expect(threads.map(\.id) == ["0199a213-81c0-7800-8aa1-bbab2a035a53", "5973b6c0"])
        #expect(threads.map(\.title) == [nil, "Mend the wire"])
        #expect(threads.map(\.updatedAt) == [1_762_261_200_000, 1_762_261_100_000])
        #expect(threads.map(\.messageCount) == [nil, 12])
    }

    @Test("whatever is read can be written, and is then the same", arguments: 0..<200)
    func fuzzed(seed: UInt64) throws {
        var fuzzed = FuzzedJSON(
            seed: seed,
            names: ["type", "token", "data", "request_id", "v", "rotate", "code", "name", "error", "items"],
            texts: ["Hello", "HelloAck", "Ping", "bell.ring.request", "bell.ring.response"]
        )
        let samples: [JSONValue] = [
            ["type": "Hello", "token": "T", "v": 2, "rotate": true],
            ["type": "Hello", "code": "C", "name": "N", "v": 2],
            ["type": "HelloAck", "token": "", "v": 2, "device_id": "a", "server_name": "b", "protocol": 2],
            ["type": "bell.ring.request", "data": ["request_id": 7, "times": 2]],
            ["type": "bell.ring.response", "data": ["error": ["code": -1, "message": "No."], "request_id": "7"]],
        ]
        for sample in samples {
            let bytes = fuzzed.variation(of: sample).canonicalBytes
            if let hello = BridgeHello(bytes) { #expect(BridgeHello(hello.bytes) == hello) }
            guard let message = BridgeMessage(bytes) else { continue }
            #expect(BridgeMessage(message.bytes) == message)
            guard case .envelope(let type, let data) = message, let request = BridgeRequest(type: type, data: data),
                case .envelope(let again, let same) = request.message
            else { continue }
            #expect(BridgeRequest(type: again, data: same) == request)
        }
    }

    @Test("a code to scan survives its text, and a damaged pin is not taken for none")
    func code() throws {
        let hash = (0..<32).map { UInt8($0) }
        let code = BridgeCode(
            hosts: ["192.168.1.20", "fd00::7"],
            port: 9099,
            code: "0123456789abcdefABCDEF",
            keyHash: hash,
            name: "Ada's studio & co"
        )
        #expect(BridgeCode(text: code.text) == code)
        var clear = code
        clear.keyHash = nil
        #expect(BridgeCode(text: clear.text) == clear)
        var long = code
        long.name = String(repeating: "👩‍👩‍👧‍👦", count: 64)
        #expect(BridgeCode(text: long.text)?.name == String(repeating: "👩‍👩‍👧‍👦", count: 5))
        // What is read can be written, and is then the same.
        let foreign = code.text.replacing(/n=.*/, with: "n=\(String(repeating: "%C3%A9", count: 100))")
        let read = try #require(BridgeCode(text: foreign))
        #expect(read.name == String(repeating: "é", count: 64) && BridgeCode(text: read.text) == read)
        for text in [
            "", "https://pair?h=a&p=1&c=0123456789abcdef", "tandem-bridge://other?h=a&p=1&c=0123456789abcdef",
            "tandem-bridge://pair?h=&p=1&c=0123456789abcdef", "tandem-bridge://pair?h=a&p=0&c=0123456789abcdef",
            "tandem-bridge://pair?h=a&p=70000&c=0123456789abcdef", "tandem-bridge://pair?h=a&p=1&c=short",
            "tandem-bridge://pair?h=a/b&p=1&c=0123456789abcdef",
            "tandem-bridge://pair?h=a&p=1&c=0123456789abcdef&fp=00ff",
            "tandem-bridge://u@pair?h=a&p=1&c=0123456789abcdef",
        ] {
            #expect(BridgeCode(text: text) == nil, "\(text)")
        }
    }
}

extension Double {
    fileprivate var json: JSONValue { .number(self) }
}
