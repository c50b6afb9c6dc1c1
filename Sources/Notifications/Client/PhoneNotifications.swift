import CommandClient
import Foundation
import Kernel
import Logging
import Storage
import Synchronization

/// The notifications of all computers of a phone: what is kept, what changed, and showing it. Each computer's part is a
/// ``NotificationInbox``, which feeds this.
public actor PhoneNotifications {
    /// News that wait for one reader, at most. A reader that misses some learns that something is missing.
    private static let newsLimit = 256

    let store: NotificationStore
    nonisolated let time: any TimeSource
    nonisolated let logger: Logger
    private let presenter: any NotificationPresenter
    private let broadcaster = Broadcaster<NotificationNews>(capacity: newsLimit)
    private let counts = LatestValue<[String: Int]>([:])
    private let endings = Broadcaster<Ending>()
    private let settingsChanges = Broadcaster<LocalNotificationSettings>(capacity: 1)
    private let names = Mutex<[String: String]>([:])
    /// The number of the newest news. Raised before it is told.
    private nonisolated let newsNumber = Mutex<UInt64>(0)
    private var badge: Int?
    private var showing: Task<Void, Never>?
    private var isToBeShown = false
    private var isClosed = false
    /// The ids of the paired computers; nil until they are known.
    private var paired: Set<String>?
    /// Marks whose commands are not in the queue yet, or go to the computer by themselves.
    private var underWay: Set<UUID> = []

    /// The latest commands that ended, and whether they were done: what joins one of them at that moment ended with it.
    private var ended: [(command: UUID, isDone: Bool)] = []
    private static let endedLimit = 64

    /// How a command that carried a mark ended.
    struct Ending: Sendable {
        let command: UUID
        /// Nil where it will not be done because it had to make room, or was taken out.
        let result: Result<JSONValue, OfflineFailure>
    }

    init(store: NotificationStore, presenter: any NotificationPresenter, time: any TimeSource, logger: Logger) {
        self.store = store
        self.presenter = presenter
        self.time = time
        self.logger = logger
    }

    // MARK: For people

    /// A part of the list, the newest first.
    ///
    /// - Parameters:
    ///   - computer: Nil: of all of them.
    ///   - limit: 1 to 500.
    ///   - place: Only what is older: the place of the last one that was read.
    public func page(
        of computer: String? = nil,
        unreadOnly: Bool = false,
        limit: Int = 50,
        before place: NotificationPlace? = nil
    ) async throws -> NotificationPage {
        try await store.page(of: computer, unreadOnly: unreadOnly, limit: limit, before: place)
    }

    /// Nil for one that is not kept.
    public func notification(_ id: KeptNotification.ID) async throws -> KeptNotification? {
        try await store.notification(id)
    }

    /// The changes from now on, for one reader. One that falls behind is told so by ``NotificationNews/isIncomplete``, of each computer.
    public nonisolated func news() -> some AsyncSequence<NotificationNews, Never> & Sendable {
        let news = broadcaster.subscribe()
        // Read behind the beginning: what is lost before the reader's first look is told, too.
        return NewsStream(news: news, last: newsNumber.withLock(\.self)) { [weak self] in self?.losses() ?? [] }
    }

    /// News of every computer that some of it was lost.
    private nonisolated func losses() -> [NotificationNews] {
        names.withLock { Array($0.keys) }.map { computer in
            var news = NotificationNews(computer: computer)
            news.isIncomplete = true
            news.unread = unread[computer] ?? 0
            return news
        }
    }

    /// How many were not read, for each computer that has some: now and after each change.
    public nonisolated func unreadCounts() -> AsyncStream<[String: Int]> { counts.values() }

    /// The current unread counts, as in ``unreadCounts()``.
    public nonisolated var unread: [String: Int] { counts.value }

    public func settings() async throws -> LocalNotificationSettings { try await store.settings() }

    public func save(_ settings: LocalNotificationSettings) async throws { _ = try await change { $0 = settings } }

    /// - Returns: All of them as they are from now on.
    func change(
        _ change: @escaping @Sendable (inout LocalNotificationSettings) -> Void
    ) async throws -> LocalNotificationSettings {
        let settings = try await store.change(change)
        settingsChanges.send(settings)
        return settings
    }

    /// The settings after each ``save(_:)`` and ``change(_:)`` from now on.
    nonisolated func changedSettings() -> AsyncStream<LocalNotificationSettings> { settingsChanges.subscribe() }

    /// Whether this phone shows banners.
    public nonisolated func authorization() async -> NotificationAuthorization { await presenter.authorization() }

    /// Asks the person to allow banners, where that was not done yet.
    public nonisolated func requestAuthorization() async -> NotificationAuthorization {
        await presenter.requestAuthorization()
    }

    nonisolated func name(of computer: String) -> String? { names.withLock { $0[computer] } }

    // MARK: What changes

    /// Tells news that are on disk, and shows what is to be shown.
    func take(_ news: NotificationNews) {
        counts.update { $0[news.computer] = news.unread == 0 ? nil : news.unread }
        if !news.isEmpty {
            var news = news
            news.number = newsNumber.withLock { number in
                number += 1
                return number
            }
            broadcaster.send(news)
        }
        show()
    }

    /// Returns once everything that was to be shown is handed over.
    func shown() async {
        while let showing { await showing.value }
    }

    /// Hands over one batch at a time, since a banner that was withdrawn must not come back.
    private func show() {
        isToBeShown = true
        guard showing == nil, !isClosed else { return }
        showing = Task {
            while isToBeShown, !Task.isCancelled {
                isToBeShown = false
                do {
                    try await showAll()
                } catch {
                    logger.error("notifications not shown", metadata: ["reason": "\(StorageError.telling(error))"])
                }
            }
            showing = nil
        }
    }

    private func showAll() async throws {
        while true {
            let withdrawn = try await store.toWithdraw()
            guard !withdrawn.isEmpty else { break }
            await presenter.withdraw(withdrawn)
            try await store.noteWithdrawn(withdrawn)
        }
        while true {
            let next = try await store.beginShowing()
            guard let computer = next.first?.kept.computer else { break }
            // Where the person said no, pages and the app itself have the news.
            if await presenter.authorization() == .authorized {
                let settings = try await store.settings()
                let name = name(of: computer)
                await presenter.present(
                    next.map { NotificationBanner($0.kept, alert: $0.alert, name: name, settings: settings) }
                )
            }
            // A program that ends before this shows them again, in their places.
            try await store.noteShown(next)
        }
        // Not what each change said: two that came at one time may be told in the other order.
        let unread = try await store.unread()
        counts.set(unread)
        let total = unread.values.reduce(0, +)
        guard total != badge else { return }
        badge = total
        await presenter.badge(total)
    }

    // MARK: Marks

    /// The endings of commands from now on.
    nonisolated func outcomes() -> AsyncStream<Ending> { endings.subscribe() }

    func endMark(_ command: UUID, isDone: Bool) async {
        do {
            for news in try await store.end(command, isDone: isDone) { take(news) }
        } catch {
            logger.error("a mark could not be ended", metadata: ["reason": "\(StorageError.telling(error))"])
        }
    }

    private func ended(_ command: OfflineCommand, _ result: Result<JSONValue, OfflineFailure>) async {
        let isDone = (try? result.get()) != nil
        ended.append((command.id, isDone))
        ended.removeFirst(max(0, ended.count - Self.endedLimit))
        await endMark(command.id, isDone: isDone)
        endings.send(Ending(command: command.id, result: result))
    }

    // MARK: Its work

    /// Follows the queue and the list of computers until it is cancelled.
    func run(_ computers: any PairedComputers) async {
        do {
            counts.set(try await store.unread())
        } catch {
            logger.error("notifications not counted", metadata: ["reason": "\(StorageError.telling(error))"])
        }
        let answers = await presenter.answers()
        // Banners that an earlier run of the program did not get to.
        show()
        await withDiscardingTaskGroup { group in
            group.addTask {
                // Without its phone nothing waits for it.
                if let queue = try? await computers.queue { await self.follow(queue) }
            }
            group.addTask { for await list in computers.paired() { await self.keep(only: list) } }
            group.addTask { await self.follow(answers, computers) }
        }
    }

    /// Marks what the person pressed or closed: each at once, since the answer of a computer that is silent takes its time.
    private nonisolated func follow<Answers: AsyncSequence<KeptNotification.ID, Never> & Sendable>(
        _ answers: Answers,
        _ computers: any PairedComputers
    ) async {
        await withDiscardingTaskGroup { group in
            for await id in answers { group.addTask { await self.markRead(id, computers) } }
        }
    }

    private nonisolated func markRead(_ id: KeptNotification.ID, _ computers: any PairedComputers) async {
        do {
            let inbox = try await computers.part(NotificationInbox.self, forComputer: id.computer)
            _ = try await inbox.mark(.read([id.notification]))
        } catch {
            logger.info("a banner that the person saw to is still unread", metadata: ["reason": "\(error)"])
        }
    }

    private func follow(_ queue: OfflineCommandQueue) async {
        let events = queue.events()
        await endEarlierMarks(queue)
        for await event in events {
            switch event {
            case .delivered(let command, let result):
                await ended(command, OfflineFailure(refusalIn: result).map { .failure($0) } ?? .success(result))
            case .failed(let command):
                await ended(command, .failure(OfflineFailure(command.errorMessage ?? OfflineFailure.unsaid)))
            case .evicted(let command):
                await ended(command, .failure(OfflineFailure("Too many commands wait for computers already.")))
            case .removed(let command):
                await ended(command, .failure(OfflineFailure("It was taken out of the commands that wait.")))
            // One that had failed waits again: what joins it from now on ends with it later.
            case .queued(let command): ended.removeAll { $0.command == command.id }
            }
        }
    }

    /// Marks of a program before this one whose commands do not wait any more: done, or taken out. The computer says which.
    private func endEarlierMarks(_ queue: OfflineCommandQueue) async {
        do {
            let marks = try await store.marks().subtracting(underWay)
            let waiting = Set(try await queue.commands().filter { $0.status != .failed }.map(\.id))
            for mark in marks.subtracting(waiting) { await endMark(mark, isDone: false) }
        } catch {
            logger.error("marks could not be ended", metadata: ["reason": "\(StorageError.telling(error))"])
        }
    }

    /// - Returns: The mark as it goes to the computer.
    @discardableResult
    func begin(_ mark: NotificationMark, at computer: String, by command: UUID) async throws -> NotificationMark {
        underWay.insert(command)
        do {
            let begun = try await store.mark(mark, at: computer, by: command)
            take(begun.news)
            return begun.mark
        } catch {
            underWay.remove(command)
            throw error
        }
    }

    /// Another command, which waited already, carries a mark's.
    func join(_ command: UUID, to other: UUID) async throws {
        try await store.join(command, to: other)
        if let ending = ended.last(where: { $0.command == other }) { await endMark(other, isDone: ending.isDone) }
    }

    func isQueued(_ command: UUID) { underWay.remove(command) }

    private func keep(only list: [PairedComputer]) async {
        paired = Set(list.map(\.id))
        names.withLock { $0 = Dictionary(list.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first }) }
        do {
            for computer in try await store.keep(only: list.map(\.id)) { forgot(computer) }
        } catch {
            logForgetting(error)
        }
    }

    /// A computer's part has ended. What was under way while the computer was forgotten may have been written down behind that.
    func closed(_ computer: String) async {
        guard let paired, !paired.contains(computer) else { return }
        do {
            if try await store.forget(computer) { forgot(computer) }
        } catch {
            logForgetting(error)
        }
    }

    private func forgot(_ computer: String) {
        var news = NotificationNews(computer: computer)
        news.isIncomplete = true
        take(news)
    }

    private nonisolated func logForgetting(_ error: any Error) {
        logger.error(
            "notifications of a forgotten computer are kept",
            metadata: ["reason": "\(StorageError.telling(error))"]
        )
    }

    /// Shows nothing from here on: the next program of this phone does.
    func close() async {
        isClosed = true
        showing?.cancel()
        await showing?.value
        broadcaster.finish()
        counts.finish()
        endings.finish()
        settingsChanges.finish()
    }
}

