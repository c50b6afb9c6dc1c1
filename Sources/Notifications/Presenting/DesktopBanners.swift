/// A desktop's own service for banners, as `org.freedesktop.Notifications` has it.
public protocol DesktopBanners: Sendable {
    /// Shows one, in the place of an earlier one where that is still there.
    ///
    /// - Parameter text: Plain; an adapter escapes what its service takes for markup.
    /// - Returns: The service's number for it.
    /// - Throws: An error whose description says why this desktop shows none.
    func show(_ title: String, _ text: String, isUrgent: Bool, hasSound: Bool, replacing number: UInt32?) async throws
        -> UInt32
    func close(_ number: UInt32) async throws
    /// The events of banners, those of other programs among them, until its reader's task is cancelled. For one reader. The first event
    /// comes once it is known whether there is a service.
    func events() async -> any AsyncSequence<DesktopBannerEvent, Never> & Sendable
}

/// An event of a desktop's banners.
public enum DesktopBannerEvent: Hashable, Sendable {
    /// The service began or ended: numbers from before mean nothing any more.
    case renumbered
    /// The person pressed it.
    case pressed(UInt32)
    /// The person closed it.
    case dismissed(UInt32)
    /// It went by itself, or was taken back.
    case closed(UInt32)
}
