import Foundation
import Kernel
import Sealing
import Testing
import Transport

/// One client, whose frames are awaited one after the other.
final class TestPeer {
    let connection: WebSocketConnection
    private var messages: WebSocketMessages.AsyncIterator

    init(_ connection: WebSocketConnection) {
        self.connection = connection
        messages = connection.messages.makeAsyncIterator()
    }

    func send(_ frame: JSONValue) async throws { try await connection.send(text: frame.canonicalBytes) }

    func send(raw text: String) async throws { try await connection.send(text: text) }

    func nextMessage() async -> WebSocketMessage? { await messages.next() }

    /// The next text frame as JSON; nil when the connection ended.
    func next() async throws -> JSONValue? {
        guard case .text(let bytes)? = await messages.next() else { return nil }
        return try JSONValue(parsing: bytes)
    }

    @discardableResult
    func expectType(_ type: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONValue {
        let frame = try #require(try await next(), "the connection ended", sourceLocation: sourceLocation)
        #expect(frame["type"]?.stringValue == type, "\(frame)", sourceLocation: sourceLocation)
        return frame
    }

    /// Nothing else came: the server answers frames in order, so what precedes this answer is everything.
    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await send(["type": "ping"])
        try await expectType("pong", sourceLocation: sourceLocation)
    }

    /// Registers with a proof.
    func register(_ id: String, proving identity: Identity, host: String, nonce: String? = nil) async throws {
        try await send([
            "type": "register", "peerId": .string(id), "deviceType": "mobile",
            "e2e": ["v": 1, "key": .string(identity.did.text)],
        ])
        let challenge = try await expectType("challenge")
        let given = try #require(challenge["nonce"]?.stringValue)
        try await answer(id, identity, nonce: nonce ?? given, host: host)
    }

    func answer(_ id: String, _ identity: Identity, nonce: String, host: String) async throws {
        let bytes = try #require(Base64URL.decode(nonce))
        let signature = try RegistrationProof.sign(identity: identity, peerID: id, nonce: bytes, host: host)
        try await send([
            "type": "register", "peerId": .string(id), "deviceType": "mobile",
            "e2e": [
                "v": 1, "key": .string(identity.did.text), "nonce": .string(nonce),
                "sig": .string(Base64URL.encode(signature)),
            ],
        ])
    }

    func close() async { await connection.close() }
}
