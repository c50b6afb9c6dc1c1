/// Says what this device calls itself. The person may rename it while the program runs.
public protocol PairingDeviceInfoProvider: Sendable {
    func deviceInfo() async -> PairingDeviceInfo
}

/// A device that is always called the same.
public struct FixedDeviceInfo: PairingDeviceInfoProvider {
    private let info: PairingDeviceInfo

    public init(_ info: PairingDeviceInfo) { self.info = info }

    /// ``info``.
    public func deviceInfo() -> PairingDeviceInfo { info }
}
