import Accounts
import AccountsClient
import Chat
import Foundation
import Kernel
import Logging
import Sealing
import WebClient

/// Puts the parts of an account's session together.
struct ChatWorkshop: Sendable {
    let surroundings: ChatFeature.Surroundings
    let store: ChatStore
    let keys: ChatKeyStore
    let push: PushDesk
    let identity: Identity
    let client: AccountClient
    let web: any WebClient
    let disk: MediaDisk
    let attachments: Attachments
    let once: OnceFiles
    let work: BlockingWork
    let time: any TimeSource
    let logger: Logger

    /// Removes everything of an account that was deleted at its hub. Its session has ended.
    func forget(_ known: KnownAccount) async {
        let account = ChatAccount(known)
        do {
            try await store.remove(account)
            try await keys.remove(account)
            try await work.finish { [disk] in disk.remove(account) }
        } catch {
            logger.error("a deleted account was not removed here", metadata: ["reason": "\(error)"])
        }
    }

    /// - Throws: What the database or the disk say.
    func session(of known: KnownAccount) async throws -> ChatSessions.Parts {
        let account = ChatAccount(known)
        let adapter = IMAdapter(
            hub: known.hub,
            user: known.user,
            tokens: client,
            web: web,
            dial: surroundings.dial,
            network: surroundings.network,
            timing: surroundings.timing,
            time: time,
            logger: logger
        )
        let sealing = try await SealedMessages(
            of: account,
            in: keys,
            identity: identity,
            deviceName: surroundings.device.name,
            server: adapter,
            devices: { [client] in try await client.devices() },
            time: time,
            logger: logger
        )
        let media = HubMedia(requests: adapter.requests, sealing: sealing)
        let cache = MediaCacheService(in: disk.caches(of: account), signer: media, fetcher: media, time: time)
        try await cache.initialize(userID: known.user)
        let outbox = OutboxFolder(root: disk.outbox(of: account))
        let uploads = UploadClient(adapter.requests)
        let pipeline = ChatPipeline(
            server: adapter,
            uploads: uploads,
            photos: surroundings.photos,
            cache: cache,
            outbox: outbox,
            work: work,
            sealing: sealing
        )
        let desk = AccountMediaDesk(
            media: media,
            cache: cache,
            outbox: outbox,
            attachments: attachments,
            once: once,
            work: work
        )
        let repository = try await ChatRepository(
            of: account,
            in: store,
            server: SealingServer(adapter, sealing: sealing),
            sealing: sealing,
            pipeline: pipeline,
            media: desk,
            time: time,
            logger: logger
        )
        let handover = HandoverDesk(
            of: known.user,
            identity: identity,
            repository: repository,
            sealing: sealing,
            server: adapter,
            objects: HandoverObjects(uploads: uploads, media: media),
            time: time,
            logger: logger
        )
        // What a kill left between a file and its message.
        let needed = try await repository.outboxFiles()
        try await work.run { try outbox.sweep(keeping: needed) }
        return ChatSessions.Parts(
            session: ChatSession(repository, media: desk, safety: sealing),
            adapter: adapter,
            desk: desk,
            face: FaceDesk(
                client: client,
                repository: repository,
                uploads: uploads,
                photos: surroundings.photos,
                attachments: attachments,
                work: work
            ),
            sealing: sealing,
            push: PushTeller(push, server: adapter, moments: { adapter.reaches() }, logger: logger),
            handover: handover
        ) {
            handover.end()
            await sealing.end()
            await cache.close()
        }
    }
}
