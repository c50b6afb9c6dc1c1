/// The computer that the server runs inside, as the embedded dialect lists it before its own socket has registered.
public struct LocalPeer: Hashable, Sendable {
    public var id: String
    public var deviceType: String
    public var deviceName: String
    public var platform: String
    /// The address by which phones on the LAN reach it.
    public var ipAddress: String

    public init(id: String, deviceType: String = "desktop", deviceName: String, platform: String, ipAddress: String) {
        self.id = id
        self.deviceType = deviceType
        self.deviceName = deviceName
        self.platform = platform
        self.ipAddress = ipAddress
    }
}
