import Chat
import Kernel
import Logging

/// Tells the hub of one session where its phone is woken while it is closed. Source: `docs/protocol.md` 2.11.8.
actor PushTeller {
    private let desk: PushDesk
    private let server: any ChatServer
    /// Each value is a moment at which the hub may be reached.
    private let moments: @Sendable () -> AsyncStream<Void>
    private let logger: Logger
    /// What this session's hub was told; nil for nothing.
    private var told: RegisterPush.Change?
    private var telling: Task<Void, Never>?

    /// - Parameter moments: Tells when the hub is reached again.
    init(
        _ desk: PushDesk,
        server: any ChatServer,
        moments: @escaping @Sendable () -> AsyncStream<Void>,
        logger: Logger
    ) {
        self.desk = desk
        self.server = server
        self.moments = moments
        self.logger = logger
    }

    /// Tells what is to be told until the task is cancelled.
    func run() async {
        let changes = desk.changes()
        let moments = moments()
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in changes { await self.tell() } }
            group.addTask { for await _ in moments { await self.tell() } }
        }
    }

    /// One request at a time: the last one says how it is.
    private func tell() async {
        let before = telling
        let task = Task {
            await before?.value
            await tellNow()
        }
        telling = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func tellNow() async {
        do {
            let change = try await desk.change()
            guard change != told, change != .none else { return }
            try await ask(change)
            told = change
            if change == .remove { try await desk.forgetRemoval() }
        } catch {
            // Told when the hub is reached again.
            logger.debug("the hub was not told where to wake this phone", metadata: ["reason": "\(error)"])
        }
    }

    /// - Throws: ``ChatError`` where the hub is not reached.
    private func ask(_ change: RegisterPush.Change) async throws(ChatError) {
        do throws(ChatError) {
            _ = try await server.ask(ChatEndpoints.push, RegisterPush(change))
        } catch {
            if error.isTransport { throw error }
            // Asked again it would say the same: a hub without push, or one that does not take the place.
            logger.notice("the hub does not wake this phone", metadata: ["reason": "\(error)"])
        }
    }
}
