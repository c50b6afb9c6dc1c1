/// The computer that the server runs inside, as the embedded dialect lists it before its own socket has registered.
package struct LocalPeer: Hashable, Sendable {
    /// The id under which the computer's own socket registers.
    package var id: String
    /// The device type, as in a registration: `desktop`.
    package var deviceType: String
    /// For people.
    package var deviceName: String
    /// The platform, as in a registration: `linux`, `darwin`.
    package var platform: String
    /// The address by which phones on the LAN reach it.
    package var ipAddress: String

    package init(id: String, deviceType: String = "desktop", deviceName: String, platform: String, ipAddress: String) {
        self.id = id
        self.deviceType = deviceType
        self.deviceName = deviceName
        self.platform = platform
        self.ipAddress = ipAddress
    }
}
