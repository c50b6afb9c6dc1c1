package import Commands
package import Kernel
package import Rights
package import Transport

/// How a feature reaches paired phones. Each message passes the phone's record: a right that was taken back stops what flows, also what was
/// asked for before.
package protocol DeviceOutlet: Sendable {
    /// The devices that may be told what needs a right, connected or not, in no order. Returns at once.
    ///
    /// - Parameter right: Nil for all that are paired.
    func devices(needing right: Right?) -> [OutletDevice]

    /// Tells one device of an event now. Returns once it is on its way; waits while the device takes no more.
    ///
    /// - Parameter device: A ``Caller/id``.
    /// - Throws: ``RemoteError/notConnected`` when the device is not here, or may not be told that (any more): such an event does not wait
    ///   for it.
    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws

    /// Sends a binary message after everything else. Waits while the device takes no more, and for its return when it is away.
    ///
    /// - Parameter right: What the device must be allowed to be sent this; nil for a refusal, which tells nothing.
    /// - Throws: ``RemoteError/notConnected`` as above.
    func send(frame: [UInt8], needing right: Right?, to device: String) async throws

    /// Keeps an event on disk until the device has it: in order, once, through restarts of both. Returns once it is on disk.
    ///
    /// - Parameter key: An event under the same key that has not left yet is replaced; nil replaces none.
    /// - Throws: ``RemoteError/notConnected`` for a device that is not paired with sealing, or may not be told that; what the disk says.
    func keep(_ kind: EventKind, _ members: [String: JSONValue], replacing key: String?, for device: String)
        async throws

    /// What the device's session, which it has now, gives to connections beside it; nil for a device without one.
    func bulkSecret(of device: String) async -> BulkSecret?
}

extension DeviceOutlet {
    package func bulkSecret(of device: String) async -> BulkSecret? { nil }

    /// The devices that a person means by what they typed, as everywhere else (``TypedDevice``).
    package func devices(typed: String, needing right: Right? = nil) -> [OutletDevice] {
        TypedDevice.matches(
            typed,
            among: devices(needing: right),
            names: { [$0.deviceID, $0.name].compactMap(\.self) },
            id: \.id
        )
    }
}

/// A paired device, as features know it that tell it of something.
package struct OutletDevice: Hashable, Sendable {
    /// A ``Caller/id``.
    package let id: String
    /// The id that the device gives itself, beside its `id`; nil where it gave none.
    package let deviceID: String?
    /// The name for people.
    package let name: String
    /// Whether events can be kept for it while it is away: ``DeviceOutlet/keep(_:_:replacing:for:)``.
    package let keepsEvents: Bool

    package init(id: String, deviceID: String? = nil, name: String, keepsEvents: Bool) {
        self.id = id
        self.deviceID = deviceID
        self.name = name
        self.keepsEvents = keepsEvents
    }
}
