import Foundation
import Pairing
import Sealing

/// One pairing over a hostile relay, judged: did a key that is not the other device's get into a store, and is one side
/// paired without the other?
package struct RelayAttack: Sendable {
    package enum Verdict: Hashable, Sendable {
        case paired
        case notPaired
        /// The relay guessed a six-digit comparison: once in a million.
        case guessed
        /// What must never happen; the text says what it was.
        case broken(String)
    }

    private let desktop: OwnDevice
    private let attacker: OwnDevice

    package init() {
        desktop = Self.device("studio-pc", id: MaliciousRelay.desktopID)
        attacker = Self.device("Mallory", id: "mallory")
    }

    private static func device(_ name: String, id: String) -> OwnDevice {
        OwnDevice(identity: Identity(), deviceID: id, info: PairingDeviceInfo(name: name, platform: .linux))
    }

    /// - Parameter isHonest: Only carries the messages, to see that the same code pairs then.
    package func run(_ way: MaliciousRelay.Way, isHonest: Bool = false, seed: UInt64) throws -> Verdict {
        let phone = Self.device("My iPhone", id: "b1d6c3a2-0000-4000-8000-00000000abcd")
        var relay = try MaliciousRelay(
            way: way,
            phone: phone,
            desktop: desktop,
            attacker: attacker,
            isHonest: isHonest,
            seed: seed
        )
        let outcome = try relay.run()
        if outcome.wasLucky { return .guessed }
        if let record = outcome.phone {
            guard record.did == phone.identity.did, record.agreementKey == phone.identity.agreementKey,
                record.name == "My iPhone"
            else { return .broken("the computer stored another phone") }
        }
        if let record = outcome.desktop {
            guard record.did == desktop.identity.did, record.agreementKey == desktop.identity.agreementKey,
                record.pcPeerID == MaliciousRelay.desktopID
            else { return .broken("the phone stored another computer") }
        }
        return verdict(outcome)
    }

    /// What is left when no sealed session follows: the side that is paired alone gives its record up by itself, which only
    /// works for what is provisional.
    private func verdict(_ outcome: MaliciousRelay.Outcome) -> Verdict {
        let later = Date(timeIntervalSince1970: 1_790_000_000 + 3600)
        if outcome.phone != nil, outcome.desktop != nil { return .paired }
        if let phone = outcome.phone, !phone.isOver(at: later) {
            return .broken("half a pairing stays on the computer")
        }
        if let desktop = outcome.desktop, !desktop.isOver(at: later) {
            return .broken("half a pairing stays on the phone")
        }
        return .notPaired
    }
}
