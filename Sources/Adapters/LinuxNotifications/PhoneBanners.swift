import DesktopNotifications
package import Notifications

/// The banners of a phone that runs on this desktop, shown by its notification service.
///
/// They carry a mark of ours (`BusNotification.isPresented`), by which a computer's half on the same desktop does not tell them to its phones.
package struct PhoneBanners: DesktopBanners {
    private static let press = BusAction(key: BusNotification.defaultAction, label: "Mark read")
    private let bus: LinuxNotificationBus

    /// - Parameter bus: Its events are read by ``events()``.
    package init(_ bus: LinuxNotificationBus) { self.bus = bus }

    package func show(
        _ title: String,
        _ text: String,
        isUrgent: Bool,
        hasSound: Bool,
        replacing number: UInt32?
    ) async throws -> UInt32 {
        guard try await canShow() else { throw NotificationBusError.noService }
        return try await bus.show(
            BusNotification(
                programName: "Tandem",
                title: title,
                body: text,
                actions: [Self.press].compactMap(\.self),
                urgency: isUrgent ? .critical : .normal,
                desktopEntry: "tandem",
                isSilent: !hasSound,
                isPresented: true
            ),
            replacing: number
        )
    }

    private func canShow() async throws -> Bool {
        do {
            // A computer's half that serves draws nothing: it tells phones what programs show, and this is one of them.
            return try await bus.service().isTandem == false
        } catch NotificationBusError.noService {
            return try await bus.canStartService()
        }
    }

    package func close(_ number: UInt32) async throws { try await bus.close(number) }

    package func events() async -> any AsyncSequence<DesktopBannerEvent, Never> & Sendable {
        bus.events().compactMap { event in
            switch event {
            case .available, .unavailable: .renumbered
            case .closed(let id, .dismissed): .dismissed(id)
            case .closed(let id, _): .closed(id)
            case .actionInvoked(let id, BusNotification.defaultAction): .pressed(id)
            case .actionInvoked, .replied, .shown, .missed: nil
            }
        }
    }
}

extension NotificationService {
    /// A computer's half of Tandem serves it, in this process or another.
    fileprivate var isTandem: Bool {
        name == NotificationServer.service.name && vendor == NotificationServer.service.vendor
    }
}
