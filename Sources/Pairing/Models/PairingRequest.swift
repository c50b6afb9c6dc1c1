public import Foundation
public import Sealing

/// Somebody asks to be paired with this computer: what the person there is shown, and decides about.
public struct PairingRequest: Hashable, Sendable, Identifiable {
    /// Short, for a command line; drawn at random.
    public let id: String
    public let name: String
    public let deviceID: String
    public let platform: PairingPlatform
    public let did: DID
    /// Proven, and sealed from here on. When false, the name and the DID are only claims.
    public let isEndToEnd: Bool
    /// Six digits that the phone shows too; compare before accepting. Nil when the way of pairing needs none.
    public let comparisonNumber: String?
    /// This computer knows the device with another key: it was set up anew, or it is somebody else.
    public let identityChange: IdentityChange?
    public let arrivedAt: Date
    public let expiresAt: Date

    /// Short, for people to compare.
    public var fingerprint: String { did.fingerprint }
    /// Whether a person has to look at it, whatever was allowed beforehand.
    public var needsPerson: Bool { comparisonNumber != nil || identityChange != nil }

    /// What was known about the device before.
    public struct IdentityChange: Hashable, Sendable {
        public let knownName: String
        public let knownFingerprint: String
    }
}
