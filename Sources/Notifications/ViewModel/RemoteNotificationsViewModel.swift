import Commands
import Kernel
public import Observation

/// The notifications of one computer, as a screen shows them: from this phone's disk at once, then as the computer has them.
@MainActor @Observable
public final class RemoteNotificationsViewModel {
    /// Rows that are read at one time.
    public static let pageSize = 50

    /// The calls that the screen makes, so that previews need no phone.
    public struct Dependencies: Sendable {
        /// A part of what this phone keeps, the newest first: only unread ones, so many at most, behind that place.
        public var page: @Sendable (Bool, Int, NotificationPlace?) async throws -> NotificationPage
        /// Asks the computer for what is missing.
        public var refresh: @Sendable () async throws -> Void
        /// Marks at the computer, or lets the mark wait for it.
        public var mark: @Sendable (NotificationMark) async throws -> NotificationMarked
        /// The changes on this phone from now on.
        public var news: @Sendable () -> any AsyncSequence<NotificationNews, Never> & Sendable
        /// How many are unread, now and after each change.
        public var unread: @Sendable () -> any AsyncSequence<Int, Never> & Sendable
        /// The computer's.
        public var settings: @Sendable () async throws -> NotificationSettings
        /// Answers with the computer's as they are from now on.
        public var updateSettings: @Sendable (NotificationSettingsChange) async throws -> NotificationSettings
        /// This phone's.
        public var localSettings: @Sendable () async throws -> LocalNotificationSettings
        /// This phone's.
        public var saveLocalSettings: @Sendable (LocalNotificationSettings) async throws -> Void
        /// Asks the person for banners, where that was not done yet.
        public var requestAuthorization: @Sendable () async -> NotificationAuthorization

        public init(
            page: @escaping @Sendable (Bool, Int, NotificationPlace?) async throws -> NotificationPage,
            refresh: @escaping @Sendable () async throws -> Void,
            mark: @escaping @Sendable (NotificationMark) async throws -> NotificationMarked,
            news: @escaping @Sendable () -> any AsyncSequence<NotificationNews, Never> & Sendable,
            unread: @escaping @Sendable () -> any AsyncSequence<Int, Never> & Sendable,
            settings: @escaping @Sendable () async throws -> NotificationSettings,
            updateSettings: @escaping @Sendable (NotificationSettingsChange) async throws -> NotificationSettings,
            localSettings: @escaping @Sendable () async throws -> LocalNotificationSettings,
            saveLocalSettings: @escaping @Sendable (LocalNotificationSettings) async throws -> Void,
            requestAuthorization: @escaping @Sendable () async -> NotificationAuthorization
        ) {
            self.page = page
            self.refresh = refresh
            self.mark = mark
            self.news = news
            self.unread = unread
            self.settings = settings
            self.updateSettings = updateSettings
            self.localSettings = localSettings
            self.saveLocalSettings = saveLocalSettings
            self.requestAuthorization = requestAuthorization
        }

        /// - Parameter inbox: The computer's part: `phone.part(NotificationInbox.self, of: computer)`.
        public init(_ inbox: NotificationInbox) {
            let (phone, id) = (inbox.phone, inbox.id)
            self.init(
                page: { try await phone.page(of: id, unreadOnly: $0, limit: $1, before: $2) },
                refresh: { try await inbox.refresh() },
                mark: { try await inbox.mark($0) },
                news: { phone.news().filter { $0.computer == id } },
                unread: { phone.unreadCounts().map { $0[id] ?? 0 } },
                settings: { try await inbox.commands.getSettings() },
                updateSettings: { try await inbox.commands.updateSettings($0) },
                localSettings: { try await phone.settings() },
                saveLocalSettings: { try await phone.save($0) },
                requestAuthorization: { await phone.requestAuthorization() }
            )
        }
    }

