import Bridge
import Capabilities
import CommandServer
import Control
import Crypto
import Foundation
import Kernel
import KernelTesting
import NIOCore
import NIOPosix
import Pairing
import Principals
import Rights
import RouteServer
import Storage
import TandemDesktop
import Testing
import Transport

@testable import BridgeHost

@Suite("The bridge's server", .timeLimit(.minutes(2)))
struct BridgeServerTests {
    @Test("one port serves ws and wss, and the key is the one that is told")
    func tls() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            let client = try await scene.open(secure: true)
            try await client.send(#"{"token":"\#(token)"}"#)
            #expect(try await client.next() == #"{"type":"HelloAck","token":"\#(token)"}"#)
            try await client.send(#"{"type":"bell.large.request","data":{"n":400000,"request_id":1}}"#)
            #expect(try #require(try await client.next()).utf8.count > 400_000)
            let plain = try await scene.proven(token)
            var status = try await scene.status()
            #expect(status.sockets == 2)
            #expect(status.port == scene.port && status.plain && status.problem == nil)
            // A client that nobody holds closes its socket.
            withExtendedLifetime([client, plain]) {}
            #expect(status.fingerprint == scene.bridge.keyHash.map(Hexadecimal.encode))
            status.refused = [:]
            var stranger = WebSocketConfiguration()
            stranger.trust = .publicKey(sha256: [UInt8](repeating: 7, count: 32))
            let url = try #require(URL(string: "wss://127.0.0.1:\(scene.port)"))
            await #expect(throws: WebSocketError.self) {
                try await WebSocketConnection.connect(to: url, configuration: stranger)
            }
        }
    }

    @Test("what commands and programs are told has the same names for ever")
    func shapes() async throws {
        try await BridgeScene.run { scene in
            func names(_ value: some Encodable) throws -> [String] {
                try JSONValue(encoding: value).objectValue?.keys.sorted() ?? []
            }
            #expect(
                try names(try await scene.status()) == [
                    "address", "fingerprint", "plain", "port", "problem", "refused", "sockets", "tokens", "unproven",
                ]
            )
            let new = NewBridgeToken(name: "Ada")
            let given = try await scene.desktop.control.call(BridgeControl.newToken, new)
            #expect(try names(given) == ["entry", "expiresAt", "payload", "rights", "token"])
            let entry = try #require(try await scene.tokens().first)
            #expect(
                try names(entry) == ["address", "createdAt", "id", "lastSeenAt", "name", "rights", "sockets"]
            )
        }
    }

    @Test("a certificate of our own making is whole before and after 2050", arguments: [1_790_000_000, 2_530_000_000])
    func certificate(date: Double) throws {
        let key = P256.Signing.PrivateKey()
        let date = Date(timeIntervalSince1970: date)
        let identity = try SelfSignedCertificate.identity(for: key, name: "bridge", now: date)
        #expect(identity.keyHash == Array(SHA256.hash(data: key.publicKey.derRepresentation)))
    }

    @Test("the key lasts as long as the folder that it is kept in")
    func key() async throws {
        let folder = try StateFolder(FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
        defer { try? FileManager.default.removeItem(at: folder.url) }
        let first = try BridgeFeature.key(in: folder)
        #expect(try BridgeFeature.key(in: folder).rawRepresentation == first.rawRepresentation)
        let path = folder.keysURL.appending(path: "bridge-tls.pem").path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("pages of other sites and foreign names are refused before there is a socket")
    func foreign() async throws {
        let settings: [String: JSONValue] = ["bridgeOrigins": "https://ok.example", "bridgeNames": "desk.example"]
        try await BridgeScene.run(.init(settings: settings)) { scene in
            func status(_ head: String) async throws -> String {
                let socket = try await RawTCP(port: scene.port)
                let request = """
                    GET /any/path HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\(head)\r\n\r\n
                    """
                try await socket.send(Array(request.utf8))
                return String(try await socket.head().split(separator: " ").dropFirst().first ?? "")
            }
            #expect(try await status("Host: 127.0.0.1:\(scene.port)") == "101")
            #expect(try await status("Host: localhost:9099") == "101")
            #expect(try await status("Host: studio-pc.local") == "101")
            #expect(try await status("Host: studio.tail1.ts.net:9099") == "101")
            #expect(try await status("Host: desk.example") == "101")
            #expect(try await status("Host: evil.example:\(scene.port)") == "421")
            #expect(try await status("Host: evil.example\r\nOrigin: http://evil.example") == "421")
            #expect(try await status("Host: 127.0.0.1:9099\r\nOrigin: https://evil.example") == "403")
            #expect(try await status("Host: 127.0.0.1:9099\r\nOrigin: null") == "403")
            #expect(try await status("Host: 127.0.0.1:9099\r\nOrigin: https://ok.example") == "101")
            #expect(try await status("Host: 127.0.0.1:9099\r\nOrigin: http://127.0.0.1:9099") == "101")
            let twice = "Origin: http://127.0.0.1:9099\r\nOrigin: https://evil.example"
            #expect(try await status("Host: 127.0.0.1:9099\r\n\(twice)") == "403")
            #expect(try await status("Host: 127.0.0.1:9099\r\nHost: 127.0.0.1:9099") == "400")
            for host in ["a@x.local", "evil/.local", "evil#.local", "127.0.0.1:junk", "[::1]junk", "[x.local]"] {
                #expect(try await status("Host: \(host)") == "421", "\(host)")
            }
            #expect(try await scene.status().refused == ["host": 8, "origin": 3])
            let plain = try await RawTCP(port: scene.port)
            try await plain.send(Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
            #expect(try await plain.head().hasPrefix("HTTP/1.1 426 "))
        }
    }

    @Test("who may come without TLS, and from where")
    func plain() {
        var rules = BridgeRules()
        func refusal(_ remote: String, _ local: String, secure: Bool = false) -> BridgeRules.Refusal? {
            rules.refusal(
                RequestClaims(host: .one("192.168.1.2:9099")),
                isSecure: secure,
                from: NetworkAddress(text: remote),
                on: RequestConnection(local: NetworkAddress(text: local), port: 9099, now: 1)
            )
        }
        for remote in ["192.168.1.7", "10.0.0.7", "169.254.3.4", "100.64.0.9", "fe80::1", "fd00::2", "::ffff:10.0.0.1"]
        {
            #expect(refusal(remote, "192.168.1.2") == nil, "\(remote)")
        }
        #expect(refusal("203.0.113.7", "192.168.1.2") == .plain)
        #expect(refusal("192.168.1.7", "203.0.113.7") == .plain)
        #expect(refusal("203.0.113.7", "203.0.113.8", secure: true) == nil)
        rules = BridgeRules(allowsPlain: false)
        #expect(refusal("192.168.1.7", "192.168.1.2") == .plain)
        #expect(refusal("192.168.1.7", "192.168.1.2", secure: true) == nil)
        #expect(refusal("127.0.0.1", "127.0.0.1") == nil)
    }

    @Test("the oldest of many connections that prove nothing gives way, and an honest client comes through")
    func places() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            let honest = try await scene.proven(token)
            var sockets: [RawTCP] = []
            for _ in 0..<40 { sockets.append(try await RawTCP(port: scene.port)) }
            for socket in sockets.prefix(40 - BridgePlaces.addressLimit) { await socket.ended() }
            _ = try await scene.proven(token)
            #expect(try await scene.status().unproven <= BridgePlaces.addressLimit)
            try await honest.send(#"{"type":"Ping"}"#)
            #expect(try await honest.next() == #"{"type":"Pong"}"#)
            withExtendedLifetime(sockets) {}
        }
    }

    @Test("a device right behind many silent connections of its address comes in")
    func behindSilentConnections() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            var sockets: [RawTCP] = []
            for _ in 0..<120 { sockets.append(try await RawTCP(port: scene.port)) }
            let device = try await scene.proven(token)
            try await device.send(#"{"type":"Ping"}"#)
            #expect(try await device.next() == #"{"type":"Pong"}"#)
            withExtendedLifetime(sockets) {}
        }
    }

    @Test("a port that is taken is said, and tried again")
    func takenPort() async throws {
        let clock = ManualClock()
        let taken = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        try await BridgeScene.run(.init(time: clock, port: port)) { scene in
            let status = try await scene.status()
            #expect(status.port == nil)
            #expect(status.problem?.contains("does not listen on port \(port) of 127.0.0.1") == true)
            #expect(status.problem?.contains("Another program uses the port") == true)
            let check = try #require(await scene.bridge.checks().first)
            #expect(!check.works && !check.isNeeded && check.detail == status.problem)
            #expect(check.reason == "bridgePortTaken")
            #expect(check.values == ["port": .integer(Int64(port)), "address": "127.0.0.1"])
            await #expect(throws: BridgeError.notListening) {
                try await scene.desktop.control.call(BridgeControl.newToken, NewBridgeToken(code: true))
            }
            try await taken.close()
            await clock.sleeper(for: DesktopWebSocketServer.retryInterval)
            clock.advance(by: DesktopWebSocketServer.retryInterval)
            for await state in try #require(scene.bridge.server).states() where state == .listening(port: port) {
                break
            }
            _ = try await scene.proven(try await scene.token().text)
        }
    }

    @Test("a port that only this machine reaches is known as such, and not announced")
    func onlyThisMachine() {
        for address in ["127.0.0.1", "127.1.2.3", "::1", "localhost"] {
            #expect(BridgeListening(address: address).isOnlyThisMachine, "\(address)")
        }
        for address in ["0.0.0.0", "::", "192.168.1.2", "fd00::2", "studio-pc"] {
            #expect(!BridgeListening(address: address).isOnlyThisMachine, "\(address)")
        }
    }

    @Test("it is announced with what a phone compares with its picture")
    func announced() async throws {
        let advertiser = RememberingAdvertiser()
        try await BridgeScene.run(.init(advertiser: advertiser)) { scene in
            for await found in advertiser.found.values() {
                guard let found else { continue }
                #expect(found.type == "_openagents._tcp" && found.name == "studio-pc")
                #expect(Int(found.port) == scene.port)
                let print = Hexadecimal.encode(try #require(scene.bridge.keyHash).prefix(8))
                #expect(found.text == ["id=\(scene.desktop.device.deviceID)", "v=2", "tls=1", "fp=\(print)"])
                break
            }
        }
    }
}

final class RememberingAdvertiser: ServiceAdvertiser {
    let found = LatestValue<ServiceAdvertisement?>(nil)

    func advertise(_ advertisement: ServiceAdvertisement) async {
        found.set(advertisement)
        while await SystemTime().pause(for: .seconds(3600)) {}
    }

    func states() -> AsyncStream<AdvertiserState> { AsyncStream { $0.finish() } }
}

@Suite("Addresses of the bridge's clients")
struct BridgeAddressTests {
    @Test("guesses of an IPv6 host count for its network, and those of this machine for nobody")
    func sources() {
        func source(_ text: String) -> GuessThrottle.Source { NetworkAddress(text: text).guessSource }
        #expect(source("2001:db8::1") == source("2001:db8::ffff"))
        #expect(source("2001:db8::1") != source("2001:db8:0:1::1"))
        #expect(source("::ffff:192.0.2.7") == .of("192.0.2.7"))
        for text in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] { #expect(source(text) == .exempt, "\(text)") }
    }

    @Test("a client without an address counts as the internet")
    func unknown() {
        let address: NetworkAddress? = nil
        #expect(!address.isPrivate && !address.isLoopback)
        #expect(address.guessSource == .of(""))
    }
}
