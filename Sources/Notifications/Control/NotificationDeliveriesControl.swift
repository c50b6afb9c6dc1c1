public import Control

/// The control methods by which a computer's page and commands ask about its phones.
extension NotificationsControl {
    /// Served by computers only.
    public static let devices = ControlMethod<NoControlParameters, Devices>(
        "notifications.devices",
        summary: "How far each phone has caught up with this computer's notifications."
    )
    /// Served by computers only.
    public static let deliveries = ControlMethod<Named, Deliveries>(
        "notifications.deliveries",
        summary: "Which phones got a notification of this computer, and when."
    )

    /// One notification.
    public struct Named: Codable, Hashable, Sendable {
        public var id: String

        public init(id: String) { self.id = id }
    }

    /// The phones that may be told, by their names.
    public struct Devices: Codable, Hashable, Sendable {
        public struct Device: Codable, Hashable, Sendable {
            /// Its id.
            public var id: String
            /// For people.
            public var name: String
            /// It catches up by numbers; else it is handed what is new, and no more is known of it.
            public var catchesUp: Bool
            /// When it said last how far it is: milliseconds since 1970.
            public var seenAt: Int64?
            /// Changes that it does not have yet.
            public var waiting: Int?
            /// It can be woken while it is closed.
            public var hasPush: Bool

            public init(
                id: String,
                name: String,
                catchesUp: Bool,
                seenAt: Int64? = nil,
                waiting: Int? = nil,
                hasPush: Bool
            ) {
                self.id = id
                self.name = name
                self.catchesUp = catchesUp
                self.seenAt = seenAt
                self.waiting = waiting
                self.hasPush = hasPush
            }
        }

        public var devices: [Device]

        public init(_ devices: [Device]) { self.devices = devices }
    }

    /// The phones that one notification is for.
    public struct Deliveries: Codable, Hashable, Sendable {
        public struct Delivery: Codable, Hashable, Sendable {
            /// The phone's id.
            public var device: String
            /// For people; nil for a phone that is not paired any more.
            public var name: String?
            /// When the phone got it: milliseconds since 1970; nil while it waits.
            public var at: Int64?
            /// The phone said so itself; else it was handed over.
            public var acknowledged: Bool

            public init(device: String, name: String?, at: Int64?, acknowledged: Bool) {
                self.device = device
                self.name = name
                self.at = at
                self.acknowledged = acknowledged
            }
        }

        public var deliveries: [Delivery]

        public init(_ deliveries: [Delivery]) { self.deliveries = deliveries }
    }
}
