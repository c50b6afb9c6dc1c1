import Foundation
import Pairing
import Sealing
import Testing

@Suite("A hostile relay")
struct MaliciousRelayTests {
    /// `TANDEM_ADVERSARY_ROUNDS` asks for more than a debug run has time for.
    private static let rounds = ProcessInfo.processInfo.environment["TANDEM_ADVERSARY_ROUNDS"].flatMap(Int.init) ?? 200

    private static func device(_ name: String, id: String) -> OwnDevice {
        OwnDevice(identity: Identity(), deviceID: id, info: PairingDeviceInfo(name: name, platform: .linux))
    }

    @Test(
        "never puts its key into either store, whatever it does, and never leaves one side paired",
        arguments: MaliciousRelay.Way.allCases
    )
    func attacked(way: MaliciousRelay.Way) throws {
        let desktop = Self.device("studio-pc", id: MaliciousRelay.desktopID)
        let attacker = Self.device("Mallory", id: "mallory")
        var paired = 0
        var lucky = 0
        for seed in 0..<Self.rounds / MaliciousRelay.Way.allCases.count {
            let phone = Self.device("My iPhone", id: "b1d6c3a2-0000-4000-8000-00000000abcd")
            var relay = try MaliciousRelay(
                way: way,
                phone: phone,
                desktop: desktop,
                attacker: attacker,
                isHonest: false,
                seed: UInt64(seed)
            )
            let outcome = try relay.run()
            if outcome.wasLucky {
                lucky += 1
                continue
            }
            if let record = outcome.phone {
                #expect(record.did == phone.identity.did, "seed \(seed)")
                #expect(record.agreementKey == phone.identity.agreementKey, "seed \(seed)")
                #expect(record.name == "My iPhone", "seed \(seed)")
            }
            if let record = outcome.desktop {
                #expect(record.did == desktop.identity.did, "seed \(seed)")
                #expect(record.agreementKey == desktop.identity.agreementKey, "seed \(seed)")
                #expect(record.pcPeerID == MaliciousRelay.desktopID, "seed \(seed)")
            }
            let settled = Settlement(outcome)
            #expect(settled.isPhonePaired == settled.isDesktopPaired, "seed \(seed)")
            if settled.isPhonePaired { paired += 1 }
        }
        // One in a million for each six-digit pairing that it stands in the middle of.
        #expect(lucky <= 1)
        // Where it lets enough through, they pair: the checks above are about something.
        #expect(Self.rounds < 100 || paired > 0)
    }

    @Test("an honest relay always pairs both", arguments: MaliciousRelay.Way.allCases)
    func honest(way: MaliciousRelay.Way) throws {
        let phone = Self.device("My iPhone", id: "b1d6c3a2-0000-4000-8000-00000000abcd")
        let desktop = Self.device("studio-pc", id: MaliciousRelay.desktopID)
        var relay = try MaliciousRelay(
            way: way,
            phone: phone,
            desktop: desktop,
            attacker: Self.device("Mallory", id: "mallory"),
            isHonest: true,
            seed: 1
        )
        let outcome = try relay.run()
        #expect(outcome.phone?.agreementKey == phone.identity.agreementKey)
        #expect(outcome.desktop?.agreementKey == desktop.identity.agreementKey)
    }
}

/// What is left once a sealed session was tried: a phone that the computer does not know is told `not-paired`, and a
/// phone that never comes is swept.
private struct Settlement {
    var isPhonePaired: Bool
    var isDesktopPaired: Bool

    init(_ outcome: MaliciousRelay.Outcome) {
        let later = Date(timeIntervalSince1970: 1_790_000_000 + 3600)
        let hasSession = outcome.phone != nil && outcome.desktop != nil
        isPhonePaired = hasSession
        // Only what is provisional can be swept: a record that stays is a record of half a pairing.
        isDesktopPaired = hasSession || outcome.phone.map { !$0.isOver(at: later) } ?? false
    }
}
