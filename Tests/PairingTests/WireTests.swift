import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import Testing

@Suite("The bytes of pairing", .timeLimit(.minutes(4)))
struct WireTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_060)

    /// As documented.
    private static let desktopQR = #"""
        {"type":"desktop-pairing","code":"482915","pcPeerId":"9f0c6a1be2d34775a1c0ffee00d15ea5",
         "deviceInfo":{"name":"studio-pc","platform":"linux","version":"5.0.3"},
         "timestamp":1790000000000,"signalingUrl":"ws://192.168.7.20:9001","relayUrl":"wss://relay.example.net",
         "iceServers":[{"urls":["stun:turn.example.net:3478"]},{"urls":["turn:turn.example.net:3478?transport=udp"],"username":"1790086400:9f0c...","credential":"b64=="}],
         "iceExpiry":1790086400}
        """#
    private static let deviceQR = #"""
        {"type":"device-pairing","code":"731604","did":"did:key:z6MkExampleA",
         "deviceInfo":{"deviceId":"b1d6c3a2-0000-4000-8000-00000000abcd","name":"My iPhone","platform":"ios"},"timestamp":1790000000000}
        """#

    @Test("the documented code of a computer is read whole")
    func desktopQR() throws {
        let qr = try DesktopPairingQR(scanned: Self.desktopQR, now: Self.now)
        #expect(qr.code.digits == "482915")
        #expect(qr.code.alias == "pairing-code:482915")
        #expect(qr.pcPeerID == "9f0c6a1be2d34775a1c0ffee00d15ea5")
        #expect(qr.deviceInfo == PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "5.0.3"))
        #expect(qr.signalingURL == "ws://192.168.7.20:9001")
        #expect(qr.relayURL == "wss://relay.example.net")
        #expect(qr.iceServers?.count == 2)
        #expect(qr.iceExpirySeconds == 1_790_086_400)
        #expect(qr.offer == nil)
        #expect(qr.expiresAt == Date(timeIntervalSince1970: 1_790_000_300))
    }

    @Test("the documented code of a phone is read whole")
    func deviceQR() throws {
        let qr = try DevicePairingQR(scanned: Self.deviceQR, now: Self.now)
        #expect(qr.code.digits == "731604")
        #expect(qr.did.text == "did:key:z6MkExampleA")
        #expect(qr.deviceInfo.deviceID == "b1d6c3a2-0000-4000-8000-00000000abcd")
    }

    @Test(
        "a computer's code holds the documented fields and the key offer, no ICE servers, and is short enough to scan"
    )
    func writtenDesktopQR() throws {
        let offer = QROffer(identity: Identity())
        let qr = try DesktopPairingQR(
            code: PairingCode("482915"),
            pcPeerID: "9f0c6a1be2d34775a1c0ffee00d15ea5",
            deviceInfo: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "5.0.3"),
            createdAt: Self.now,
            signalingURL: URL(string: "ws://192.168.7.20:9001"),
            relayURL: URL(string: "wss://relay.example.net"),
            offer: offer
        )
        #expect(
            qr.json == [
                "type": "desktop-pairing", "code": "482915", "pcPeerId": "9f0c6a1be2d34775a1c0ffee00d15ea5",
                "deviceInfo": ["name": "studio-pc", "platform": "linux"],
                "timestamp": 1_790_000_060_000, "signalingUrl": "ws://192.168.7.20:9001",
                "relayUrl": "wss://relay.example.net",
                "e2e": [
                    "v": 1, "pk": .string(Base64URL.encode(offer.agreementKey.bytes)),
                    "psk": .string(Base64URL.encode(offer.secret)),
                ],
            ]
        )
        #expect(qr.text.utf8.count < 400)
        #expect(try DesktopPairingQR(scanned: qr.text, now: Self.now) == qr)
    }

    @Test(
        "a computer's code is checked in the documented order, each failure with a reason of its own",
        arguments: [
            ("https://example.net/x", PairingError.notAPairingCode), ("[1]", .notAPairingCode),
            ("{}", .notAPairingCode),
            (#"{"type":"device-pairing"}"#, .wrongKindOfCode(found: "device-pairing")),
            (#"{"type":"desktop-pairing","code":"48291a"}"#, .codeNotSixDigits),
            (#"{"type":"desktop-pairing","code":482915}"#, .codeNotSixDigits),
            (#"{"type":"desktop-pairing","code":"482915"}"#, .missingDesktopID),
            (#"{"type":"desktop-pairing","code":"482915","pcPeerId":"a b"}"#, .missingDesktopID),
            (#"{"type":"desktop-pairing","code":"482915","pcPeerId":"pc"}"#, .codeExpired(ageSeconds: 1_790_000_060)),
            (
                #"{"type":"desktop-pairing","code":"482915","pcPeerId":"pc","timestamp":1789999759999}"#,
                .codeExpired(ageSeconds: 300)
            ),
            (
                #"{"type":"desktop-pairing","code":"482915","pcPeerId":"pc","timestamp":1790000361000}"#,
                .codeFromTheFuture(aheadSeconds: 301)
            ),
            (
                #"{"type":"desktop-pairing","code":"482915","pcPeerId":"pc","timestamp":-9223372036854775808}"#,
                .codeExpired(ageSeconds: .max)
            ),
            (
                #"{"type":"desktop-pairing","code":"482915","pcPeerId":"pc","timestamp":1790000000000,"e2e":{"v":1}}"#,
                .damagedCode(field: "e2e")
            ),
        ]
    )
    func refusedDesktopQR(text: String, error: PairingError) {
        #expect(throws: error) { try DesktopPairingQR(scanned: text, now: Self.now) }
    }

    @Test("exactly five minutes is not too old, and five minutes ahead is a clock that may be wrong")
    func boundaries() throws {
        for timestamp in [1_789_999_760_000, 1_790_000_360_000] {
            let text = #"{"type":"desktop-pairing","code":"482915","pcPeerId":"pc","timestamp":\#(timestamp)}"#
            #expect(try DesktopPairingQR(scanned: text, now: Self.now).pcPeerID == "pc")
        }
    }

    @Test(
        "a code that its maker ends by its own clock is read whatever this device's clock says, and the difference is kept",
        arguments: [
            (-600, PairingError.codeExpired(ageSeconds: 600)), (7200, .codeFromTheFuture(aheadSeconds: 7200)), (0, nil),
        ] as [(TimeInterval, PairingError?)]
    )
    func otherClock(shift: TimeInterval, doubt: PairingError?) throws {
        let offer = QROffer(identity: Identity())
        let computer = try DesktopPairingQR(
            code: PairingCode("482915"),
            pcPeerID: "pc",
            deviceInfo: PairingDeviceInfo(name: "studio-pc", platform: .linux),
            createdAt: Self.now.addingTimeInterval(shift),
            signalingURL: nil,
            relayURL: nil,
            offer: offer
        )
        #expect(try DesktopPairingQR(scanned: computer.text, now: Self.now).ageDoubt == doubt)
        // Without an offer the code is all there is.
        let text =
            #"{"type":"desktop-pairing","code":"482915","pcPeerId":"pc","timestamp":"#
            + "\(computer.createdAt.millisecondsSince1970)}"
        if let doubt {
            #expect(throws: doubt) { try DesktopPairingQR(scanned: text, now: Self.now) }
        } else {
            #expect(try DesktopPairingQR(scanned: text, now: Self.now).ageDoubt == nil)
        }
    }

    @Test("a text longer than 4 KiB is no code, whatever is in it")
    func tooLong() {
        let text = #"{"type":"desktop-pairing","x":""# + String(repeating: "x", count: 4096) + #""}"#
        #expect(throws: PairingError.notAPairingCode) { try DesktopPairingQR(scanned: text, now: Self.now) }
    }

    @Test("a phone's code without one of its fields is damaged", arguments: ["code", "did", "deviceInfo", "timestamp"])
    func missingField(field: String) throws {
        var members = try #require(try JSONValue(parsing: Self.deviceQR.utf8).objectValue)
        members[field] = nil
        let text = JSONValue.object(members).canonicalText
        #expect(throws: PairingError.damagedCode(field: field)) { try DevicePairingQR(scanned: text, now: Self.now) }
    }

    @Test(
        "documented frames are read and written back the same",
        arguments: [
            #"{"deviceInfo":{"deviceId":"b1d6c3a2-0000-4000-8000-00000000abcd","name":"My iPhone","platform":"ios"},"mobileDid":"did:key:z6MkExampleA","pairingCode":"482915","timestamp":1790000004321,"type":"pair-ack"}"#,
            #"{"deviceInfo":{"name":"studio-pc","platform":"linux","version":"5.0.3"},"pairingCode":"731604","pcPeerId":"9f0c","timestamp":1790000060000,"type":"pairing:confirmation"}"#,
            #"{"payload":{"iceExpiry":1790086400,"iceServers":[{"urls":["stun:a:1"],"x":{"y":null}}],"pcPeerId":"9f0c","timestamp":1790000005000},"type":"chainlesschain:ice:config"}"#,
            #"{"message":"The person at the other device declined.","pairingCode":"482915","reason":"declined","type":"pairing:reject"}"#,
            #"{"e2e":{"cp":{"n":"AAECAwQFBgcICQoLDA0ODw"},"v":1},"pairingCode":"482913","type":"pairing:e2e"}"#,
            #"{"deviceInfo":{"name":"Box","platform":"beos"},"mobileDid":"did:cc:1","pairingCode":"482915","timestamp":1,"type":"pair-ack","e2e":{"v":1,"hs":"AAEC"}}"#,
        ]
    )
    func frames(text: String) throws {
        let payload = try JSONValue(parsing: text.utf8)
        let message = try PairingMessage(parsing: payload)
        #expect(try message.payload == payload)
        #expect(try byFoundation(message, text) == payload)
        // Some programs send the payload as JSON text.
        #expect(try PairingMessage(parsing: .string(text)) == message)
        #expect(PairingMessageBus.owns(.string(text)))
    }

    /// The payload as Foundation's coders read and write it, and the parser reads that.
    private func byFoundation(_ message: PairingMessage, _ text: String) throws -> JSONValue {
        func again<Message: Codable & Equatable>(_ message: Message) throws -> JSONValue {
            let read = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
            #expect(read == message)
            return try JSONValue(parsing: JSONEncoder().encode(read))
        }
        return switch message {
        case .ack(let ack): try again(ack)
        case .confirmation(let confirmation): try again(confirmation)
        case .reject(let reject): try again(reject)
        case .exchange(let exchange): try again(exchange)
        case .withdrawal(let withdrawal): try again(withdrawal)
        case .iceConfiguration(let configuration): try again(configuration)
        }
    }

    @Test("a payload above 16 KiB is not read, and the ICE servers that a phone keeps are below it")
    func largePayloads() throws {
        let servers = JSONValue.array(
            (0..<16).map { number -> JSONValue in
                let host = "turn\(number).a-rather-long-name.example.net"
                return [
                    "urls": [
                        .string("stun:\(host):3478"), .string("turn:\(host):3478?transport=udp"),
                        .string("turn:\(host):3478?transport=tcp"), .string("turns:\(host):5349"),
                    ],
                    "username": .string("1790086400:" + String(repeating: "u", count: 64)),
                    "credential": .string(String(repeating: "c", count: 64)),
                ]
            }
        )
        func message(_ payload: JSONValue) throws -> PairingMessage {
            try PairingMessage(parsing: ["type": "chainlesschain:ice:config", "payload": payload])
        }
        let payload: JSONValue = ["pcPeerId": "9f0c", "iceServers": servers, "iceExpiry": .number(1.5), "timestamp": 1]
        guard case .iceConfiguration(let configuration) = try message(payload) else {
            Issue.record("no ICE configuration")
            return
        }
        #expect(configuration.iceServers == servers.arrayValue)
        #expect(configuration.expirySeconds == 1)
        #expect(throws: PairingError.malformedMessage(type: "chainlesschain:ice:config")) {
            try message(payload.adding("more", .string(String(repeating: "x", count: 16 * 1024))))
        }
    }

    @Test(
        "what a device says about itself is read member by member, and nothing else of it",
        arguments: [
            (#"{"name":"Box","platform":"beos","deviceId":77,"version":1e3,"more":[[[0,{"a":null}]]]}"#, "Box"),
            (#"{"name":7,"platform":"beos","deviceId":"77","version":"1000"}"#, "7"),
            (#"{"name":["Box"],"platform":"beos","deviceId":77.0,"version":1000}"#, ""),
        ]
    )
    func deviceInfo(text: String, name: String) throws {
        let info = try JSONValue(parsing: text.utf8)
        let payload: JSONValue = ["type": "pair-ack", "pairingCode": "482915", "mobileDid": "m", "deviceInfo": info]
        guard case .ack(let ack) = try PairingMessage(parsing: payload) else {
            Issue.record("no ack")
            return
        }
        let expected = PairingDeviceInfo(deviceID: "77", name: name, platform: .other("beos"), version: "1000")
        #expect(ack.deviceInfo == expected)
        #expect(ack.sentAtMilliseconds == 0)
    }

    @Test("a device that says nothing about itself has no name", arguments: ["null", "[]", "7", "true", #""Box""#])
    func noDeviceInfo(text: String) throws {
        let info = try JSONValue(parsing: text.utf8)
        let payload: JSONValue = ["type": "pair-ack", "pairingCode": "482915", "mobileDid": "m", "deviceInfo": info]
        guard case .ack(let ack) = try PairingMessage(parsing: payload) else {
            Issue.record("no ack")
            return
        }
        #expect(ack.deviceInfo == PairingDeviceInfo(name: "", platform: .other("")))
    }

    @Test("the bus takes pairing messages, well-formed or not, and leaves everything else")
    func bus() async {
        let bus = PairingMessageBus()
        var events = bus.events().makeAsyncIterator()
        #expect(
            !bus.intercept(["type": "chainlesschain:command:request", "payload": [:]], from: "did:key:z6MkExampleA")
        )
        #expect(!bus.intercept("hello", from: nil))
        #expect(bus.intercept(["type": "pair-ack"], from: "x"))
        #expect(await events.next() == .malformed(.malformedMessage(type: "pair-ack"), from: "x"))
    }

    @Test(
        "what a peer calls itself loses what a shell or a terminal would act on",
        arguments: [
            ("My iPhone", "My iPhone"), ("a`rm -rf /`$(x);b", "arm -rf /xb"), ("\u{1B}[31mred\u{7}", "31mred"),
            ("\u{202E}gnp.exe", "gnp.exe"), ("", "Unnamed device"), ("安卓手机", "安卓手机"),
        ]
    )
    func names(text: String, name: String) {
        #expect(PeerText.name(text) == name)
    }

    @Test("identifiers are what the documented pattern says", arguments: ["did:key:z6Mk", "a@b.c#1", "", "mobile-1"])
    func identifiers(text: String) {
        #expect(PeerText.isIdentifier(text))
        #expect(!PeerText.isIdentifier(text + "$(x)"))
        #expect(!PeerText.isIdentifier(text + String(repeating: "x", count: 257)))
    }

    @Test(
        "an address is safe with TLS anywhere, and without only close by",
        arguments: [
            "wss://relay.example.net", "ws://192.168.7.20:9001", "ws://10.0.0.1", "ws://127.0.0.1:9001",
            "ws://[::1]:9001",
            "ws://[fe80::1]:9001", "ws://studio.local:9001", "ws://localhost", "ws://172.31.0.1", "ws://100.100.0.1",
        ]
    )
    func safeAddress(text: String) throws {
        #expect(try SignalingAddress(text).description == text)
    }

    @Test(
        "other addresses are refused",
        arguments: [
            "ws://203.0.113.7:9001", "ws://relay.example.net", "http://192.168.7.20", "ws://172.32.0.1",
            "ws://3232235777",
            "ws://192.168.1", "ws://0300.0250.0.1", "wss://user:pass@relay.example.net", "", "ws://",
            "ws://localhost.example.net", "javascript:alert(1)",
        ]
    )
    func unsafeAddress(text: String) {
        #expect(throws: PairingError.self) { try SignalingAddress(text) }
    }

    @Test("what a computer says that it allows is read with its names in any order and number")
    func allowed() throws {
        let text = #"{"type":"tandem:rights","payload":{"at":1790000000000,"rights":["clipboard","file.read"]}}"#
        let allowed = AllowedRights(["file.read", "clipboard"], saidAt: Date(timeIntervalSince1970: 1_790_000_000))
        #expect(try AllowedRights(message: JSONValue(parsing: text.utf8)) == allowed)
        #expect(try allowed.message == JSONValue(parsing: text.utf8))
        let names = (0..<300).map { JSONValue.string("right\($0)") }
        func read(_ names: [JSONValue]) -> AllowedRights? {
            AllowedRights(message: ["type": "tandem:rights", "payload": ["rights": .array(names)], "more": 1])
        }
        #expect(read(names)?.rights.count == 256)
        #expect(read(["file", "Not a name", 7, "later.kind"])?.rights == ["file.read", "file.write", "later.kind"])
        #expect(read([])?.rights == [])
        #expect(AllowedRights(message: ["type": "tandem:rights", "payload": [:]]) == nil)
        #expect(AllowedRights(message: ["type": "tandem:addresses", "payload": ["rights": []]]) == nil)
    }

    @Test("TURN credentials are what coturn checks: HMAC-SHA1 over expiry and user")
    func turn() {
        let provider = IceServersProvider(turnHost: "turn.example.net", turnSecret: Array("north-secret".utf8))
        let servers = provider.servers(for: "9f0c", now: Date(timeIntervalSince1970: 1_790_000_000))
        #expect(servers.expirySeconds == 1_790_086_400)
        #expect(servers.list.first == ["urls": ["stun:turn.example.net:3478"]])
        #expect(servers.list.count == 4)
        #expect(servers.list.last?["username"] == "1790086400:9f0c")
        // printf '1790086400:9f0c' | openssl dgst -sha1 -hmac north-secret -binary | base64
        #expect(servers.list.last?["credential"] == "o1uHNYTGLsDFv70yDeyXbSxDJhQ=")
        let stunOnly = IceServersProvider().servers(for: "9f0c", now: Date(timeIntervalSince1970: 1_790_000_000))
        #expect(stunOnly.expirySeconds == 0)
        #expect(
            stunOnly.list == [["urls": ["stun:stun.l.google.com:19302"]], ["urls": ["stun:stun1.l.google.com:19302"]]]
        )
    }
}
