import Accounts
import Chat
import ChatHub
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Sealing
import Storage
import Testing
import WebClient

@testable import ChatClient

/// A hub's service in memory, and devices of people with their keys.
struct SealedScene {
    let clock = ManualClock()
    let service: ChatService
    let ada: UserID
    let bob: UserID
    let conversation: ConversationID

    init() throws {
        var settings = ChatHubSettings()
        settings.strangersAsk = false
        service = try ChatService(
            StateDatabase.inMemory(schema: [ChatSchema.migrations]),
            objects: AnyObjects(),
            settings: settings,
            dependencies: ChatService.Dependencies(isAccount: { _ in true }, time: clock, logger: Self.logger)
        )
        ada = try #require(UserID(7))
        bob = try #require(UserID(9))
        conversation = try #require(ConversationID(ada, bob))
    }

    static let logger = Logger(label: "sealed-test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// A device that is signed in, before it has looked at its list.
    ///
    /// - Parameter others: The account's devices, as the hub says.
    func device(_ person: UserID, _ name: String, others: [SealedDevice] = []) async throws -> SealedDevice {
        let identity = Identity()
        let server = ServiceServer(service, person, device: name)
        let database = try StateDatabase.inMemory(schema: [ChatKeyStore.migrations])
        let devices = others.map { other in
            AccountDevice(
                device: other.name,
                name: other.name,
                platformID: .linux,
                did: other.identity.did.text,
                createdAt: 0,
                lastSeenAt: nil,
                address: nil,
                isCurrent: false
            )
        }
        let account = ChatAccount(user: person, hub: try WebURL("https://hub.example"), name: name, nickname: name)
        let sealing = try await SealedMessages(
            of: account,
            in: ChatKeyStore(database),
            identity: identity,
            deviceName: name,
            server: server,
            devices: { devices },
            time: clock,
            logger: Self.logger
        )
        return SealedDevice(
            name: name,
            person: person,
            identity: identity,
            server: server,
            sealing: sealing,
            conversation: conversation,
            service: service
        )
    }

    /// A device whose list and keys the hub has.
    func ready(_ person: UserID, _ name: String, others: [SealedDevice] = []) async throws -> SealedDevice {
        let device = try await device(person, name, others: others)
        await device.sealing.align()
        return device
    }

    /// All messages, as the hub has them.
    func stored() async throws -> [MessageData] {
        try await service.history(of: conversation, before: nil, for: ChatAsker(ada, device: "test")).messages
            .reversed()
            .map { message in
                var data = try MessageData(
                    clientMessageID: message.clientMessageID,
                    from: message.sender,
                    to: #require(conversation.peer(of: message.sender)),
                    contentType: ContentType(rawValue: Int(message.contentType)),
                    element: JSONValue(parsing: message.content),
                    sequence: message.seq
                )
                data.sendTime = message.sendTime
                return data
            }
    }
}

/// One device of a person.
struct SealedDevice {
    let name: String
    let person: UserID
    let identity: Identity
    let server: ServiceServer
    let sealing: SealedMessages
    let conversation: ConversationID
    let service: ChatService

    @discardableResult
    func say(_ payload: MessagePayload, id: String = UUID().uuidString) async throws -> Bool {
        let request = SendMessage(to: .conversation(conversation), payload, clientMessageID: id)
        return try await sealing.send(request) { try await server.ask(ChatEndpoints.send, $0) }.isSealed
    }

    @discardableResult
    func say(_ text: String, id: String = UUID().uuidString) async throws -> Bool {
        try await say(.text(text), id: id)
    }

    func opened(_ data: MessageData) async -> OpenedMessage { await sealing.opened(data, in: conversation) }
}

/// Objects that are all there.
private struct AnyObjects: ObjectReferences {
    func retain(_ objectKey: String, uploadedBy person: UserID, isViewOnce: Bool, in database: Database) {}
    func release(_ objectKey: String, in database: Database) {}
}
