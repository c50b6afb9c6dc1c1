public import Kernel

/// A forwarded message as it arrived.
public struct ReceivedMessage: Hashable, Sendable {
    /// When a relay stored and delivered a message, by its clock, in milliseconds since 1970.
    public struct Storage: Hashable, Sendable {
        /// When the relay stored the message.
        public var storedAt: Int64?
        /// When the relay sent it on to this device.
        public var deliveredAt: Int64?

        public init(storedAt: Int64?, deliveredAt: Int64?) {
            self.storedAt = storedAt
            self.deliveredAt = deliveredAt
        }
    }

    /// The sender that the relay stamped, which is only a claim. Nil for a sender that was not registered.
    public var from: String?
    /// The message's kind; kinds that this version does not know are kept.
    public var kind: SignalKind
    /// The payload of a `message`; for other kinds an object with their fields, whatever their form.
    public var payload: JSONValue
    /// Whether its fields stood beside `type` or inside a `message`.
    public var form: SignalForm
    /// When the relay forwarded it, in milliseconds since 1970 by the relay's clock.
    public var timestamp: Int64?
    /// Set when the relay kept the message while this device was away.
    public var storage: Storage?

    public init(
        from: String?,
        kind: SignalKind = .message,
        payload: JSONValue,
        form: SignalForm = .topLevel,
        timestamp: Int64? = nil,
        storage: Storage? = nil
    ) {
        self.from = from
        self.kind = kind
        self.payload = payload
        self.form = form
        self.timestamp = timestamp
        self.storage = storage
    }

    /// Whether the message waited at the relay, so that it may be up to a day old.
    public var wasStored: Bool { storage != nil }
}

extension ReceivedMessage {
    /// The frame's own fields, which do not belong to the kind's.
    private static let envelopeKeys: Set<String> = ["type", "from", "to", "timestamp"]

    /// Nil for a frame that is no forwarded message.
    init?(_ frame: JSONValue) {
        guard let members = frame.objectValue, let type = members["type"]?.stringValue else { return nil }
        let kind = SignalKind(rawValue: type)
        from = members["from"]?.peerID
        timestamp = members["timestamp"]?.integerValue
        if kind == .message {
            let payload = members["payload"] ?? .null
            let nested = payload["type"]?.stringValue.map(SignalKind.init(rawValue:))
            if let nested, nested.isNegotiation {
                self.kind = nested
                self.payload = .object((payload.objectValue ?? [:]).filter { $0.key != "type" })
                form = .nested
            } else {
                self.kind = .message
                self.payload = payload
                form = .topLevel
            }
        } else if kind.isForwardedAlone {
            self.kind = kind
            payload = .object(members.filter { !Self.envelopeKeys.contains($0.key) })
            form = .topLevel
        } else {
            return nil
        }
    }
}
