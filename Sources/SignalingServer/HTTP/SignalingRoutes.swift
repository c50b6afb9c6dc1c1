import Foundation
import HTTPTypes
import Hummingbird
import Kernel
import Sealing
import Synchronization
import Transport

/// The server's HTTP half.
struct SignalingRoutes: Sendable {
    let relay: Relay
    let mailbox: any Mailbox
    let metrics: PrometheusMetrics?

    func add(to router: Router<BasicRequestContext>) {
        router.add(middleware: PlainErrors())
        router.get("/") { _, _ in try await health() }
        router.get("/health") { _, _ in try await health() }
        router.get("/healthz") { _, _ in try await health() }
        router.get("/stats") { _, _ in try await statistics() }
        router.get("/turn-credentials") { request, _ in try turnCredentials(request) }
        router.get("/ice") { request, _ in try turnCredentials(request) }
        if let metrics {
            router.get("/metrics") { _, _ in
                relay.counters.publish()
                return Self.response(
                    .ok,
                    Array(metrics.text(RelayCounters.descriptions).utf8),
                    type: "text/plain; version=0.0.4; charset=utf-8"
                )
            }
        }
    }

    private func health() async throws -> Response {
        let counters = relay.counters
        let now = relay.time.date
        return try await Self.json([
            "status": "healthy", "service": "signaling-server", "version": .string(relay.configuration.version),
            "uptime": .number(now.timeIntervalSince(relay.startedAt)),
            "connections": [
                "current": .integer(Int64(counters.connectionsOpen.load(ordering: .relaxed))),
                "total": .integer(Int64(counters.connectionsOpened.load(ordering: .relaxed))),
            ],
            "messages": [
                "forwarded": .integer(Int64(counters.framesForwarded.load(ordering: .relaxed))),
                "offlineQueued": .integer(Int64(mailbox.count())),
            ],
            "timestamp": .string(now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
        ])
    }

    private func statistics() async throws -> Response {
        let counters = relay.counters
        return try await Self.json([
            "totalConnections": .integer(Int64(counters.connectionsOpened.load(ordering: .relaxed))),
            "currentConnections": .integer(Int64(counters.connectionsOpen.load(ordering: .relaxed))),
            "messagesForwarded": .integer(Int64(counters.framesForwarded.load(ordering: .relaxed))),
            "offlineMessagesStored": .integer(Int64(counters.framesStored.load(ordering: .relaxed))),
            "offlineMessagesQueued": .integer(Int64(mailbox.count())),
            "startTime": .integer(relay.startedAt.millisecondsSince1970),
        ])
    }

    /// Only for a device that is registered now and proved its key: the header is signed with that key.
    private func turnCredentials(_ request: Request) throws -> Response {
        guard let header = request.headers[.authorization] else {
            return Self.refusal(.unauthorized, "Sign the request with the key of a registered device.")
        }
        let key: DID
        do throws(SealingError) {
            key = try RequestProof.verify(
                header,
                method: request.method.rawValue,
                target: request.uri.string,
                host: request.head.authority ?? "",
                now: relay.time.date
            )
        } catch {
            return Self.refusal(
                .unauthorized,
                "The signature does not fit the request. Check the clock and sign again."
            )
        }
        guard let user = request.uri.queryParameters["uid"].map(String.init), ServiceRecord.isDeviceID(user) else {
            return Self.refusal(.badRequest, "uid is 1 to 128 letters, digits and :._-")
        }
        guard relay.registry.provenKey(of: PeerID(user)) == key else {
            return Self.refusal(.forbidden, "This key has not registered \(user) here. Register first.")
        }
        let credentials = TURNCredentials(relay.configuration.turn, user: user, now: relay.time.date)
        return Self.response(.ok, try Array(JSONEncoder().encode(credentials)), type: "application/json")
    }

    private static func json(_ value: JSONValue) -> Response {
        response(.ok, value.canonicalBytes, type: "application/json")
    }

    static func refusal(_ status: HTTPResponse.Status, _ sentence: String) -> Response {
        response(status, JSONValue.object(["error": .string(sentence)]).canonicalBytes, type: "application/json")
    }

    private static func response(_ status: HTTPResponse.Status, _ body: [UInt8], type: String) -> Response {
        Response(
            status: status,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
