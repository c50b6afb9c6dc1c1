import Synchronization

/// A desktop's own service for banners, as `org.freedesktop.Notifications` has it.
public protocol DesktopBanners: Sendable {
    /// Shows one, in the place of an earlier one where that is still there.
    ///
    /// - Parameter text: Plain; an adapter escapes what its service takes for markup.
    /// - Returns: The service's number for it.
    func show(_ title: String, _ text: String, isUrgent: Bool, hasSound: Bool, replacing number: UInt32?) async throws
        -> UInt32
    func close(_ number: UInt32) async throws
}

/// Shows banners on the desktop that this phone runs on. More than a few at one time are one.
public final class DesktopPresenter: NotificationPresenter {
    /// Banners whose numbers are remembered; of older ones none is withdrawn.
    private static let capacity = 512

    private struct Shown {
        var numbers: [KeptNotification.ID: UInt32] = [:]
        /// The oldest first.
        var order: [KeptNotification.ID] = []
    }

    private let desktop: any DesktopBanners
    private let shown = Mutex(Shown())

    public init(_ desktop: any DesktopBanners) { self.desktop = desktop }

    public func present(_ banners: [NotificationBanner]) async {
        if let summary = banners.summary {
            // A desktop that shows nothing now has no use for it later: the list has it.
            let number = try? await desktop.show(
                summary.title,
                summary.body,
                isUrgent: banners.contains { $0.priority == .urgent },
                hasSound: banners.contains(where: \.hasSound),
                replacing: nil
            )
            // It stays until the last of them was read.
            if let number, let last = banners.last { note(number, for: last.id) }
            return
        }
        for banner in banners {
            let number = try? await desktop.show(
                banner.title,
                [banner.body, banner.computerName ?? ""].filter { !$0.isEmpty }.joined(separator: "\n"),
                isUrgent: banner.priority == .urgent,
                hasSound: banner.hasSound,
                replacing: shown.withLock { $0.numbers[banner.id] }
            )
            if let number { note(number, for: banner.id) }
        }
    }

    public func withdraw(_ ids: [KeptNotification.ID]) async {
        for id in ids {
            let number = shown.withLock { shown in
                shown.order.removeAll { $0 == id }
                return shown.numbers.removeValue(forKey: id)
            }
            // One that the person closed is not there any more.
            if let number { try? await desktop.close(number) }
        }
    }

    private func note(_ number: UInt32, for id: KeptNotification.ID) {
        shown.withLock { shown in
            if shown.numbers.updateValue(number, forKey: id) == nil { shown.order.append(id) }
            if shown.order.count > Self.capacity { shown.numbers[shown.order.removeFirst()] = nil }
        }
    }
}
