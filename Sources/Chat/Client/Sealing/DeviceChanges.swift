/// One entry of a person's lists of devices: up to it they were told.
public struct DeviceListPlace: Hashable, Sendable {
    /// The hash of entry 0, which another list that began anew does not share.
    public var start: [UInt8]
    /// The entry's number, from 0.
    public var number: Int

    public init(start: [UInt8], number: Int) {
        self.start = start
        self.number = number
    }
}

/// What one entry changed.
public struct DeviceChange: Codable, Hashable, Sendable {
    /// The names of devices that messages are sealed for from then on; a peer's texts, of 64 bytes at most.
    public var added: [String]
    public var removed: [String]
    /// The list began anew or is another one, and this person agreed to it.
    public var isAnew: Bool

    public init(added: [String], removed: [String], isAnew: Bool = false) {
        self.added = added
        self.removed = removed
        self.isAnew = isAnew
    }
}

/// How the other person's lists of devices went on. Source: `docs/chat-sealing.md`, "Whose device is it".
public struct DeviceChanges: Hashable, Sendable {
    public var upTo: DeviceListPlace
    /// The earliest first, one for each entry.
    public var changes: [DeviceChange]

    public init(upTo place: DeviceListPlace, changes: [DeviceChange]) {
        upTo = place
        self.changes = changes
    }
}
