import Accounts
import AccountsHub
import Blobs
package import Capabilities
import Chat
package import Control
package import Foundation
import GRDB
import Kernel
import Logging
import Metrics
package import Pictures
package import Sealing
import Storage
import Synchronization
package import Transport
package import WebClient

/// A hub's conversations: people with accounts, what they say to each other, and their pictures and recordings, in one database. An account goes
/// with all that was kept of it in one transaction.
package final class ChatHubFeature: ServedFeature {
    /// What a hub's conversations work with of the system. Without one of them they do less.
    package struct Services: Sendable {
        /// Makes thumbnails; nil for none.
        package var pictures: (any PhotoEncoder)?
        /// Wakes closed devices; nil for never.
        package var pusher: (any DevicePusher)?
        /// Asks the backend that is told; nil where none can be.
        package var web: (any WebClient)?

        package init(
            pictures: (any PhotoEncoder)? = nil,
            pusher: (any DevicePusher)? = nil,
            web: (any WebClient)? = nil
        ) {
            self.pictures = pictures
            self.pusher = pusher
            self.web = web
        }
    }

    /// A hub's conversations without pictures' thumbnails, without a word to closed devices, and without a backend.
    package static let maker = maker { _, _ in Services() }

    /// - Parameter services: Made once for each run of the hub.
    package static func maker(
        _ services: @escaping @Sendable (FeatureContext, ChatHubSettings) throws -> Services
    ) -> ServedFeatureMaker {
        ServedFeatureMaker(
            FeatureManifest(
                "chat",
                settings: AccountsPolicy.settings + ChatHubSettings.settings,
                ownMigrations: AccountTables.migrations + BlobStore.migrations + ChatSchema.migrations
                    + ThumbnailTable.migrations + PushTable.migrations + OutboxTable.migrations,
                metrics: AccountsFeature.metrics.merging(metrics) { accounts, _ in accounts }
            )
        ) { context in
            let settings = try ChatHubSettings(context)
            return try ChatHubFeature(context, settings, services(context, settings))
        }
    }

    private static let metrics = [
        "chat_messages_stored_total": "Messages that were written down.",
        "chat_messages_repeated_total": "Messages that were sent again and were there already.",
        "chat_store_seconds": "Time until a message was on the disk.",
        "chat_requests_refused_total": "Requests that were refused, by their code.",
        "chat_pushes_dropped_total": "Messages that a slow connection was not told of, and asks for.",
        "chat_connections_open": "Sockets of people's devices that are open now.",
        "chat_notifications_sent_total": "Words to closed devices that their push services took.",
        "chat_notifications_failed_total": "Words to closed devices that their push services refused.",
        "chat_notifications_dropped_total": "Words to closed devices that found no room.",
        "chat_thumbnails_made_total": "Thumbnails that were made of pictures.",
        "chat_thumbnails_failed_total": "Pictures of which no thumbnail could be made.",
        "chat_webhook_sent_total": "Messages and recalls that the backend took.",
        "chat_webhook_failed_total": "Tries to tell the backend that it did not take.",
    ]

    private let people: AccountsFeature
    private let service: ChatService
    private let load: ChatHubLoad
    private let media: ChatMedia
    private let closed: ClosedDevices?
    private let webhook: WebhookSender?
    private let web: (any WebClient)?
    private let requests: [ServedRequest]
    private let gate: RequestGate
    private let shown: ShownMedia
    private let figures: ChatFigures
    /// The feature's folder.
    private let place: URL
    private let logger: Logger

    /// - Throws: What the database or the folder say; ``AccountsError/badSetting(_:)``.
    init(_ context: FeatureContext, _ settings: ChatHubSettings, _ services: Services) throws {
        let folder = try context.storage.folder()
        place = folder
        let (time, logger) = (context.time, context.logger)
        let thumbnails = Thumbnails(context.database, encoder: services.pictures, time: time, logger: logger)
        let store = try BlobStore(
            BlobFolder(folder.appending(path: "media")),
            database: context.database,
            kinds: ChatMedia.kinds(),
            time: time,
            logger: logger,
            stored: { _ in thumbnails.look() }
        )
        let references = BlobReferences(store: store)
        // The accounts ask the conversations to let go of a person, and these ask the accounts whether there is one.
        let made = LateService()
        let accounts = try Accounts(
            context,
            policy: AccountsPolicy(context),
            removals: [
                AccountRemoval { database, person in
                    let now = time.date.millisecondsSince1970
                    try LogTransaction(database, objects: references).beginDeletion(of: person, at: now)
                } afterwards: { person in
                    made.service?.left(person)
                }
            ],
            avatars: .pictures(in: store)
        )
        let closed = services.pusher.map { pusher in
            ClosedDevices(
                context.database,
                pusher: pusher,
                name: { try await accounts.account($0)?.nickname },
                time: time,
                logger: logger
            )
        }
        let webhook = settings.webhook.flatMap { target in
            services.web.map { WebhookSender(context.database, to: target, web: $0, time: time, logger: logger) }
        }
        service = try ChatService(
            context.database,
            objects: references,
            settings: settings,
            dependencies: ChatService.Dependencies(
                isAccount: { try await accounts.account($0) != nil },
                notify: { closed?.add($0) },
                happened: { webhook?.look() },
                time: time,
                logger: logger
            )
        )
        load = ChatHubLoad(context.database, service: service)
        made.set(service)
        (self.closed, self.webhook, web) = (closed, webhook, services.web)
        gate = RequestGate(settings, time: time)
        let keys = try AddressKeys(folder.appending(path: "addresses"), time: time)
        let signer = AddressSigner(keys, time: time)
        shown = ShownMedia(signer: signer, thumbnails: thumbnails, base: settings.address)
        media = ChatMedia(
            store: store,
            thumbnails: thumbnails,
            signer: signer,
            keys: keys,
            service: service,
            accounts: accounts,
            gate: gate,
            base: settings.address,
            logger: logger
        )
        figures = ChatFigures(database: context.database, time: time)
        people = AccountsFeature(accounts, logger: logger)
        requests =
            ChatRequests(service: service, accounts: accounts, media: shown, webhook: webhook).all + media.requests
            + (closed?.requests ?? [])
        self.logger = logger
    }

    package var controlRoutes: [ControlRoute] {
        people.controlRoutes + ChatHubControl(service: service).routes + [load.route, figures.route]
    }

    package func serverRoutes() throws -> RouteSet {
        let accounts = people.accounts
        let http = try requests.map { [gate] served in
            try HTTPRoute.im(
                served.path,
                maximumBodyBytes: ChatLimits.ownFrame,
                isPlain: served.isPlain,
                logger: logger
            ) { request, json in
                try await gate.answer(served, json, try await accounts.asker(of: request).get())
            }
        }
        let socket = ChatSocket(
            service: service,
            accounts: accounts,
            requests: requests,
            gate: gate,
            media: shown,
            logger: logger
        )
        let export = ExportRoutes(service: service, accounts: accounts, logger: logger)
        let own = RouteSet(http: http + (try media.routes()) + (try export.routes()), webSockets: [try socket.route()])
        return RouteSet(joining: [try people.serverRoutes(), own])
    }

    package func knownDevices(_ keys: Set<DID>) async -> [DID: KnownDevice] { await people.knownDevices(keys) }

    package var limits: [FeatureLimit] {
        people.limits + ChatRate.allCases.map { $0.limit(in: service.settings) } + ChatHubLimits.listed
    }

    package func checks() async -> [DoctorCheck] {
        var checks = await people.checks()
        if let webhook { checks.append(await webhook.check()) }
        return checks
    }

    package func copyFiles(into folder: URL) async throws {
        let source = place
        let once = Set(try ChatMedia.kinds().filter(\.isReadOnce).map(\.name))
        try await BlockingWork("chat backup", width: 1, urgency: .bulk).run {
            try BlobBackup.run(
                from: source.appending(path: "media"),
                to: folder.appending(path: "media"),
                database: folder.appending(path: "chat.sqlite"),
                without: once
            )
            for name in ["keys", "addresses"]
            where FileManager.default.fileExists(atPath: source.appending(path: name).path) {
                try FileManager.default.copyItem(at: source.appending(path: name), to: folder.appending(path: name))
            }
        }
    }

    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [people] in await people.run() }
            group.addTask { [service] in await service.run() }
            group.addTask { [media] in await media.run() }
            group.addTask { [webhook] in await webhook?.run() }
            group.addTask { [closed, service] in
                await closed?.run { service.connections.devices(of: $0) }
            }
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
        await web?.shutdown()
    }
}

/// The service, for what is made before it.
private final class LateService: Sendable {
    private let made = Mutex<ChatService?>(nil)

    var service: ChatService? { made.withLock(\.self) }

    func set(_ service: ChatService) { made.withLock { $0 = service } }
}
