public import Foundation
import Kernel
public import Rights
public import Sealing
import Transport

/// A computer that this phone is paired with.
public struct PairedDesktop: Hashable, Sendable, Identifiable {
    /// The id under which it is reached at a signaling server, and the key of the record.
    public var pcPeerID: String
    /// The name that its owner gave it, cleaned for showing, or the one that the person here calls it by.
    public var deviceName: String
    /// The name that it said last; nil where that is not known.
    public var toldName: String?
    /// Its operating system, as it says.
    public var platform: PairingPlatform
    /// The signaling server on its own network.
    public var lanSignalingURL: URL?
    /// The hub where it can be met from elsewhere; nil for none.
    public var relayURL: URL?
    /// The JSON array of ICE servers, as the desktop sent it.
    public var iceServersJSON: String?
    /// When the ICE servers expire, in seconds since 1970; 0 when not known.
    public var iceExpirySeconds: Int64
    /// When it was paired first.
    public var pairedAt: Date
    /// When it was last heard.
    public var lastSeenAt: Date
    /// The computer's DID; nil for one that speaks only the documented wire.
    public var did: DID?
    /// The computer's static key for sealed sessions; nil when it cannot seal.
    public var agreementKey: AgreementPublicKey?
    /// Whether the other side is known to hold the pairing, too.
    public var state: PairingState
    /// The rights that this phone may use there in the clear, where the computer cannot seal.
    public var clearRights: Set<Right>

    /// The rights that it last said it allows this phone. Nil when it never said so: an earlier version, or a computer that cannot seal.
    public var allowed: AllowedRights?

    public var id: String { pcPeerID }
    /// Whether messages to it are sealed for it alone.
    public var isEndToEnd: Bool { agreementKey != nil }

    public init(
        pcPeerID: String,
        deviceName: String,
        platform: PairingPlatform = .other("desktop"),
        lanSignalingURL: URL? = nil,
        relayURL: URL? = nil,
        iceServersJSON: String? = nil,
        iceExpirySeconds: Int64 = 0,
        pairedAt: Date,
        lastSeenAt: Date,
        did: DID? = nil,
        agreementKey: AgreementPublicKey? = nil,
        state: PairingState,
        clearRights: Set<Right> = [],
        allowed: AllowedRights? = nil,
        toldName: String? = nil
    ) {
        self.pcPeerID = pcPeerID
        self.deviceName = deviceName
        self.platform = platform
        self.lanSignalingURL = lanSignalingURL
        self.relayURL = relayURL
        self.iceServersJSON = iceServersJSON
        self.iceExpirySeconds = iceExpirySeconds
        self.pairedAt = pairedAt
        self.lastSeenAt = lastSeenAt
        self.did = did
        self.agreementKey = agreementKey
        self.state = state
        self.clearRights = clearRights
        self.allowed = allowed
        self.toldName = toldName
    }

    /// This record merged over `earlier`, the one of the same desktop. The date of the first pairing stays, and a pairing that
    /// both sides are known to hold stays confirmed when it is only repeated.
    public func replacing(_ earlier: PairedDesktop?) -> PairedDesktop {
        guard let earlier else { return self }
        var merged = self
        merged.pairedAt = earlier.pairedAt
        if earlier.state == .confirmed, isEndToEnd, earlier.agreementKey == agreementKey, earlier.did == did {
            merged.state = .confirmed
        }
        guard earlier.agreementKey == agreementKey else { return merged }
        merged.iceServersJSON = iceServersJSON ?? earlier.iceServersJSON
        if iceServersJSON == nil { merged.iceExpirySeconds = earlier.iceExpirySeconds }
        merged.lanSignalingURL = lanSignalingURL ?? earlier.lanSignalingURL
        merged.relayURL = relayURL ?? earlier.relayURL
        merged.allowed = allowed ?? earlier.allowed
        return merged
    }

    /// Updates the addresses by those that the computer sent.
    ///
    /// - Parameters:
    ///   - isMetAtHub: Whether it is reached through a hub now. The kept hub may be the one that it names, under another address.
    ///   - isThere: Whether a server at an address that was kept as the computer's own answers.
    public mutating func take(_ addresses: DeviceAddresses, isMetAtHub: Bool = false, isThere: (URL) -> Bool) {
        let lan = addresses.lan.map(\.url)
        if let kept = lanSignalingURL, !lan.contains(kept) {
            // A server that is not its own and where it was met is a hub.
            if relayURL == nil, isThere(kept) || addresses.relays.contains(where: { $0.url == kept }) {
                relayURL = kept
            }
            lanSignalingURL = nil
        }
        lanSignalingURL = lan.first ?? lanSignalingURL
        takeHub(of: addresses, isMetAtHub: isMetAtHub)
    }

    /// Takes over the name that the computer says, unless the person here calls it otherwise.
    public mutating func take(_ said: OwnName) {
        deviceName = said.replacing(deviceName, told: toldName)
        toldName = said.name
    }

    private mutating func takeHub(of addresses: DeviceAddresses, isMetAtHub: Bool) {
        guard let kept = relayURL else {
            relayURL = addresses.relays.first?.url
            return
        }
        guard !isMetAtHub, !addresses.relays.contains(where: { $0.url == kept }) else { return }
        // The computer went to another hub. A hub's local address does not replace one that can be reached from everywhere.
        let isKeptLocal = LocalAddresses.isLocal(kept.host(percentEncoded: false) ?? "")
        if let hub = addresses.relays.first(where: { isKeptLocal || !$0.isLocal }) { relayURL = hub.url }
    }

    mutating func take(_ configuration: IceConfiguration) {
        iceServersJSON = JSONValue.array(configuration.iceServers).canonicalText
        iceExpirySeconds = configuration.expirySeconds
    }
}