/// Why a mark that waited was not done, in the computer's sentence or the queue's.
public struct OfflineFailure: Error, Hashable, Sendable, CustomStringConvertible {
    static let unsaid = "The computer did not say why."

    public let description: String

    init(_ description: String) { self.description = description }

    /// Existing programs refuse a mark in an answer, not by an error. One whose notification is gone there is done.
    ///
    /// - Returns: Nil where the answer does not refuse.
    init?(refusalIn answer: JSONValue) {
        guard let reason = (try? NotificationCount(wire: answer))?.reason, reason != NotificationCount.notFound else {
            return nil
        }
        self.init(reason.isEmpty ? Self.unsaid : reason)
    }
}

/// The news as one reader gets them. Those that it missed may have been of any computer, so it is told of a loss for each.
private struct NewsStream: AsyncSequence, Sendable {
    typealias Element = NotificationNews
    typealias Failure = Never

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var news: AsyncStream<NotificationNews>.Iterator
        fileprivate let losses: @Sendable () -> [NotificationNews]
        private var last: UInt64
        private var waiting: [NotificationNews] = []

        fileprivate init(_ stream: NewsStream) {
            news = stream.news.makeAsyncIterator()
            losses = stream.losses
            last = stream.last
        }

        mutating func next() async -> NotificationNews? {
            if !waiting.isEmpty { return waiting.removeFirst() }
            guard var next = await news.next() else { return nil }
            if next.number > last + 1 {
                next.isIncomplete = true
                waiting = losses().filter { $0.computer != next.computer }
            }
            last = next.number
            return next
        }
    }

    let news: AsyncStream<NotificationNews>
    /// The number before the first that the reader is to get.
    let last: UInt64
    let losses: @Sendable () -> [NotificationNews]

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
