import Foundation
import Pairing
import Sealing

/// A test of one pairing over a hostile relay. It checks that no key but the other device's gets into a store, and that no side
/// stays paired without the other.
package struct RelayAttack: Sendable {
    package enum Verdict: Hashable, Sendable {
        case paired
        case notPaired
        /// The relay guessed a six-digit comparison, which happens once in a million.
        case guessed
        /// A broken guarantee; the text says which.
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

    /// - Parameter isHonest: Whether the relay only carries the messages, to check that the same code pairs then.
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

    /// The verdict when no sealed session follows. A side that is paired alone gives up its record by itself, which only a
    /// provisional record does.
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
