import AccountsClient
import Kernel
import Logging

/// The session of the account that this device is signed in to: begun when there is one, ended at once when there is none any more.
actor ChatSessions {
    /// The parts of a session, before they run.
    struct Parts: Sendable {
        let session: ChatSession
        let adapter: IMAdapter
        let desk: AccountMediaDesk
        let face: FaceDesk
        let sealing: SealedMessages
        let push: PushTeller
        let handover: HandoverDesk
        /// Ends what the session's media hold.
        let close: @Sendable () async -> Void
    }

    private struct Running {
        let account: KnownAccount
        let parts: Parts
        let task: Task<Void, Never>
    }

    private let client: AccountClient
    private let make: @Sendable (KnownAccount) async throws -> Parts
    private let logger: Logger
    /// Told after each change of a session, and of which one it is.
    nonisolated let changed = Broadcaster<Void>(capacity: 1)
    private var running: Running?
    /// The step that is under way: one begins when the one before has ended.
    private var aligning: Task<Void, Never>?
    private var isClosed = false
    /// Why there is no session although there is an account; nil while there is one.
    private(set) var failure: (any Error)?

    /// - Parameter make: Makes the parts of a session; throws what the database or the disk say.
    init(
        _ client: AccountClient,
        logger: Logger,
        make: @escaping @Sendable (KnownAccount) async throws -> Parts
    ) {
        self.client = client
        self.logger = logger
        self.make = make
    }

    /// The session now; nil while nobody is signed in. The account is looked at first, so that nothing is answered for one that was signed out.
    func parts() async -> Parts? {
        // Without its database there is no session either.
        let account = try? await client.account()
        if running?.account != account { await align() }
        return running?.parts
    }

    /// As ``parts()``, as it is now: for what must not begin a session.
    var current: Parts? { running?.parts }

    /// Follows the account until it is cancelled.
    func run() async {
        let changes = client.changes()
        await align()
        for await _ in changes { await align() }
    }

    /// Ends the session, and begins none any more.
    func close() async {
        isClosed = true
        await align()
        changed.finish()
    }

    private func align() async {
        let before = aligning
        let step = Task {
            await before?.value
            await self.alignNow()
        }
        aligning = step
        await step.value
    }

    private func alignNow() async {
        let account: KnownAccount?
        do {
            account = isClosed ? nil : try await client.account()
        } catch {
            // The session that runs stays: its account may be there still.
            logger.error("the account cannot be read", metadata: ["reason": "\(error)"])
            return
        }
        guard account != running?.account else { return }
        if let ended = running {
            running = nil
            ended.task.cancel()
            await ended.parts.session.end()
            await ended.task.value
            await ended.parts.close()
            logger.notice("chat signed out")
        }
        if let account { await begin(account) }
        changed.send(())
    }

    private func begin(_ account: KnownAccount) async {
        do {
            let parts = try await make(account)
            failure = nil
            let changed = changed
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await parts.session.run() }
                    group.addTask { await parts.sealing.run() }
                    group.addTask { await parts.push.run() }
                    group.addTask { await parts.handover.run() }
                    group.addTask { for await _ in parts.handover.changed.subscribe() { changed.send(()) } }
                    group.addTask { for await _ in parts.session.repository.changes() { changed.send(()) } }
                    await group.waitForAll()
                }
            }
            running = Running(account: account, parts: parts, task: task)
            logger.notice("chat signed in")
        } catch {
            failure = error
            logger.error("chat does not begin", metadata: ["reason": "\(error)"])
        }
    }
}
