import Foundation
import Kernel
public import Sealing

/// This device, as it takes part in a pairing.
public struct OwnDevice: Sendable {
    /// This device's keys.
    public let identity: Identity
    /// Made once and kept with the keys; a computer is also reached under it.
    public let deviceID: String
    /// What it says about itself in the clear.
    public let info: PairingDeviceInfo

    public init(identity: Identity, deviceID: String, info: PairingDeviceInfo) {
        self.identity = identity
        self.deviceID = deviceID
        self.info = info.bounded
    }

    /// What travels inside handshakes, where no relay or stranger on the way can read or change it.
    var claim: DeviceClaim {
        DeviceClaim(
            id: deviceID,
            name: info.name,
            platform: info.platform.rawValue,
            version: info.version ?? ""
        )
    }

    /// What a phone sends in the clear.
    var phoneInfo: PairingDeviceInfo {
        PairingDeviceInfo(deviceID: deviceID, name: info.name, platform: info.platform)
    }

    /// What a computer sends in the clear.
    var desktopInfo: PairingDeviceInfo {
        PairingDeviceInfo(name: info.name, platform: info.platform, version: info.version)
    }
}

extension OwnDevice {
    /// What this device, having scanned a code, begins sealing with: the first message, and what reads the answer.
    ///
    /// - Parameter isAgeDoubted: This device's clock finds the code too old, or from the future.
    func opening(
        _ offer: QROffer,
        of qr: JSONValue,
        code: PairingCode,
        isAgeDoubted: Bool,
        now: Date
    ) throws -> (QRExchange.Scanner, PairingSeal) {
        var scanner = try QRExchange.Scanner(
            qr: qr,
            code: code.digits,
            offer: offer,
            identity: identity,
            device: claim
        )
        let handshake = try scanner.open(nowMilliseconds: now.millisecondsSince1970)
        let doubted = isAgeDoubted ? qr["timestamp"]?.integerValue : nil
        return (scanner, PairingSeal(handshake: handshake, codeTimestamp: doubted))
    }

    /// What reads the first message of a device that scanned a code of this one.
    ///
    /// - Parameter timestamp: What the device read as the code's time. A code's time is for people and decides nothing, so what was read
    ///   there stands in for what was shown: both sides hash the same then. Nil where it was read as shown.
    func presenter(
        of qr: JSONValue,
        code: PairingCode,
        offer: QROffer,
        readAs timestamp: Int64? = nil
    ) throws(SealingError) -> QRExchange.Presenter {
        try QRExchange.Presenter(
            qr: timestamp.map { qr.adding("timestamp", .integer($0)) } ?? qr,
            code: code.digits,
            offer: offer,
            identity: identity,
            device: claim
        )
    }
}
