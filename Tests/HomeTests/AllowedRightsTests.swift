import Clipboard
import ClipboardHost
import Commands
import Control
import FeatureTesting
import Foundation
import GRDB
import HomeTesting
import Kernel
import Pairing
import Rights
import Sealing
import Storage
import Testing
import Transport

@testable import TandemDesktop
@testable import TandemPhone

/// A phone learns what its computer allows it, whether it is there or not.
@Suite("What a phone is allowed, as the computer says", .timeLimit(.minutes(4)))
struct AllowedRightsTests {
    private static func run(_ body: @escaping @Sendable (Home, PairedDesktop) async throws -> Void) async throws {
        let clipboard = ClipboardSkill.maker(clipboard: InMemoryClipboard(text: "Grüße"), pictures: InMemoryPictures())
        try await Home.run(.init(host: [clipboard, BellSkill.maker], phone: .standard + [BellFeature.maker])) { home in
            try await body(home, try await home.pair())
        }
    }

    /// What the phone was told, up to a list of these rights.
    private static func told(_ home: Home, until rights: Set<Right>) async throws -> [AllowedRights] {
        var told: [AllowedRights] = []
        for await list in try await home.phone.desktops.list() {
            guard let allowed = list.first?.allowed, allowed != told.last else { continue }
            told.append(allowed)
            if allowed.rights == rights { break }
        }
        return told
    }

    private static func count(_ table: String, _ home: Home) async throws -> Int? {
        try await home.desktop.state.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
    }

    @Test("it is told with the pairing and with each change, and shows what the owner can type")
    func connected() async throws {
        try await Self.run { home, computer in
            _ = try await Self.told(home, until: [.notification])
            let show = ControlRequest(id: 1, method: "devices.show", params: ["id": .string(computer.pcPeerID)])
            let shown = try await home.phone.control.handle(show)
            #expect(shown["allowed"] == ["notification"])
            let phone = TerminalText.name(try await home.record().name)
            #expect(shown["notAllowed"]?.stringValue?.contains("tandem devices allow \(phone) ") == true)
            try await home.allow([.bell, .clipboard])
            _ = try await Self.told(home, until: [.notification, .bell, .clipboard])
            let now = try #require(try await home.phone.pairedDesktops().first)
            #expect(try await home.phone.advice(on: Permission(.clipboard), at: now) == nil)
            try await home.deny([.clipboard])
            _ = try await Self.told(home, until: [.notification, .bell])
            let later = try #require(try await home.phone.pairedDesktops().first)
            let advice = try await home.phone.advice(on: Permission(.clipboard), at: later)
            #expect(
                advice == """
                    studio-pc does not allow this phone clipboard. Ask for it with: tandem devices ask clipboard. \
                    Its owner allows it there with: \
                    tandem devices allow \(phone) clipboard
                    """
            )
            let list = try await home.phone.control.handle(.init(id: 1, method: "devices.list"))
            #expect(list["devices"]?.arrayValue?.map { $0["allowed"] } == [["notification", "bell"]])
        }
    }

    @Test("a phone that was away for a day, through restarts of both, learns only the newest, in order and once")
    func away() async throws {
        try await Self.run { home, computer in
            try await home.allow([.bell])
            _ = try await Self.told(home, until: [.notification, .bell])
            let device = try await home.record().did.text
            await home.stopPhone()
            #expect(try await Self.count("sessionKept", home) == 0)
            try await home.allow([.clipboard])
            try await #require(try await home.feature(BellSkill.self)).missed("Ada", device: device)
            try await home.deny([.clipboard])
            await home.stopDesktop()
            home.pass(.seconds(24 * 3600))
            try await home.startDesktop()
            try await home.allow([.clipboard])
            try await home.deny([.bell])
            try await home.allow([.bell])
            #expect(try await Self.count("sessionKept", home) == 1)  // the bell's went with its right
            let before = try await home.desktop.configuration.time.date.addingTimeInterval(-3600)
            try await home.startPhone()
            let told = try await Self.told(home, until: [.notification, .bell, .clipboard])
            #expect(told.map(\.rights) == [[.notification, .bell], [.notification, .bell, .clipboard]])
            #expect(told[1].saidAt > before)
            // Nothing is said again to the next process of either.
            try await home.connected(computer)
            await home.stopPhone()
            await home.stopDesktop()
            try await home.startDesktop()
            try await home.startPhone()
            try await home.connected(computer)
            try await #require(try await home.feature(BellSkill.self)).missed("Bo", device: device)
            _ = try await home.phone.part(BellPart.self, of: computer).missed(1)
            #expect(try await home.phone.pairedDesktops().map(\.allowed) == [told[1]])
        }
    }

    @Test("it waits longer than news does: after a month away the phone learns it all the same")
    func month() async throws {
        try await Self.run { home, _ in
            _ = try await Self.told(home, until: [.notification])
            await home.stopPhone()
            try await home.allow([.bell])
            let bell = try #require(try await home.feature(BellSkill.self))
            let device = try await home.record().did.text
            try await bell.missed("Ada", device: device)
            home.pass(.seconds(31 * 24 * 3600))
            try await bell.missed("Bo", device: device)
            #expect(try await Self.count("sessionKept", home) == 2)
            try await home.startPhone()
            #expect(try await Self.told(home, until: [.notification, .bell]).count == 2)
        }
    }

    @Test("a phone that was paired before computers said it is told as soon as this computer runs")
    func earlier() async throws {
        try await Self.run { home, _ in
            let first = try await Self.told(home, until: [.notification])
            let store = try await home.desktop.phones.records.store
            await home.stopPhone()
            await home.stopDesktop()
            try await store.update(#require(store.all().first).did) { $0.toldRights = nil }
            home.pass(.seconds(60))
            try await home.startDesktop()
            try await home.startPhone()
            for await list in try await home.phone.desktops.list() where list.first?.allowed != first.last { break }
            #expect(try await home.phone.pairedDesktops().first?.allowed?.rights == [.notification])
        }
    }

    @Test("the computer decides: what the phone believes is only shown, and unknown where nothing was said")
    func judge() async throws {
        try await Self.run { home, computer in
            try await home.allow([.bell])
            _ = try await Self.told(home, until: [.notification, .bell])
            let peer = try await home.phone.peer(computer)
            for believed in [AllowedRights([], saidAt: Date()), nil] {
                let stale = try await home.phone.desktops.update(computer.pcPeerID) { $0.allowed = believed }
                let advice = try await home.phone.advice(on: Permission(.bell), at: #require(stale))
                #expect((advice == nil) == (believed == nil))
                _ = try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1))
            }
            let shown = try await home.phone.control.handle(.init(id: 1, method: "devices.list"))["devices"]
            #expect(shown?.arrayValue?.map { $0["allowed"] } == [.null])
            #expect(shown?.arrayValue?.map { $0["notAllowed"] } == [.null])
        }
    }
}
