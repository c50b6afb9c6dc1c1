import Control
import HomeTesting
import Kernel
import Pairing
import Sealing
import Testing

@testable import TandemDesktop
@testable import TandemPhone

@Suite("Devices that get another name after they were paired", .timeLimit(.minutes(4)))
struct RenamedDeviceTests {
    /// Returns once the phone's record of its computer is as `isMeant` says.
    private static func computer(_ home: Home, _ isMeant: (PairedDesktop) -> Bool) async throws -> PairedDesktop? {
        for await list in try await home.phone.desktops.list() {
            if let computer = list.first, isMeant(computer) { return computer }
        }
        return nil
    }

    /// Like ``computer(_:_:)``, of the computer's record of the phone.
    private static func phone(_ home: Home, _ isMeant: (PairedPhone) -> Bool) async throws -> PairedPhone? {
        for await list in try await home.desktop.phones.records.store.list() {
            if let phone = list.first, isMeant(phone) { return phone }
        }
        return nil
    }

    @Test("each side learns the other's new name inside the session, and shows it to its person")
    func told() async throws {
        try await Home.run(.init()) { home in
            let paired = try await home.pair()
            #expect(paired.deviceName == "studio-pc")
            await home.stopPhone()
            await home.stopDesktop()
            try await home.startDesktop(named: "den-pc")
            try await home.startPhone(named: "Ada's new phone")
            let computer = try await Self.computer(home) { $0.toldName == "den-pc" }
            #expect(computer?.deviceName == "den-pc")
            let phone = try await Self.phone(home) { $0.toldName == "Adas new phone" }
            #expect(phone?.name == "Adas new phone")
            let list = ControlRequest(id: 1, method: "devices.list")
            let shown = try await home.phone.control.handle(list)["devices"]?.arrayValue
            #expect(shown?.map { $0["name"] } == ["den-pc"])
        }
    }

    @Test("the name that the person here gave a device stays, whatever that says")
    func own() async throws {
        try await Home.run(.init()) { home in
            let paired = try await home.pair()
            _ = try await home.phone.rename(paired, to: "Mine")
            _ = try await home.desktop.phones.rename(home.record(), to: "Hers")
            await home.stopPhone()
            await home.stopDesktop()
            try await home.startDesktop(named: "den-pc")
            try await home.startPhone(named: "new")
            let computer = try await Self.computer(home) { $0.toldName == "den-pc" }
            #expect(computer?.deviceName == "Mine")
            let phone = try await Self.phone(home) { $0.toldName == "new" }
            #expect(phone?.name == "Hers")
        }
    }

    @Test("no phone takes the name of another one, by which the owner tells who asks")
    func taken() async throws {
        try await Home.run(.init()) { home in
            _ = try await home.pair()
            var other = try await home.record()
            let own = other.name
            other = PairedPhone(
                did: Identity().did,
                deviceID: "other",
                name: "Ben's phone",
                platform: .android,
                agreementKey: other.agreementKey,
                pairedAt: other.pairedAt,
                lastSeenAt: other.lastSeenAt,
                state: .confirmed
            )
            let phones = try await home.desktop.phones
            _ = try await phones.records.store.save(other)
            await phones.named(other.did, OwnName(own.uppercased()))
            #expect(phones.records.record(other.did)?.name == "Ben's phone")
            await phones.named(other.did, OwnName("spare"))
            // Not known to be the name that it said at its pairing: the owner's word stays.
            #expect(phones.records.record(other.did)?.toldName == "spare")
        }
    }
}
