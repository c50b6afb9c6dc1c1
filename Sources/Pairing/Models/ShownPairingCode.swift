public import Foundation

/// What a computer shows while it waits for a phone.
public struct ShownPairingCode: Hashable, Sendable {
    public let qr: DesktopPairingQR
    /// Nil while typed codes are locked after wrong tries; scanning still works.
    public let typed: TypedCode?
    public let expiresAt: Date

    /// What is drawn.
    public var qrText: String { qr.text }
}
