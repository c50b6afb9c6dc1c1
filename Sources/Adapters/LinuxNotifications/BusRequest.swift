/// A call to an object on the bus.
package struct BusRequest: Hashable, Sendable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [BusArgument]
    /// Whether the bus may start a program for it.
    package var startsService: Bool

    package init(
        destination: String,
        path: String,
        interface: String,
        member: String,
        _ arguments: [BusArgument] = [],
        startsService: Bool = true
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.startsService = startsService
    }

    /// A call to the bus itself.
    package static func bus(_ member: String, _ arguments: BusArgument...) -> BusRequest {
        BusRequest(
            destination: "org.freedesktop.DBus",
            path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus",
            member: member,
            arguments
        )
    }

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
