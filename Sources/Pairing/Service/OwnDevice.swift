import Foundation
import Kernel
public import Sealing

/// This device's part in a pairing: its keys, its id and its description.
public struct OwnDevice: Sendable {
    /// This device's keys.
    public let identity: Identity
    /// The device's id, made once and kept with the keys. A computer is also reached under it.
    public let deviceID: String
    /// The description that is sent in the clear.
    public let info: PairingDeviceInfo

    public init(identity: Identity, deviceID: String, info: PairingDeviceInfo) {
        self.identity = identity
        self.deviceID = deviceID
        self.info = info.bounded
    }

    /// The description inside handshakes, where no relay or stranger on the way can read or change it.
    var claim: DeviceClaim {
        DeviceClaim(
            id: deviceID,
            name: info.name,
            platform: info.platform.rawValue,
            version: info.version ?? ""
        )
    }

    /// The description that a phone sends in the clear.
    var phoneInfo: PairingDeviceInfo {
        PairingDeviceInfo(deviceID: deviceID, name: info.name, platform: info.platform)
    }

    /// The description that a computer sends in the clear.
    var desktopInfo: PairingDeviceInfo {
        PairingDeviceInfo(name: info.name, platform: info.platform, version: info.version)
    }
}

extension OwnDevice {
    /// The message of a phone that answers a code, and its second one where a computer scanned.
    func ack(to code: PairingCode, seal: PairingSeal?, now: Date) throws -> JSONValue {
        let ack = PairingAck(
            code: code,
            mobileDID: identity.did.text,
            deviceInfo: phoneInfo,
            sentAtMilliseconds: now.millisecondsSince1970,
            seal: seal
        )
        return try PairingMessage.ack(ack).payload
    }

    /// The message of a computer that accepts an ack, and its first one where it scanned.
    func confirmation(of code: PairingCode, seal: PairingSeal?, now: Date) throws -> JSONValue {
        let confirmation = PairingConfirmation(
            code: code,
            pcPeerID: deviceID,
            deviceInfo: desktopInfo,
            sentAtMilliseconds: now.millisecondsSince1970,
            seal: seal
        )
        return try PairingMessage.confirmation(confirmation).payload
    }

    /// The first handshake message to the device whose code was scanned, and the scanner that reads the answer.
    ///
    /// - Parameter isAgeDoubted: Whether the code is too old, or from the future, by this device's clock.
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

    /// The presenter that reads the first message of a device that scanned a code of this one.
    ///
    /// - Parameter timestamp: The code's time as the scanning device read it; nil where it was read as shown. A code's time is for
    ///   people and decides nothing, so the read time replaces the shown one, and both sides hash the same.
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
