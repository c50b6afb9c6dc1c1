import Accounts
import AccountsHub
import Blobs
package import Capabilities
import Chat
package import Control
import Foundation
import GRDB
import Kernel
import Logging
import Metrics
import Storage
import Synchronization
package import Transport

/// A hub's conversations: people with accounts, what they say to each other, and their pictures and recordings, in one database. An account goes
/// with all that was kept of it in one transaction.
package final class ChatHubFeature: ServedFeature {
    package static let maker = ServedFeatureMaker(
        FeatureManifest(
            "chat",
            settings: AccountsPolicy.settings + ChatHubSettings.settings,
            ownMigrations: AccountTables.migrations + BlobStore.migrations + ChatSchema.migrations
        )
    ) { try ChatHubFeature($0) }

    private let people: AccountsFeature
    private let service: ChatService
    private let media: ChatMedia
    private let requests: [ServedRequest]
    private let logger: Logger

    /// - Throws: What the database or the folder say; ``AccountsError/badSetting(_:)``, ``ChatHubError/malformed(_:)`` for a setting.
    init(_ context: FeatureContext) throws {
        let settings = try ChatHubSettings(context)
        let folder = try context.storage.folder()
        let store = try BlobStore(
            BlobFolder(folder.appending(path: "media")),
            database: context.database,
            kinds: ChatMedia.kinds(),
            time: context.time,
            logger: context.logger
        )
        let references = BlobReferences(store: store)
        // The accounts ask the conversations to let go of a person, and these ask the accounts whether there is one.
        let made = LateService()
        let accounts = try Accounts(
            context,
            policy: AccountsPolicy(context),
            removals: [
                AccountRemoval { [time = context.time] database, person in
                    let now = time.date.millisecondsSince1970
                    try LogTransaction(database, objects: references).beginDeletion(of: person, at: now)
                } afterwards: { person in
                    made.service?.left(person)
                }
            ]
        )
        service = try ChatService(
            context.database,
            objects: references,
            settings: settings,
            dependencies: ChatService.Dependencies(
                isAccount: { try await accounts.account($0) != nil },
                time: context.time,
                logger: context.logger
            )
        )
        made.set(service)
        let keys = try AddressKeys(folder.appending(path: "addresses"), time: context.time)
        media = ChatMedia(
            store: store,
            signer: AddressSigner(keys, time: context.time),
            keys: keys,
            service: service,
            accounts: accounts,
            base: settings.address,
            logger: context.logger
        )
        people = AccountsFeature(accounts, logger: context.logger)
        requests = ChatRequests(service: service, accounts: accounts).all + media.requests
        logger = context.logger
    }

    package var controlRoutes: [ControlRoute] { people.controlRoutes + ChatHubControl(service: service).routes }

    package func serverRoutes() throws -> RouteSet {
        let accounts = people.accounts
        let http = try requests.map { served in
            try HTTPRoute.im(
                served.path,
                maximumBodyBytes: ChatLimits.ownFrame,
                isPlain: served.isPlain,
                logger: logger
            ) { request, json in
                try await served.answer(json, try await accounts.asker(of: request).get())
            }
        }
        let socket = ChatSocket(service: service, accounts: accounts, requests: requests, logger: logger)
        let own = RouteSet(http: http + (try media.routes()), webSockets: [try socket.route()])
        return RouteSet(joining: [try people.serverRoutes(), own])
    }

    package func checks() async -> [DoctorCheck] { await people.checks() }

    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [people] in await people.run() }
            group.addTask { [service] in await service.run() }
            group.addTask { [media] in await media.run() }
            group.addTask { [service] in
                for await count in service.connections.counts() {
                    Gauge(label: "chat_connections_open").record(count)
                }
            }
        }
    }

    /// The sessions first: no connection begins anything then.
    package func close() async {
        await people.close()
        await service.close()
    }
}

/// The service, for what is made before it.
private final class LateService: Sendable {
    private let made = Mutex<ChatService?>(nil)

    var service: ChatService? { made.withLock(\.self) }

    func set(_ service: ChatService) { made.withLock { $0 = service } }
}
