/// Provides this device's description of itself. The person may rename the device while the program runs.
public protocol PairingDeviceInfoProvider: Sendable {
    func deviceInfo() async -> PairingDeviceInfo
}

/// A description that never changes.
public struct FixedDeviceInfo: PairingDeviceInfoProvider {
    private let info: PairingDeviceInfo

    public init(_ info: PairingDeviceInfo) { self.info = info }

    public func deviceInfo() -> PairingDeviceInfo { info }
}