    /// Only unread ones are shown. Set by ``show(unreadOnly:)``.
    public private(set) var isUnreadOnly = false
    /// There are older ones.
    public private(set) var hasMore = false
    /// Nothing was read yet.
    public private(set) var isLoading = true
    public private(set) var isRefreshing = false
    /// The unread number of the computer: the tab's badge.
    public private(set) var unreadCount = 0
    /// A mark waits for the computer; the person is told that it will be done.
    public private(set) var isQueued = false
    /// Why the last request failed, in a sentence.
    public private(set) var failureMessage: String?
    /// The computer's; nil until they were read.
    public private(set) var settings: NotificationSettings?
    /// This phone's; nil until they were read.
    public private(set) var localSettings: LocalNotificationSettings?
    public private(set) var authorization = NotificationAuthorization.notDetermined
    /// The newest that came while this screen is open, for a banner of the app's own.
    public private(set) var latest: KeptNotification?

    private var rows: [KeptNotification] = []
    /// The last change that the list has: all that the person can have seen.
    private var seen: Int64?
    /// Marks that have no answer yet, in the order in which they were made.
    private var marks: [(number: Int, mark: NotificationMark)] = []
    private var lastMark = 0
    private var lastReading = 0
    /// The least that the person wants to see: so many rows, and all down to this place.
    private var wanted = RemoteNotificationsViewModel.pageSize
    private var bottom: NotificationPlace?
    private let dependencies: Dependencies

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// The newest first, with every mark of the person's.
    public var items: [KeptNotification] {
        var shown = rows
        for (_, mark) in marks { shown = mark.applied(to: shown) }
        return isUnreadOnly ? shown.filter { !$0.notification.isRead } : shown
    }

    // MARK: What the screen follows

