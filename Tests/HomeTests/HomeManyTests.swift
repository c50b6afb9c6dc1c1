import CommandServer
import Commands
import HomeTesting
import Pairing
import Rights
import Sealing
import TandemPhone
import Testing

/// Homes of several computers and phones, and of several people.
@Suite("Homes of several", .timeLimit(.minutes(4)))
struct HomeManyTests {
    private static func computer(_ name: String, of owner: String = "Ada") -> ComputerPlan {
        ComputerPlan(name, owner: owner, features: [BellSkill.maker])
    }

    private static func phone(_ name: String, of owner: String = "Ada") -> PhonePlan {
        PhonePlan(name, owner: owner, features: .standard + [BellFeature.maker])
    }

    @Test("two computers of two people do not hear each other's phones")
    func people() async throws {
        try await Home.run(
            computers: [Self.computer("studio-pc"), Self.computer("attic-pc", of: "Bo")],
            phones: [Self.phone("Ada's phone"), Self.phone("Bo's phone", of: "Bo")]
        ) { home in
            try await home.pairOwners(allowing: [.bell])
            for (name, device) in [("studio-pc", "Ada's phone"), ("attic-pc", "Bo's phone")] {
                let (computer, phone) = (try home.computer(named: name), try home.phone(named: device))
                #expect(try await computer.record().did == phone.did)
                let role = try await phone.role
                let paired = try #require(await role.pairedDesktops().first)
                #expect(paired.deviceName == name)
                let peer = role.peer(paired)
                // The first ring of this computer, whoever rang at the other one.
                #expect(try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1)).total == 1)
            }
        }
    }

    @Test("two phones of one computer get what is theirs, and keep their own rights")
    func phones() async throws {
        try await Home.run(
            computers: [Self.computer("studio-pc")],
            phones: [Self.phone("Ada's phone"), Self.phone("Ada's tablet")]
        ) { home in
            try await home.pairOwners(allowing: [.bell])
            let computer = try home.computer(named: "studio-pc")
            let (phone, tablet) = (try home.phone(named: "Ada's phone"), try home.phone(named: "Ada's tablet"))
            let bell = try #require(try await computer.feature(BellSkill.self))
            try await bell.missed("for the phone", device: phone.did.text)
            try await bell.missed("for the tablet", device: tablet.did.text)
            for (device, visitor) in [(phone, "for the phone"), (tablet, "for the tablet")] {
                let role = try await device.role
                let part = try await role.part(BellPart.self, of: role.desktop(named: nil))
                #expect(await part.missed(1).map(\.visitor) == [visitor])
            }
            try await computer.deny([.bell], to: tablet)
            let role = try await tablet.role
            let peer = try await role.peer(role.desktop(named: nil))
            let refused = await #expect(throws: RemoteFailure.self) {
                try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1))
            }
            #expect(refused?.code == FailureCode.notAllowed)
            #expect(try await computer.record(of: phone).allowedSkills.contains(.bell))
        }
    }

    @Test("a member that is not there, or does not run, is an error")
    func missing() async throws {
        try await Home.run(computers: [Self.computer("studio-pc"), Self.computer("attic-pc")]) { home in
            #expect(throws: HomeError.found(0)) { try home.computer(named: "cellar-pc") }
            await #expect(throws: HomeError.found(2)) { try await home.desktop }
            let phone = try home.phone(named: "My phone")
            await home.stop(phone)
            await #expect(throws: HomeError.stopped) { try await phone.role }
            try await phone.start()
            #expect(try await phone.role.pairedDesktops().isEmpty)
        }
        await #expect(throws: HomeError.found(0)) {
            try await Home.run(hubs: []) { _ in Issue.record("there is no hub") }
        }
    }
}
