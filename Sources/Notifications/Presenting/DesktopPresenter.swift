import Kernel
import Synchronization

/// Shows banners on the desktop that this phone runs on, and something else where that shows none. More than a few at one time are one.
public final class DesktopPresenter: NotificationPresenter {
    /// Banners whose numbers are remembered; of older ones none is withdrawn.
    private static let capacity = 512

    private struct Shown {
        var numbers: [KeptNotification.ID: UInt32] = [:]
        /// The notifications by their numbers in ``numbers``, without numbers that stand for several.
        var ids: [UInt32: KeptNotification.ID] = [:]
        /// The oldest first.
        var order: [KeptNotification.ID] = []
        var isRead = false
        var isRefused = false

        mutating func forget(_ id: KeptNotification.ID) -> UInt32? {
            guard let number = numbers.removeValue(forKey: id) else { return nil }
            if ids[number] == id { ids[number] = nil }
            order.removeAll { $0 == id }
            return number
        }
    }

    private let desktop: any DesktopBanners
    private let fallback: any NotificationPresenter
    private let leavesOut: @Sendable (_ computer: String) async -> Bool
    private let refused: @Sendable (any Error) async -> Void
    private let shown = Mutex(Shown())
    private let isKnown = LatestValue(false)

    /// - Parameters:
    ///   - fallback: Shows what the desktop does not.
    ///   - leavesOut: Whether a computer, by its id, shows what it tells on this desktop itself.
    ///   - refused: Told why the desktop shows nothing, once until it shows something again.
    public init(
        _ desktop: any DesktopBanners,
        fallback: any NotificationPresenter = FollowedPresenter(),
        leavesOut: @escaping @Sendable (_ computer: String) async -> Bool = { _ in false },
        refused: @escaping @Sendable (any Error) async -> Void = { _ in }
    ) {
        self.desktop = desktop
        self.fallback = fallback
        self.leavesOut = leavesOut
        self.refused = refused
    }

    public func present(_ banners: [NotificationBanner]) async {
        guard let last = banners.last, await !leavesOut(last.id.computer) else { return }
        await knowing()
        if let summary = banners.summary {
            let number = await show(
                summary.title,
                summary.body,
                isUrgent: banners.contains { $0.priority == .urgent },
                hasSound: banners.contains(where: \.hasSound),
                replacing: shown.withLock { $0.numbers[last.id] }
            )
            guard let number else { return await fallback.present(banners) }
            // It stays until the last of them was read.
            return note(number, for: last.id, isAlone: false)
        }
        for banner in banners {
            let number = await show(
                banner.title,
                [banner.body, banner.computerName ?? ""].filter { !$0.isEmpty }.joined(separator: "\n"),
                isUrgent: banner.priority == .urgent,
                hasSound: banner.hasSound,
                replacing: shown.withLock { $0.numbers[banner.id] }
            )
            if let number { note(number, for: banner.id, isAlone: true) } else { await fallback.present([banner]) }
        }
    }

    public func withdraw(_ ids: [KeptNotification.ID]) async {
        for id in ids {
            // One that the person closed is not there any more.
            if let number = shown.withLock({ $0.forget(id) }) { try? await desktop.close(number) }
        }
        await fallback.withdraw(ids)
    }

    public func answers() async -> any AsyncSequence<KeptNotification.ID, Never> & Sendable {
        shown.withLock { $0.isRead = true }
        let events = await desktop.events()
        return Self.answers(events) { [weak self] in self?.take($0) }
    }

    private static func answers<Events: AsyncSequence<DesktopBannerEvent, Never> & Sendable>(
        _ events: Events,
        _ take: @escaping @Sendable (DesktopBannerEvent) -> KeptNotification.ID?
    ) -> any AsyncSequence<KeptNotification.ID, Never> & Sendable {
        events.compactMap { take($0) }
    }

    /// - Returns: The notification that the person has seen to, if the event is about one.
    private func take(_ event: DesktopBannerEvent) -> KeptNotification.ID? {
        defer { isKnown.set(true) }
        return shown.withLock { shown in
            switch event {
            case .renumbered:
                (shown.numbers, shown.ids, shown.order) = ([:], [:], [])
                return nil
            case .pressed(let number), .dismissed(let number):
                guard let id = shown.ids[number] else { return nil }
                _ = shown.forget(id)
                return id
            case .closed(let number):
                if let id = shown.ids[number] { _ = shown.forget(id) }
                return nil
            }
        }
    }

    /// Returns once it is known whether the desktop has a service: numbers from before that would be forgotten.
    private func knowing() async {
        guard shown.withLock(\.isRead) else { return }
        for await isKnown in isKnown.values() where isKnown { return }
    }

    /// - Returns: Nil where the desktop shows none.
    private func show(
        _ title: String,
        _ text: String,
        isUrgent: Bool,
        hasSound: Bool,
        replacing number: UInt32?
    ) async -> UInt32? {
        do {
            let number = try await desktop.show(
                title,
                text,
                isUrgent: isUrgent,
                hasSound: hasSound,
                replacing: number
            )
            shown.withLock { $0.isRefused = false }
            return number
        } catch {
            let isNew = shown.withLock { shown in
                defer { shown.isRefused = true }
                return !shown.isRefused
            }
            if isNew { await refused(error) }
            return nil
        }
    }

    private func note(_ number: UInt32, for id: KeptNotification.ID, isAlone: Bool) {
        shown.withLock { shown in
            _ = shown.forget(id)
            shown.numbers[id] = number
            if isAlone { shown.ids[number] = id }
            shown.order.append(id)
            if shown.order.count > Self.capacity { _ = shown.forget(shown.order[0]) }
        }
    }
}