    /// Shows what is kept, asks the computer for the rest, and follows what changes until the task is cancelled: called from `.task`.
    public func follow() async {
        let news = dependencies.news()
        let unread = dependencies.unread()
        await read()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followNews(news) }
            group.addTask { await self.followCount(unread) }
            group.addTask { await self.refresh() }
        }
    }

    private func followNews(_ news: any AsyncSequence<NotificationNews, Never> & Sendable) async {
        for await one in news {
            if let newest = one.new.last(where: { one.banners.contains($0.notification.id) }) { latest = newest }
            await read()
        }
    }

    private func followCount(_ counts: any AsyncSequence<Int, Never> & Sendable) async {
        for await count in counts { unreadCount = count }
    }

    /// Asks the computer. What is kept is shown all the same; ``failureMessage`` says why there is no more.
    public func refresh() async {
        guard !isRefreshing else { return }
        isRefreshing = true
        defer { isRefreshing = false }
        failureMessage = nil
        await perform { [dependencies] in try await dependencies.refresh() }
        await read()
    }

    /// - Parameter unreadOnly: The filter.
    public func show(unreadOnly: Bool) async {
        guard unreadOnly != isUnreadOnly else { return }
        isUnreadOnly = unreadOnly
        (wanted, bottom) = (Self.pageSize, nil)
        await read()
    }

    /// Reads older ones, where there are some.
    public func loadMore() async {
        guard hasMore else { return }
        // Noted, and not read by itself: what comes meanwhile has everything read anew, and would overtake it.
        wanted = rows.count + Self.pageSize
        await read()
    }

    /// Reads again what is shown: as many rows as are wanted, and down to the last one, which new ones push further down.
    private func read() async {
        lastReading += 1
        let reading = lastReading
        await perform { [dependencies, isUnreadOnly, wanted, bottom] in
            var read: [KeptNotification] = []
            var page = try await dependencies.page(isUnreadOnly, Self.pageSize, nil)
            let (upTo, isWaiting) = (page.upTo, page.isWaiting)
            while page.hasMore, let last = page.items.last,
                read.count + page.items.count < wanted || bottom.map({ $0 < last.place }) ?? false
            {
                read += page.items
                page = try await dependencies.page(isUnreadOnly, Self.pageSize, last.place)
            }
            // Both are from the first page: it may lack what came while the others were read.
            (page.upTo, page.isWaiting) = (upTo, isWaiting)
            await self.take(page, behind: read, reading)
        }
        isLoading = false
    }

    /// Shows a page, unless a later reading has begun: then it is out of date.
    private func take(_ page: NotificationPage, behind earlier: [KeptNotification], _ reading: Int) {
        guard reading == lastReading else { return }
        rows = earlier + page.items
        bottom = rows.last?.place
        hasMore = page.hasMore
        seen = page.upTo
        // One that has no answer yet is on its way: it waits once its answer says so.
        isQueued = page.isWaiting && (marks.isEmpty || isQueued)
    }

    // MARK: What the person does

    public func markRead(_ item: KeptNotification) async { await mark(.read([item.notification.id])) }

    /// Everything that is there now; what comes meanwhile stays unread.
    public func markAllRead() async { await mark(.allRead(upTo: seen)) }

    /// Where it fails, the row is back in its place.
    public func delete(_ item: KeptNotification) async { await mark(.deleted([item.notification.id])) }

    /// Everything that is there now. Called after the person confirmed.
    public func clear() async { await mark(.cleared(upTo: seen)) }

    private func mark(_ mark: NotificationMark) async {
        failureMessage = nil
        lastMark += 1
        let number = lastMark
        marks.append((number, mark))
        do {
            let outcome = try await dependencies.mark(mark)
            rows = mark.applied(to: rows)
            if outcome == .queued { isQueued = true }
        } catch is CancellationError {
            // The screen has gone.
        } catch {
            failureMessage = "\(error)"
        }
        marks.removeAll { $0.number == number }
        await read()
    }

    // MARK: Settings

    /// Reads both. What the computer does not say stays nil, and ``failureMessage`` says why.
    public func loadSettings() async {
        failureMessage = nil
        await perform { [dependencies] in
            let local = try await dependencies.localSettings()
            await MainActor.run { self.localSettings = local }
        }
        await perform { [dependencies] in
            let settings = try await dependencies.settings()
            await MainActor.run { self.settings = settings }
        }
    }

    /// Changes the computer's. They are shown as they were until the computer says how they are.
    public func update(_ change: NotificationSettingsChange) async {
        failureMessage = nil
        await perform { [dependencies] in
            let settings = try await dependencies.updateSettings(change)
            await MainActor.run { self.settings = settings }
        }
    }

    /// Changes this phone's.
    public func save(_ settings: LocalNotificationSettings) async {
        failureMessage = nil
        await perform { [dependencies] in
            try await dependencies.saveLocalSettings(settings)
            await MainActor.run { self.localSettings = settings }
        }
    }

    /// Asks for banners: when this screen first opens.
    public func requestAuthorization() async { authorization = await dependencies.requestAuthorization() }

    /// The person has read ``failureMessage``.
    public func dismissFailure() { failureMessage = nil }

    private func perform(_ work: @Sendable () async throws -> Void) async {
        do { try await work() } catch is CancellationError {} catch { failureMessage = "\(error)" }
    }
}

extension NotificationMark {
    /// The rows as they are with this mark.
    func applied(to rows: [KeptNotification]) -> [KeptNotification] {
        switch self {
        case .read(let ids, _): rows.map { ids.contains($0.notification.id) ? $0.read : $0 }
        case .allRead(let number): rows.map { $0.isUpTo(number) ? $0.read : $0 }
        case .deleted(let ids, _): rows.filter { !ids.contains($0.notification.id) }
        case .cleared(let number): rows.filter { !$0.isUpTo(number) }
        case .forgotten(let old):
            rows.filter {
                let notification = $0.notification
                return notification.createdAt >= old.before ?? .max
                    || notification.origin != old.origin ?? notification.origin
            }
        }
    }
}

extension KeptNotification {
    fileprivate var read: KeptNotification {
        var kept = self
        kept.notification.isRead = true
        return kept
    }

    fileprivate func isUpTo(_ number: Int64?) -> Bool { number.map { notification.isSaid(by: $0) } ?? true }
}
