public import Control

/// The control methods of waking, for commands and pages on a phone's device.
public enum PowerControl {
    public static let known = ControlMethod<NoControlParameters, WakeableList>(
        "power.known",
        summary: "The paired computers whose network addresses this phone knows, so that they can be woken."
    )
    public static let wakeUp = ControlMethod<WakeUp, WokenBy>(
        "power.wakeUp",
        summary: "Has other paired computers send the packet that wakes one."
    )
}

/// The computers that can be woken, by name.
public struct WakeableList: Codable, Hashable, Sendable {
    /// One computer.
    public struct Computer: Codable, Hashable, Sendable {
        public var id: String
        public var name: String
        public var addresses: [String]
        /// Whether one of its network cards listens while it sleeps; null where it does not say.
        @OrNull public var wakeOn: Bool?
        /// When it told them, in milliseconds since 1970.
        public var at: Int64

        package init(id: String, name: String, addresses: [String], wakeOn: Bool?, at: Int64) {
            self.id = id
            self.name = name
            self.addresses = addresses
            self.wakeOn = wakeOn
            self.at = at
        }
    }

    public var computers: [Computer]

    package init(computers: [Computer]) { self.computers = computers }
}

/// A computer to wake.
public struct WakeUp: Codable, Hashable, Sendable {
    /// The computer's id or name.
    public var device: String
    /// The id or name of the computer that sends the packet; null: every other one that can be reached.
    public var through: String?

    public init(device: String, through: String? = nil) {
        self.device = device
        self.through = through
    }
}

/// What was tried. Whether the computer woke is known only when it comes back.
public struct WokenBy: Codable, Hashable, Sendable {
    /// A computer that was asked to send the packet.
    public struct Sender: Codable, Hashable, Sendable {
        public var id: String
        public var name: String
        /// Packets that went out.
        public var packets: Int
        /// Why none did, in a sentence for the person; null where some did.
        @OrNull public var reason: String?

        package init(id: String, name: String, packets: Int, reason: String?) {
            self.id = id
            self.name = name
            self.packets = packets
            self.reason = reason
        }
    }

    public var senders: [Sender]

    package init(senders: [Sender]) { self.senders = senders }
}
