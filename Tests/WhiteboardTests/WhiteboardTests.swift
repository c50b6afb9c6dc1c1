import Capabilities
import CommandServer
import Commands
import Control
import Foundation
import GRDB
import HomeTesting
import Kernel
import Pairing
import Rights
import Sealing
import TandemDesktop
import TandemPhone
import Testing
import Transport
import Whiteboard
import WhiteboardHost

/// The proof of the joints: a feature that is a folder of its own and a line in each list, and whose every half works in the real compositions.
@Suite("A feature with a computer's, a phone's and a hub's half", .timeLimit(.minutes(4)))
struct WhiteboardTests {
    private static let drawing: Set<Right> = [.whiteboard]

    private static func computer(_ name: String = "studio-pc", of owner: String = "Ada") -> ComputerPlan {
        var plan = ComputerPlan(name, owner: owner, features: [WhiteboardSkill.maker])
        // Floods are tested elsewhere.
        plan.limits.session = GateLimits.Rate(burst: 1e9, perSecond: 1e9)
        return plan
    }

    private static func phone(_ name: String, of owner: String = "Ada") -> PhonePlan {
        PhonePlan(name, owner: owner, features: .standard + [WhiteboardFeature.maker])
    }

    /// A computer and two phones of one person, which may draw.
    private static func run(_ body: @escaping @Sendable (Home, HomeComputer, HomePhone, HomePhone) async throws -> Void)
        async throws
    {
        try await Home.run(computers: [computer()], phones: [phone("phone"), phone("tablet")]) { home in
            try await home.pairOwners(allowing: drawing)
            try await body(
                home,
                home.computer(named: "studio-pc"),
                home.phone(named: "phone"),
                home.phone(named: "tablet")
            )
        }
    }

    private static func part(of phone: HomePhone) async throws -> WhiteboardPart {
        let role = try await phone.role
        return try await role.part(WhiteboardPart.self, of: role.desktop(named: nil))
    }

    @discardableResult
    private static func draw(_ shape: String, on phone: HomePhone) async throws -> Stroke {
        let role = try await phone.role
        let peer = role.peer(try await role.desktop(named: nil))
        return try await peer.call(WhiteboardMethods.draw, WhiteboardMethods.Draw(shape: shape))
    }

    @Test("two phones see the same strokes in order, once, through restarts of all")
    func followed() async throws {
        try await Self.run { home, computer, phone, tablet in
            try await Self.draw("a", on: phone)
            try await Self.draw("b", on: tablet)
            for device in [phone, tablet] { try await Self.part(of: device).shows(["a", "b"]) }
            await computer.stop()
            try await computer.start()
            let third = try await Self.draw("c", on: phone)
            #expect(third == Stroke(number: 3, artist: phone.did.text, shape: "c"))
            for device in [phone, tablet] { try await Self.part(of: device).shows(["a", "b", "c"]) }
            await home.stop(tablet)
            try await Self.draw("d", on: phone)
            try await tablet.start()
            for device in [phone, tablet] { try await Self.part(of: device).shows(["a", "b", "c", "d"]) }
        }
    }

    @Test("a board of several pages is read whole")
    func pages() async throws {
        try await Self.run { home, _, phone, tablet in
            await home.stop(tablet)
            let shapes = (0...2 * WhiteboardMethods.pageLimit).map { "\($0)" }
            for shape in shapes { try await Self.draw(shape, on: phone) }
            try await tablet.start()
            for device in [phone, tablet] { try await Self.part(of: device).shows(shapes) }
        }
    }

    @Test("the computer of another person, and that person's phone, see nothing of it")
    func people() async throws {
        try await Home.run(
            computers: [Self.computer(), Self.computer("attic-pc", of: "Bo")],
            phones: [Self.phone("phone"), Self.phone("Bo's phone", of: "Bo")]
        ) { home in
            try await home.pairOwners(allowing: Self.drawing)
            let (ada, bo) = (try home.phone(named: "phone"), try home.phone(named: "Bo's phone"))
            try await Self.draw("Ada's", on: ada)
            try await Self.draw("Bo's", on: bo)
            try await Self.part(of: ada).shows(["Ada's"])
            try await Self.part(of: bo).shows(["Bo's"])
        }
    }

    @Test("a stroke waits for a computer that is away, and one without a shape is refused before it waits")
    func queue() async throws {
        try await Self.run { _, computer, phone, tablet in
            let role = try await phone.role
            let desktop = try await role.desktop(named: nil)
            await computer.stop()
            _ = try await role.enqueue(WhiteboardMethods.draw.name, ["shape": "late"], for: desktop)
            await #expect(throws: RemoteError.self) {
                try await role.enqueue(WhiteboardMethods.draw.name, ["shape": ""], for: desktop)
            }
            try await computer.start()
            try await Self.part(of: tablet).shows(["late"])
        }
    }

    @Test("a board that is wiped is empty on the phones, also on one that was away")
    func wiped() async throws {
        try await Self.run { home, computer, phone, tablet in
            try await Self.draw("a", on: phone)
            for device in [phone, tablet] { try await Self.part(of: device).shows(["a"]) }
            await home.stop(tablet)
            let wiped = try await computer.role.control.call(WhiteboardSkill.wipe)
            #expect(wiped.epoch == "1")
            try await Self.part(of: phone).shows([])
            try await tablet.start()
            #expect(try await Self.draw("b", on: tablet).number == 1)
            for device in [phone, tablet] { try await Self.part(of: device).shows(["b"]) }
        }
    }

    @Test("its binary message draws like a call, and is refused without the right, as the call is")
    func frame() async throws {
        try await Self.run { _, computer, phone, tablet in
            let part = try await Self.part(of: phone)
            try await part.draw("by hand")
            #expect(await part.answers(1) == [[WhiteboardFrame.firstByte, 1]])
            try await Self.part(of: tablet).shows(["by hand"])
            try await computer.deny(Self.drawing, to: phone)
            try await part.draw("once more")
            #expect(await part.answers(2).last == [WhiteboardFrame.firstByte, 0])
            let refused = await #expect(throws: RemoteFailure.self) { try await Self.draw("once more", on: phone) }
            #expect(refused?.code == FailureCode.notAllowed)
        }
    }

    @Test("the owner sees who follows it, and a phone that loses its right follows no more")
    func followers() async throws {
        try await Self.run { _, computer, phone, tablet in
            try await Self.draw("a", on: phone)
            for device in [phone, tablet] { try await Self.part(of: device).shows(["a"]) }
            let skill = try #require(try await computer.feature(WhiteboardSkill.self))
            #expect(await Set(skill.activities().map(\.device)) == [phone.did.text, tablet.did.text])
            try await computer.deny(Self.drawing, to: tablet)
            #expect(await skill.activities().map(\.device) == [phone.did.text])
        }
    }

    @Test("its table is in a database of its own, and its title is as it was set, in its check too")
    func storage() async throws {
        var plan = Self.computer()
        plan.settings = ["whiteboardTitle": "Our plans"]
        try await Home.run(computers: [plan], phones: []) { home in
            let desktop = try await home.computer(named: "studio-pc").role
            let tables = try await desktop.database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master WHERE name = 'stroke'")
            }
            #expect(tables == 0)
            let doctor = try await desktop.control.call(.doctor)
            #expect(doctor.checks.first { $0.name == "Whiteboard" }?.detail == "Our plans")
            #expect(desktop.topics.contains { $0.name == "whiteboard" })
            #expect(try desktop.pageRoutes().http.contains { $0.path.description == "/api/whiteboard" })
        }
    }
}
