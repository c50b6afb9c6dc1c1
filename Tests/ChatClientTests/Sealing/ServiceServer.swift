import Accounts
import Chat
import ChatClient
import Kernel
import Synchronization

@testable import ChatHub

/// A device's way to a hub's service in the same process, which may lie on the way.
final class ServiceServer: ChatServer {
    /// What the hub answers in place of the truth; nil for the truth.
    typealias Lie = @Sendable (_ path: String, _ answer: JSONValue) -> JSONValue?

    private let service: ChatService
    private let asker: ChatAsker
    private let lie = Mutex<Lie?>(nil)
    private let asked = Mutex<[String: Int]>([:])
    private let away = Mutex(false)

    init(_ service: ChatService, _ person: UserID, device: String) {
        self.service = service
        asker = ChatAsker(person, device: device)
    }

    func lie(_ lie: Lie?) { self.lie.withLock { $0 = lie } }

    /// Whether the hub is not reached.
    func setAway(_ isAway: Bool) { away.withLock { $0 = isAway } }

    /// How often a path was asked.
    func count(of path: String) -> Int { asked.withLock { $0[path, default: 0] } }

    func follow(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async { await receive(.connected) }

    func ask<Request, Answer>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ request: Request
    ) async throws(ChatError) -> Answer {
        asked.withLock { $0[endpoint.path, default: 0] += 1 }
        if away.withLock(\.self) { throw .unreachable }
        let json: JSONValue
        do {
            json = try await answer(endpoint.path, request.wire)
        } catch let error as ChatError {
            throw error
        } catch let error as ChatHubError {
            throw .refused(error.imCode)
        } catch {
            throw .refused(.internalError)
        }
        return try Answer(wire: lie.withLock(\.self)?(endpoint.path, json) ?? json)
    }

    private func answer(_ path: String, _ wire: JSONValue) async throws -> JSONValue {
        switch path {
        case ChatEndpoints.appendToChain.path:
            try await service.appendToChain(AppendToChain(wire: wire).entry, by: asker)
        case ChatEndpoints.publishChatKey.path:
            try await service.publishChatKey(PublishChatKey(wire: wire).bundle, by: asker)
        case ChatEndpoints.chains.path:
            let places = try ChainsRequest(wire: wire).places.map { ($0.person, $0.after) }
            let parts = try await service.chains(of: places).map {
                Chains.Part(person: $0.person, newest: $0.newest, start: $0.start, entries: $0.entries)
            }
            return Chains(parts).wire
        case ChatEndpoints.chatKeys.path:
            return ChatKeys(try await service.chatKeys(of: ChatKeysRequest(wire: wire).people, for: asker)).wire
        case ChatEndpoints.send.path: return try await send(SendMessage(wire: wire)).wire
        default: throw ChatHubError.malformed(path)
        }
        return [:]
    }

    private func send(_ request: SendMessage) async throws -> SendMessageAnswer {
        let ack = try await service.send(
            try MessageFacts(request.payload, isSilent: false),
            contentType: Int32(request.payload.contentType.rawValue),
            content: request.payload.element.canonicalBytes,
            clientMessageID: request.clientMessageID,
            to: request.recipient.conversation(from: asker.person),
            by: asker
        )
        return SendMessageAnswer(
            serverMessageID: ack.serverMessageID,
            clientMessageID: ack.clientMessageID,
            sendTime: ack.sendTime,
            sequence: ack.seq
        )
    }
}
