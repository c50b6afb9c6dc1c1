import CoreMetrics
import Crypto
import Foundation
import GRDB
import Kernel
import Sealing
import SignalingServer
import Testing
import Transport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTP and TLS on the same port", .timeLimit(.minutes(5)))
struct HTTPTests {
    struct Answer {
        let status: Int
        let text: String

        // Null fails the expectation that reads it.
        var json: JSONValue { (try? JSONValue(parsing: text.utf8)) ?? .null }
    }

    static func get(_ path: String, _ server: TestServer, authorization: String? = nil) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")))
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        return Answer(
            status: (response as? HTTPURLResponse)?.statusCode ?? 0,
            text: String(decoding: data, as: UTF8.self)
        )
    }

    @Test("health and statistics have the observed fields")
    func health() async throws {
        try await withServer {
            $0.version = "7.8.9"
        } _: { server in
            let peer = try await server.peer("a")
            try await peer.send(["type": "message", "to": "a", "payload": 1])
            try await peer.expectType("message")
            try await peer.send(["type": "message", "to": "away", "payload": 1])
            try await peer.expectType("peer-offline")
            for path in ["/health", "/"] {
                let health = try await Self.get(path, server)
                #expect(health.status == 200)
                #expect(health.json["status"] == "healthy")
                #expect(health.json["service"] == "signaling-server")
                #expect(health.json["version"] == "7.8.9")
                #expect(health.json["connections"] == ["current": 1, "total": 1])
                #expect(health.json["messages"]?["offlineQueued"] == 1)
                // A browser takes a time without a zone for its own.
                let time = try #require(health.json["timestamp"]?.stringValue)
                #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
            }
            let statistics = try await Self.get("/stats", server)
            #expect(
                Set(statistics.json.objectValue?.keys ?? [:].keys) == [
                    "totalConnections", "currentConnections", "messagesForwarded", "offlineMessagesStored",
                    "offlineMessagesQueued", "startTime",
                ]
            )
            #expect(statistics.json["offlineMessagesStored"] == 1)
            let missing = try await Self.get("/nothing", server)
            #expect(missing.status == 404)
            #expect(missing.text == "Not Found")
        }
    }

    @Test("metrics are Prometheus text")
    func metrics() async throws {
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        try await withServer(database: try signalingDatabase(), metrics: metrics) { server in
            _ = try await server.peer("a")
            let text = try await Self.get("/metrics", server).text
            #expect(text.contains("# TYPE signaling_frames_forwarded_total counter\n"))
            #expect(text.contains("\nsignaling_connections_open "))
            #expect(text.contains("# TYPE signaling_connections_open gauge\n"))
            let typed = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE signaling_") }.map {
                $0.split(separator: " ")[2]
            }
            #expect(!typed.isEmpty)
            for name in typed { #expect(text.contains("# HELP \(name) "), "\(name) is not described") }
        }
        let labelled = metrics.makeTimer(label: "wait.time", dimensions: [("kind", "a\"b")])
        labelled.recordNanoseconds(1_500_000_000)
        #expect(
            metrics.text().contains(
                "wait_time_seconds_sum{kind=\"a\\\"b\"} 1.5\nwait_time_seconds_count{kind=\"a\\\"b\"} 1\n"
            )
        )
    }

    @Test("TURN credentials are coturn's, and only for a registered device that signs")
    func turn() async throws {
        try await withServer {
            $0.turn = TURNConfiguration(host: "turn.example", secret: Array("shh".utf8))
        } _: { server in
            let identity = Identity()
            let target = "/turn-credentials?uid=pc-77"
            let host = "127.0.0.1:\(server.port)"
            func header(_ identity: Identity, target: String, now: Date = Date()) throws -> String {
                try RequestProof.header(identity: identity, method: "GET", target: target, host: host, now: now)
            }
            #expect(try await Self.get(target, server).status == 401)
            #expect(try await Self.get(target, server, authorization: header(identity, target: target)).status == 403)

            let peer = try await server.connect()
            try await peer.register("pc-77", proving: identity, host: peer.connection.host)
            try await peer.expectType("registered")
            let answer = try await Self.get(target, server, authorization: header(identity, target: target))
            #expect(answer.status == 200)
            let relay = try #require(answer.json["iceServers"]?.arrayValue?.last)
            let username = try #require(relay["username"]?.stringValue)
            let expiry = try #require(answer.json["expiry"]?.integerValue)
            #expect(username == "\(expiry):pc-77")
            let code = HMAC<Insecure.SHA1>.authenticationCode(
                for: Data(username.utf8),
                using: SymmetricKey(data: Data("shh".utf8))
            )
            #expect(relay["credential"]?.stringValue == Data(code).base64EncodedString())
            #expect(answer.json["ttl"] == 86_400)

            #expect(try await Self.get(target, server, authorization: header(Identity(), target: target)).status == 403)
            let other = "/turn-credentials?uid=other"
            #expect(try await Self.get(other, server, authorization: header(identity, target: other)).status == 403)
            #expect(try await Self.get(other, server, authorization: header(identity, target: target)).status == 401)
            let old = try header(identity, target: target, now: Date(timeIntervalSinceNow: -61))
            #expect(try await Self.get(target, server, authorization: old).status == 401)
            let bad = "/turn-credentials?uid=%0A"
            #expect(try await Self.get(bad, server, authorization: header(identity, target: bad)).status == 400)
        }
    }

    @Test("the TURN secret comes from the environment or a file, and its absence is said")
    func turnSecret() throws {
        #expect(try TURNConfiguration(environment: [:]) == nil)
        #expect(
            try TURNConfiguration(environment: ["TANDEM_TURN_HOST": "t", "TANDEM_TURN_SECRET": "s"])?.secret == [0x73]
        )
        #expect(throws: SignalingServerError.noTURNSecret(path: nil)) {
            try TURNConfiguration(environment: ["TANDEM_TURN_HOST": "t"])
        }
        #expect(throws: SignalingServerError.noTURNSecret(path: "/nowhere")) {
            try TURNConfiguration(environment: ["TANDEM_TURN_HOST": "t", "TANDEM_TURN_SECRET_FILE": "/nowhere"])
        }
    }

    @Test("TLS with the certificate of the files, and another one after a reload")
    func tls() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a test's leftovers harm nobody
        let files = TLSFiles(certificate: folder.appending(path: "cert.pem"), key: folder.appending(path: "key.pem"))
        @Sendable func install(_ name: String) throws -> [UInt8] {
            let source = try #require(Bundle.module.url(forResource: "Fixtures/tls", withExtension: nil))
            let certificate = try Data(contentsOf: source.appending(path: "\(name)-cert.pem"))
            try certificate.write(to: files.certificate)
            try Data(contentsOf: source.appending(path: "\(name)-key.pem")).write(to: files.key)
            return Array(certificate)
        }
        let first = try install("first")
        try await withServer {
            $0.tls = files
        } _: { server in
            let url = try #require(URL(string: "wss://127.0.0.1:\(server.port)/"))
            func connect(trusting pem: [UInt8]) async throws -> TestPeer {
                var configuration = WebSocketConfiguration()
                configuration.trust = .certificates(pem: pem)
                return TestPeer(try await .connect(to: url, configuration: configuration))
            }
            let peer = try await connect(trusting: first)
            try await peer.send(["type": "ping"])
            try await peer.expectType("pong")
            await #expect(throws: WebSocketError.self) { try await WebSocketConnection.connect(to: url) }
            let second = try install("second")
            try server.server.reloadCertificates()
            let later = try await connect(trusting: second)
            try await later.send(["type": "ping"])
            try await later.expectType("pong")
            await #expect(throws: WebSocketError.self) { try await connect(trusting: first) }
            try await peer.expectNothing()
            try Data("no certificate".utf8).write(to: files.certificate)
            #expect(throws: TLSFilesError.self) { try server.server.reloadCertificates() }
            _ = try await connect(trusting: second)
        }
    }
}
