public import Foundation
public import Sealing

/// A phone's request to be paired with this computer: what the person there is shown, and decides about.
public struct PairingRequest: Hashable, Sendable, Identifiable {
    /// Short, for a command line; drawn at random.
    public let id: String
    /// What the phone calls itself, cleaned for showing.
    public let name: String
    /// The id that the phone gives itself, beside its DID.
    public let deviceID: String
    /// Its operating system, as it says.
    public let platform: PairingPlatform
    /// Who asks.
    public let did: DID
    /// Proven, and sealed from here on. When false, the name and the DID are only claims.
    public let isEndToEnd: Bool
    /// Six digits that the phone shows too; compare before accepting. Nil when the way of pairing needs none.
    public let comparisonNumber: String?
    /// This computer knows the device with another key: it was set up anew, or it is another device.
    public let identityChange: IdentityChange?
    /// When it came, by this computer's clock.
    public let arrivedAt: Date
    /// When it is refused by itself.
    public let expiresAt: Date

    /// Short, for people to compare.
    public var fingerprint: String { did.fingerprint }
    /// Whether a person has to look at it, whatever was allowed beforehand.
    public var needsPerson: Bool { comparisonNumber != nil || identityChange != nil }

    /// What was known about the device before.
    public struct IdentityChange: Hashable, Sendable {
        /// What it was called then.
        public let knownName: String
        /// The words of the key it had then.
        public let knownFingerprint: String
    }
}
