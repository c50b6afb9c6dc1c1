import Accounts
import AccountsHub
import Chat
import ChatHub
import Foundation
import HomeTesting
import Kernel
import Sealing
import Testing
import Transport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A person with an account at a real hub, on one device, over loopback.
struct HubPerson: Sendable {
    struct Reply: Sendable {
        let status: Int
        let fields: [String: String]
        let bytes: [UInt8]

        var code: IMErrorCode? {
            (try? JSONValue(parsing: bytes))?["errCode"]?.integerValue.map { IMErrorCode(rawValue: Int($0)) }
        }
        var data: JSONValue { (try? JSONValue(parsing: bytes))?["data"] ?? [:] }
    }

    let id: UserID
    let token: String
    let identity: Identity
    let hub: HomeHub

    /// Makes an account with a key.
    static func make(_ name: String, at hub: HomeHub) async throws -> HubPerson {
        let identity = Identity()
        var request = RegisterRequest(name: name, device: DeviceDescription(name: "phone", platformID: .android))
        try await prove(&request, by: identity, at: hub)
        let reply = try await post(AccountEndpoint.register.path, JSONValue(encoding: request), at: hub)
        return try person(reply, identity, hub)
    }

    /// Another device of the person, whose key this one adds to the account.
    func another() async throws -> HubPerson {
        let identity = Identity()
        var key = KeyRequest(userID: id.imUserID)
        try await Self.prove(&key, by: identity, at: hub)
        #expect(try await post(AccountEndpoint.key.path, JSONValue(encoding: key)).status == 200)
        var request = LoginRequest(device: DeviceDescription(name: "tablet", platformID: .androidPad))
        try await Self.prove(&request, by: identity, at: hub)
        let reply = try await Self.post(AccountEndpoint.login.path, JSONValue(encoding: request), at: hub)
        return try Self.person(reply, identity, hub)
    }

    private static func person(_ reply: Reply, _ identity: Identity, _ hub: HomeHub) throws -> HubPerson {
        let session = try reply.data.decode(as: AccountSession.self)
        let id = try #require(UserID(imUserID: session.userID))
        return HubPerson(id: id, token: session.accessToken, identity: identity, hub: hub)
    }

    private static func prove(_ request: inout some ProvenRequest, by identity: Identity, at hub: HomeHub) async throws
    {
        let asked: JSONValue = ["did": .string(identity.did.text)]
        let told = try await post(AccountEndpoint.challenge.path, asked, at: hub).data.decode(as: Challenge.self)
        let url = try await hub.url("/")
        try request.prove(by: identity, challenge: told.challenge, host: "\(url.host ?? ""):\(url.port ?? 0)")
    }

    // MARK: Requests

    private static func post(_ path: String, _ body: JSONValue, token: String? = nil, at hub: HomeHub) async throws
        -> Reply
    {
        var request = URLRequest(url: try await hub.url(path))
        request.httpMethod = "POST"
        request.httpBody = Data(body.canonicalBytes)
        if let token { request.setValue(token, forHTTPHeaderField: "token") }
        return try await reply(to: request)
    }

    private static func reply(to request: URLRequest) async throws -> Reply {
        let (bytes, response) = try await URLSession.shared.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        let fields = Dictionary(http.allHeaderFields.map { ("\($0.key)", "\($0.value)") }) { first, _ in first }
        return Reply(status: http.statusCode, fields: fields, bytes: Array(bytes))
    }

    func post(_ path: String, _ body: JSONValue) async throws -> Reply {
        try await Self.post(path, body, token: token, at: hub)
    }

    func ask<Request: ChatWire, Answer: ChatWire>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ request: Request
    ) async throws -> Answer {
        let reply = try await post(endpoint.path, request.wire)
        return try JSONValue(parsing: reply.bytes).decode(as: IMEnvelope.self).answer(as: Answer.self)
    }

    /// - Parameter isKnown: Whether the request shows the person's token.
    func get(_ path: String, isKnown: Bool = true) async throws -> Reply {
        var request = URLRequest(url: try await hub.url(path))
        if isKnown { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return try await Self.reply(to: request)
    }

    func upload(_ bytes: [UInt8], as kind: UploadKind) async throws -> Reply {
        var request = URLRequest(url: try await hub.url("/chat/upload?type=\(kind.rawValue)"))
        request.httpMethod = "POST"
        request.httpBody = Data(bytes)
        request.setValue(token, forHTTPHeaderField: "token")
        return try await Self.reply(to: request)
    }

    // MARK: Messages

    func with(_ other: HubPerson) throws -> ConversationID { try #require(ConversationID(id, other.id)) }

    @discardableResult
    func say(_ text: String, to other: HubPerson, id: String = UUID().uuidString) async throws -> SendMessageAnswer {
        try await send(.text(text), to: other, id: id)
    }

    @discardableResult
    func send(_ payload: MessagePayload, to other: HubPerson, id: String = UUID().uuidString) async throws
        -> SendMessageAnswer
    {
        try await ask(ChatEndpoints.send, SendMessage(to: .person(other.id), payload, clientMessageID: id))
    }

    func history(with other: HubPerson) async throws -> [MessageData] {
        let request = PullRequest(id, [PullRequest.Part(try with(other), 1...Int64.max)])
        return try await ask(IMEndpoints.pull, request).parts[try with(other)]?.messages ?? []
    }

    func socket() async throws -> HubSocket {
        let path = "/chat/socket?token=\(token)&sendID=\(id)&platformID=2"
        return HubSocket(try await WebSocketConnection.connect(to: hub.url(path, scheme: "ws")))
    }
}

/// A person's connection to a hub, for one reader.
final class HubSocket {
    let connection: WebSocketConnection
    private var messages: WebSocketMessages.AsyncIterator

    init(_ connection: WebSocketConnection) {
        self.connection = connection
        messages = connection.messages.makeAsyncIterator()
    }

    /// The next frame; nil once the connection has ended.
    func next() async throws -> SyncFrame.Response? {
        guard case .text(let text)? = await messages.next() else { return nil }
        guard case .response(let response) = try SyncFrame(text: text) else { return nil }
        return response
    }

    /// The message of the next push.
    func message() async throws -> MessageData? {
        guard let frame = try await next() else { return nil }
        return try PulledMessages(wire: frame.data).parts.values.first?.messages.first
    }

    /// The event of the next push.
    func event() async throws -> ChatEvent? {
        guard let wire = try await next()?.data["events"]?.arrayValue?.first else { return nil }
        return try ChatEvent(wire: wire)
    }

    func ask(_ id: FrameID, _ data: JSONValue) async throws -> SyncFrame.Response? {
        let request = SyncFrame.Request(id, increment: "7", operation: "test", data: data)
        try await connection.send(text: request.wire.canonicalBytes)
        return try await next()
    }
}

/// Expects the hub to refuse with a code, whatever sentence of its own it adds.
func expectRefusal(
    _ code: IMErrorCode,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: ChatError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.refusal == code, sourceLocation: sourceLocation)
}
