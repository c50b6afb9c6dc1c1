import DesktopNotifications
package import LinuxBus

extension BusRequest {
    /// A call to the notification service.
    package static func service(
        _ member: String,
        _ arguments: [BusArgument] = [],
        starts: Bool = true
    ) -> BusRequest {
        BusRequest(
            destination: NotificationsName.service,
            path: NotificationsName.path,
            interface: NotificationsName.service,
            member: member,
            arguments,
            startsService: starts
        )
    }
}

extension BusConnection {
    /// Sends a signal of the notification service. On the queue only.
    package func signal(_ member: String, to destination: String?, _ arguments: [BusArgument]) {
        signal(member, of: NotificationsName.service, at: NotificationsName.path, to: destination, arguments)
    }
}

extension BusArgument.Picture {
    init(_ pixels: BusPixels) {
        let row = pixels.width * pixels.channels
        self.init(
            numbers: [Int32(pixels.width), Int32(pixels.height), Int32(row), 8, Int32(pixels.channels)],
            hasAlpha: pixels.hasAlpha,
            bytes: pixels.bytes
        )
    }
}

extension NotificationBusError {
    init(_ error: BusError) {
        switch error {
        case .noSession: self = .noSession
        case .unreachable(let reason): self = .busUnreachable(reason: reason)
        case .foreignBus: self = .foreignBus
        case .noService: self = .noService
        case .refused(let reason): self = .refused(reason: reason)
        case .timedOut(let limit): self = .timedOut(after: limit)
        }
    }

    /// Does `body`, whose errors of the bus are told as those of notifications.
    static func telling<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as BusError {
            throw NotificationBusError(error)
        }
    }
}

/// Names of the Desktop Notifications Specification.
package enum NotificationsName {
    /// The name of the service and of its interface.
    package static let service = "org.freedesktop.Notifications"
    package static let path = "/org/freedesktop/Notifications"
    /// A hint of ours, a flag: see `BusNotification.isPresented`.
    package static let presentedHint = "x-tandem-presented"
    /// Ends the text of what a page of ours shows through its browser, which sends no hint of ours: invisible separators, in an order that
    /// no text has. Known to `notifying/banners.js` and `sw.js` too.
    package static let presentedMark = "\u{2063}\u{2064}\u{2063}"
}
