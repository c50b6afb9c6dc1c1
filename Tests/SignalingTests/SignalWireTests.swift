import Foundation
import Kernel
import Testing

@testable import Signaling

@Suite("The signaling wire", .timeLimit(.minutes(4)))
struct SignalWireTests {
    private func server(_ text: String) throws -> SignalServerFrame {
        SignalServerFrame(try JSONValue(parsing: Array(text.utf8)))
    }

    @Test(
        "every observed shape of registered is understood",
        arguments: [
            (#"{"type":"registered","peerId":"a","serverTime":5}"#, false, false),
            (#"{"type":"registered","peerId":"a","serverTime":5,"isReconnect":false}"#, false, false),
            (#"{"type":"registered","peerId":"a","e2e":{"v":1,"proven":true,"binary":true}}"#, true, true),
            (#"{"type":"registered","peerId":"a","e2e":{"v":1}}"#, true, false),
        ]
    )
    func registered(text: String, isTandem: Bool, hasBinary: Bool) throws {
        guard case .registered(let answer) = try server(text) else {
            Issue.record("not registered")
            return
        }
        #expect(answer.peerID == "a")
        #expect(answer.isTandem == isTandem)
        #expect(answer.isProven == hasBinary)
        #expect(answer.hasBinary == hasBinary)
    }

    @Test("a forwarded message keeps sender, payload and time")
    func message() throws {
        let text =
            #"{"type":"message","from":"did:key:z6MkExampleA","payload":{"type":"hello"},"timestamp":1790000000456}"#
        #expect(
            try server(text)
                == .received(
                    ReceivedMessage(
                        from: "did:key:z6MkExampleA",
                        payload: ["type": "hello"],
                        timestamp: 1_790_000_000_456
                    )
                )
        )
    }

    @Test("a sender that was not registered has no id", arguments: [#""from":null,"#, ""])
    func anonymous(from: String) throws {
        let frame = try server(#"{"type":"message",\#(from)"payload":"text"}"#)
        #expect(frame == .received(ReceivedMessage(from: nil, payload: "text")))
    }

    @Test("a stored message is unwrapped and keeps its kind")
    func stored() throws {
        let text = #"""
            {"type":"offline-message","originalMessage":{"type":"offer","to":"me","from":"a","offer":{"type":"offer","sdp":"v=0"}},
            "storedAt":1790000000000,"deliveredAt":1790000009999}
            """#
        let storage = ReceivedMessage.Storage(storedAt: 1_790_000_000_000, deliveredAt: 1_790_000_009_999)
        #expect(
            try server(text)
                == .received(
                    ReceivedMessage(
                        from: "a",
                        kind: .offer,
                        payload: ["offer": ["type": "offer", "sdp": "v=0"]],
                        storage: storage
                    )
                )
        )
    }

    @Test("an offer is understood at the top level and nested in a message")
    func bothForms() throws {
        let top = try server(#"{"type":"offer","from":"a","offer":{"sdp":"v=0"},"sdp":"v=0","timestamp":3}"#)
        #expect(
            top
                == .received(
                    ReceivedMessage(
                        from: "a",
                        kind: .offer,
                        payload: ["offer": ["sdp": "v=0"], "sdp": "v=0"],
                        timestamp: 3
                    )
                )
        )
        let nested = try server(#"{"type":"message","from":"a","payload":{"type":"offer","offer":{"sdp":"v=0"}}}"#)
        #expect(
            nested
                == .received(
                    ReceivedMessage(from: "a", kind: .offer, payload: ["offer": ["sdp": "v=0"]], form: .nested)
                )
        )
    }

    @Test("a pairing confirmation inside a message stays a message")
    func nestedPairing() throws {
        let frame = try server(#"{"type":"message","from":"a","payload":{"type":"pairing:confirmation","code":1}}"#)
        #expect(
            frame == .received(ReceivedMessage(from: "a", payload: ["type": "pairing:confirmation", "code": 1]))
        )
    }

    @Test("both shapes of peer-offline, and the binary one")
    func offline() throws {
        guard
            case .peerOffline(let standalone) = try server(
                #"{"type":"peer-offline","peerId":"pc-77","messageId":"5d1e"}"#
            ),
            case .peerOffline(let embedded) = try server(
                #"{"type":"peer-offline","peerId":"pc-77","messageType":"message","timestamp":4}"#
            ),
            case .peerOffline(let binary) = try server(
                #"{"type":"peer-offline","peerId":"pc-77","messageType":"binary","route":9,"timestamp":4}"#
            )
        else {
            Issue.record("not peer-offline")
            return
        }
        #expect(standalone.messageID == "5d1e" && standalone.messageType == nil)
        #expect(embedded.messageType == "message" && embedded.timestamp == 4)
        #expect(binary.route == 9)
    }

    @Test("presence, lists, errors and the rest are typed")
    func others() throws {
        guard
            case .peerStatus(let status) = try server(
                #"{"type":"peer-status","peerId":"pc","status":"online","deviceType":"DESKTOP","deviceInfo":{"name":"N"}}"#
            ),
            case .peerStatus(let answer) = try server(
                #"{"type":"peer-status-response","peerId":"pc","status":"offline","timestamp":1}"#
            ),
            case .peers(let peers) = try server(
                #"{"type":"peers-list","peers":[{"peerId":"pc","deviceType":"desktop","connectedAt":7},{"x":1},{"peerId":5}],"count":3}"#
            ),
            case .failure(let failure) = try server(
                #"{"type":"error","error":"No","code":"key-mismatch","timestamp":1}"#
            )
        else {
            Issue.record("not typed")
            return
        }
        #expect(status.isOnline && status.device?.category == .desktop && status.device?.name == "N")
        #expect(!answer.isOnline && answer.device == nil)
        #expect(peers.map(\.peerID) == ["pc", "5"])
        #expect(failure.text == "No" && failure.code == .keyMismatch)
        #expect(try server(#"{"type":"pong","timestamp":2}"#) == .pong(timestamp: 2))
        #expect(try server(#"{"type":"kicked","reason":"r"}"#) == .kicked(reason: "r"))
        #expect(try server(#"{"type":"server-shutdown","message":"m"}"#) == .shutdown(text: "m"))
        #expect(
            try server(#"{"type":"offer-pending","peerId":"pc","message":"m"}"#)
                == .offerPending(peerID: "pc", text: "m")
        )
        #expect(try server(#"{"type":"route","from":"pc","route":3}"#) == .route(from: "pc", number: 3))
        #expect(
            try server(#"{"type":"route","to":"pc","route":3,"refused":true}"#) == .routeRefused(to: "pc", number: 3)
        )
    }

    @Test(
        "a frame of another version, or one that lacks what it needs, survives as unknown",
        arguments: [
            #"{"type":"later","x":1}"#, #"{"type":"peer-offline"}"#, #"{"type":"challenge","nonce":"?"}"#,
            #"{"type":"offline-message"}"#, #"{"type":"route","route":-1,"from":"a"}"#, #"{"type":7}"#, "[]", "null",
        ]
    )
    func unknown(text: String) throws {
        let json = try JSONValue(parsing: Array(text.utf8))
        #expect(SignalServerFrame(json) == .unknown(type: json["type"]?.stringValue, json))
    }

    @Test("what we write is the documented shape, to the byte")
    func emitted() {
        let device = SignalDevice(category: .mobile, name: "N", platform: "ios", version: "1", role: "pairing-listener")
        let register = SignalRegistration(peerID: "did:key:z6MkA", device: device)
        #expect(
            SignalClientFrame.register(register).text
                == #"{"deviceInfo":{"name":"N","platform":"ios","role":"pairing-listener","version":"1"},"deviceType":"mobile","peerId":"did:key:z6MkA","type":"register"}"#
        )
        let claim = SignalRegistration.Claim(key: "did:key:z6MkA", nonce: [1, 2], signature: [255])
        #expect(
            SignalClientFrame.register(SignalRegistration(peerID: "a", device: nil, claim: claim)).text
                == #"{"e2e":{"key":"did:key:z6MkA","nonce":"AQI","sig":"_w","v":1},"peerId":"a","type":"register"}"#
        )
        #expect(
            SignalClientFrame.forward(SignalMessage(to: "pc", payload: "hi")).text
                == #"{"payload":"hi","to":"pc","type":"message"}"#
        )
        #expect(
            SignalClientFrame.forward(SignalMessage(to: "pc", payload: "no", makesContact: false)).text
                == #"{"contact":false,"payload":"no","to":"pc","type":"message"}"#
        )
        let answer = SignalMessage(to: "pc", kind: .answer, payload: ["answer": ["sdp": "v=0"]])
        #expect(SignalClientFrame.forward(answer).text == #"{"answer":{"sdp":"v=0"},"to":"pc","type":"answer"}"#)
        var nested = answer
        nested.form = .nested
        #expect(
            SignalClientFrame.forward(nested).text
                == #"{"payload":{"answer":{"sdp":"v=0"},"type":"answer"},"to":"pc","type":"message"}"#
        )
        #expect(SignalClientFrame.route(to: "pc", number: 4).text == #"{"route":4,"to":"pc","type":"route"}"#)
        #expect(SignalClientFrame.getPeers.text == #"{"type":"get-peers"}"#)
        #expect(SignalClientFrame.peerStatus("a").text == #"{"peerId":"a","type":"peer-status"}"#)
        #expect(SignalClientFrame.ping(timestamp: 6).text == #"{"timestamp":6,"type":"ping"}"#)
    }

    @Test("a client's frames are read back as they were written")
    func clientFrames() throws {
        let frames: [SignalClientFrame] = [
            .register(SignalRegistration(peerID: "a", device: SignalDevice(category: .desktop))),
            .forward(SignalMessage(to: "b", payload: ["type": "x"])),
            .forward(SignalMessage(to: "b", kind: .iceCandidates, payload: ["candidates": []])),
            .getPeers, .peerStatus(nil), .ping(timestamp: 1), .route(to: "b", number: 1023),
        ]
        for frame in frames { #expect(SignalClientFrame(frame.json) == frame) }
        let number = SignalClientFrame(["type": "register", "peerId": 42])
        #expect(number == .register(SignalRegistration(peerID: "42", device: nil)))
    }

    @Test("a binary frame has its fields where the protocol puts them")
    func binary() {
        let frame = SignalBinaryFrame(flags: 0xAB, sequence: 0x0102_0304_0506_0708, ciphertext: [9, 9])
        let bytes = frame.header(route: 0x0A0B_0C0D) + frame.ciphertext
        #expect(bytes == [1, 0xAB, 0x0A, 0x0B, 0x0C, 0x0D, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9])
        #expect(SignalBinaryFrame(bytes) == frame)
        #expect(SignalBinaryFrame.route(of: bytes) == 0x0A0B_0C0D)
        #expect(SignalBinaryFrame(Array(bytes.prefix(14))) == nil)
        #expect(SignalBinaryFrame(Array("{\"type\":\"pong\"}".utf8)) == nil)
    }

    @Test(
        "plain sockets go to the local network only",
        arguments: [
            ("ws://localhost:9001", true), ("ws://127.0.0.1", true), ("ws://192.168.1.20:9001/", true),
            ("ws://10.0.0.1", true), ("ws://172.16.3.4", true), ("ws://172.32.0.1", false), ("ws://[::1]:9001", true),
            ("ws://[fe80::1]", true), ("ws://[fd00::5]", true), ("ws://[2001:db8::1]", false),
            ("ws://desk.local", true),
            ("ws://8.8.8.8", false), ("ws://example.com", false), ("ws://192.168.1.20.example.com", false),
            ("ws://10.example", false), ("wss://example.com", true), ("http://localhost", false), ("wss://", false),
        ]
    )
    func policy(text: String, isAllowed: Bool) throws {
        let url = try #require(URL(string: text))
        let isDialled = (try? SignalURLPolicy().check(url)) != nil
        #expect(isDialled == isAllowed)
        if text.hasPrefix("ws://") {
            #expect(throws: Never.self) { try SignalURLPolicy(allowsPlainAnywhere: true).check(url) }
        }
    }
}
