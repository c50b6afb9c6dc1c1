public import Foundation
public import Sealing

/// A phone's request to be paired with this computer, which is shown to the person there, who decides about it.
public struct PairingRequest: Hashable, Sendable, Identifiable {
    /// A short random id, for a command line.
    public let id: String
    /// The phone's name, cleaned for showing.
    public let name: String
    /// The id that the phone gives itself, beside its DID.
    public let deviceID: String
    /// Its operating system, as it says.
    public let platform: PairingPlatform
    /// The phone's DID.
    public let did: DID
    /// Whether the phone proved its key and seals from here on. When false, the name and the DID are only claims.
    public let isEndToEnd: Bool
    /// Six digits that the phone shows too, to compare before accepting. Nil when the way of pairing needs none.
    public let comparisonNumber: String?
    /// Set where this computer knows the device with another key: it was set up anew, or it is another device.
    public let identityChange: IdentityChange?
    /// When it came, by this computer's clock.
    public let arrivedAt: Date
    /// When it is refused automatically.
    public let expiresAt: Date

    /// The words of the phone's key, for people to compare.
    public var fingerprint: String { did.fingerprint }
    /// Whether a person has to decide, even where requests are accepted without asking.
    public var needsPerson: Bool { comparisonNumber != nil || identityChange != nil }

    /// The device's earlier record.
    public struct IdentityChange: Hashable, Sendable {
        /// The device's name in that record.
        public let knownName: String
        /// The words of the device's key in that record.
        public let knownFingerprint: String
    }
}
