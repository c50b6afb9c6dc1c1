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
}
