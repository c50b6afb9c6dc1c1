public import Foundation

/// The code that a computer shows while it waits for a phone.
public struct ShownPairingCode: Hashable, Sendable {
    /// The QR code to scan.
    public let qr: DesktopPairingQR
    /// The code as the address of the page for phones; nil where no hub of this computer serves one.
    public let link: PairingLink?
    /// The digits to type. They are replaced after a wrong guess, while the QR code stays as it is. Nil while typed codes are
    /// locked after wrong tries, and where none was asked for; scanning still works.
    public let typed: TypedCode?
    /// When scanned and typed code are over.
    public let expiresAt: Date

    /// The text of the QR code.
    public var qrText: String { qr.text }
}
