public import Accounts
import AccountsClient
public import Capabilities
import Chat
public import CommandClient
public import Control
import Foundation
import Kernel
public import Pictures
import Storage
public import Transport
public import WebClient

/// A phone's account at a hub and its conversations, in one database, as they are at the hub.
public final class ChatFeature: PeerFeature {
    /// The parts of the system that a phone's chat works with.
    public struct Surroundings: Sendable {
        /// How this phone stands in the account's list of devices.
        public var device: DeviceDescription
        /// Makes the client that asks the hub, once for each run of the phone.
        public var makeWeb: @Sendable () throws -> any WebClient
        /// Makes pictures small before they are sent.
        public var photos: any PhotoEncoder
        /// Opens the hub's socket.
        public var dial: ChatDialer
        /// Tells when this device comes into another network; nil leaves that out.
        public var network: (any NetworkWatch)?
        /// The waits of the connection.
        public var timing: IMAdapter.Timing

        public init(
            device: DeviceDescription,
            photos: any PhotoEncoder,
            dial: @escaping ChatDialer = ChatDialing.dialer(),
            network: (any NetworkWatch)? = nil,
            timing: IMAdapter.Timing = IMAdapter.Timing(),
            web makeWeb: @escaping @Sendable () throws -> any WebClient
        ) {
            self.device = device
            self.makeWeb = makeWeb
            self.photos = photos
            self.dial = dial
            self.network = network
            self.timing = timing
        }
    }

    /// The maker that a composition lists to have this feature.
    public static func maker(_ surroundings: Surroundings) -> PeerFeatureMaker {
        let manifest = FeatureManifest(
            "chat",
            ownMigrations: ChatSection.migrations,
            sections: [ChatSection.declaration],
            leaving: ChatSection.leftBehind
        )
        return PeerFeatureMaker(manifest) { try ChatFeature($0, surroundings) }
    }

    private let people: AccountFeature
    private let client: AccountClient
    private let workshop: ChatWorkshop
    private let sessions: ChatSessions
    private let once: OnceFiles
    private let page: ChatPage
    private let routes: ChatRoutes
    private let deviceRoutes: ChatDeviceRoutes
    private let faceRoutes: FaceRoutes
    private let push: PushDesk

    /// - Throws: What the database or the folder say.
    init(_ context: PeerContext, _ surroundings: Surroundings) throws {
        let web = try surroundings.makeWeb()
        let client = AccountClient(
            web: web,
            identity: context.identity,
            store: AccountStore(context.database),
            device: surroundings.device,
            time: context.time
        )
        let disk = MediaDisk(try context.storage.folder())
        let work = BlockingWork("tandem.chat", width: 2)
        let (attachments, once) = (
            try Attachments(in: disk.attachments, work: work, time: context.time),
            try OnceFiles(in: disk.once, work: work, time: context.time)
        )
        let push = PushDesk(context.database)
        let workshop = ChatWorkshop(
            surroundings: surroundings,
            store: try ChatStore(context.database),
            keys: ChatKeyStore(context.database),
            push: push,
            identity: context.identity,
            client: client,
            web: web,
            disk: disk,
            attachments: attachments,
            once: once,
            work: work,
            time: context.time,
            logger: context.logger
        )
        let sessions = ChatSessions(client, logger: context.logger) { try await workshop.session(of: $0) }
        people = AccountFeature(client, web: web)
        self.push = push
        self.client = client
        self.workshop = workshop
        self.sessions = sessions
        self.once = once
        page = ChatPage(attachments: attachments, work: work, parts: { await sessions.parts() })
        routes = ChatRoutes(session: { await sessions.parts()?.session })
        deviceRoutes = ChatDeviceRoutes(parts: {
            await sessions.parts().map { ChatDeviceRoutes.Parts(sealing: $0.sealing, handover: $0.handover) }
        })
        faceRoutes = FaceRoutes(desk: { await sessions.parts()?.face })
    }

    public var controlRoutes: [ControlRoute] {
        let account = people.controlRoutes.map { $0.name == AccountControl.delete.name ? deletion : $0 }
        return account + routes.all + deviceRoutes.all + faceRoutes.all + [pushRoute]
    }

    /// The page of a phone without an account says it, too: it counts for the one that comes.
    private var pushRoute: ControlRoute {
        ControlRoute(ChatControl.push) { [push] place in
            try await push.set(place.change())
            return NoControlAnswer()
        }
    }

    /// As the account's own, and everything that this phone has of it goes, too.
    private var deletion: ControlRoute {
        ControlRoute(AccountControl.delete) { [client, sessions, workshop] delete in
            let account = try await client.account()
            try await client.delete(confirming: delete.name)
            // Looks at the account, and so ends the session.
            _ = await sessions.parts()
            if let account { await workshop.forget(account) }
            return NoControlAnswer()
        }
    }

    public var topics: [ControlTopic] {
        people.topics + [ControlTopic(ChatControl.topic, changes: { [sessions] in sessions.changed.subscribe() })]
    }

    /// The page's `/api/chat/media`, `/api/chat/attachments`, `/api/chat/flash` and `/api/chat/avatar`. Source: `docs/page.md`, "The local API".
    public func pageRoutes() throws -> RouteSet { RouteSet(http: try page.routes()) }

    /// Whether the hub is reached, or why not. Nothing where nobody is signed in.
    public func checks() async -> [DoctorCheck] {
        let name = "chat"
        guard let account = try? await client.account() else { return [] }
        if let failure = await sessions.failure { return [DoctorCheck(name: name, failure: failure)] }
        guard let reach = await sessions.current?.adapter.reach.value else { return [] }
        return switch reach {
        case .live: [DoctorCheck(name: name, works: true, detail: account.hub.origin)]
        case .off, .connecting:
            [
                DoctorCheck(
                    name: name,
                    works: false,
                    detail: "\(account.hub.origin) is being asked. Look again in a moment."
                )
            ]
        case .away(let reason): [DoctorCheck(name: name, works: false, detail: reason)]
        case .noChat: [DoctorCheck(name: name, failure: ChatError.noChat)]
        case .ended: [DoctorCheck(name: name, failure: ChatError.noAccount)]
        }
    }

    public func run() async { await sessions.run() }

    public func close() async {
        await sessions.close()
        await once.end()
        await people.close()
    }
}
