public import Foundation
public import Rights
public import Sealing

/// A phone that this computer is paired with.
public struct PairedPhone: Hashable, Sendable, Identifiable {
    /// The id under which it is reached at a signaling server, and the key of the record.
    public var did: DID
    /// The id that the phone gives itself, beside its DID.
    public var deviceID: String
    /// The name that its owner gave it, cleaned for showing, or the one that the person here calls it by.
    public var name: String
    /// The name that it said last; nil where that is not known.
    public var toldName: String?
    /// Its operating system, as it says.
    public var platform: PairingPlatform
    /// Signaling servers it was seen at, newest first.
    public var addresses: [URL]
    /// The phone's static key for sealed sessions; nil for a phone that speaks only the documented wire.
    public var agreementKey: AgreementPublicKey?
    /// When it was paired first.
    public var pairedAt: Date
    /// When it was last heard.
    public var lastSeenAt: Date
    /// The phone's rights on this computer.
    public var allowedSkills: Set<Right>
    /// The rights among ``allowedSkills`` that need a signature, but not from a phone that cannot seal and is on the computer's own
    /// network.
    public var unsignedRights: Set<Right>
    /// The rights among ``allowedSkills`` that end, and when. The others are given for good.
    public var terms: [Right: RightTerm]
    /// The rights that the phone was told it has, or will be told when it is back; nil before. Reset by a new pairing.
    public var toldRights: Set<Right>?
    /// What the phone was told beside ``toldRights``, as ``AllowedRights/more``; nil for nothing.
    public var toldMore: String?
    /// Whether the other side is known to hold the pairing, too.
    public var state: PairingState

    public var id: DID { did }
    /// Whether messages to it are sealed for it alone.
    public var isEndToEnd: Bool { agreementKey != nil }

    public init(
        did: DID,
        deviceID: String,
        name: String,
        platform: PairingPlatform,
        addresses: [URL] = [],
        agreementKey: AgreementPublicKey?,
        pairedAt: Date,
        lastSeenAt: Date,
        allowedSkills: Set<Right> = [],
        unsignedRights: Set<Right> = [],
        terms: [Right: RightTerm] = [:],
        toldRights: Set<Right>? = nil,
        toldMore: String? = nil,
        state: PairingState,
        toldName: String? = nil
    ) {
        self.did = did
        self.deviceID = deviceID
        self.name = name
        self.platform = platform
        self.addresses = addresses
        self.agreementKey = agreementKey
        self.pairedAt = pairedAt
        self.lastSeenAt = lastSeenAt
        self.allowedSkills = allowedSkills
        self.unsignedRights = unsignedRights
        self.terms = terms
        self.toldRights = toldRights
        self.toldMore = toldMore
        self.state = state
        self.toldName = toldName
    }

    /// Takes over the name that the phone says, unless the person here calls it otherwise.
    public mutating func take(_ said: OwnName) {
        name = said.replacing(name, told: toldName)
        toldName = said.name
    }

    /// This record merged over `earlier`, the one of the same DID. The date of the first pairing stays. Rights and
    /// confirmation are kept only for the same key; another key starts from the beginning.
    public func replacing(_ earlier: PairedPhone?) -> PairedPhone {
        guard let earlier else { return self }
        var merged = self
        merged.pairedAt = earlier.pairedAt
        guard earlier.agreementKey == agreementKey else { return merged }
        // What the new pairing gives does not end.
        merged.terms = earlier.terms.filter { !allowedSkills.contains($0.key) }
        merged.allowedSkills.formUnion(earlier.allowedSkills)
        if earlier.state == .confirmed { merged.state = .confirmed }
        for address in earlier.addresses where !merged.addresses.contains(address) && merged.addresses.count < 8 {
            merged.addresses.append(address)
        }
        return merged
    }

    /// Takes rights back, for every way of asking.
    public mutating func remove(_ rights: Set<Right>) {
        allowedSkills.subtract(rights)
        unsignedRights.formIntersection(allowedSkills)
        terms = terms.filter { allowedSkills.contains($0.key) }
    }
}
