import Clipboard
import ClipboardHost
import CommandServer
import Commands
import Control
import FeatureTesting
import Foundation
import HomeTesting
import Kernel
import Pairing
import Rights
import Sealing
import Testing

@testable import TandemDesktop
@testable import TandemPhone

/// A phone asks for what it lacks; the owner answers for good, for a time, or no; and both see what is left.
@Suite("Rights that are asked for, given for a time, or chosen at once", .timeLimit(.minutes(4)))
struct AskedRightsTests {
    private static func run(_ body: @escaping @Sendable (Home, PairedDesktop) async throws -> Void) async throws {
        let clipboard = ClipboardSkill.maker(clipboard: InMemoryClipboard(text: "Grüße"), pictures: InMemoryPictures())
        try await Home.run(.init(host: [clipboard, BellSkill.maker], phone: .standard + [BellFeature.maker])) { home in
            let computer = try await home.pair()
            try await home.connected(computer)
            try await body(home, computer)
        }
    }

    /// What the phone was told, once it is so.
    @discardableResult
    private static func told(
        _ home: Home,
        until isSo: @Sendable (AllowedRights) -> Bool
    ) async throws -> AllowedRights? {
        for await list in try await home.phone.desktops.list() {
            if let allowed = list.first?.allowed, isSo(allowed) { return allowed }
        }
        return nil
    }

    private static func ask(_ home: Home, _ computer: PairedDesktop, _ right: Right) async throws -> JSONValue {
        try await home.phone.control.handle(
            .init(
                id: 1,
                method: DeviceControl.ask.name,
                params: ["id": .string(computer.pcPeerID), "right": .string(right.rawValue)]
            )
        )
    }

    private static func desk(_ home: Home, _ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        try await home.desktop.control.handle(.init(id: 1, method: method, params: params))
    }

    @Test("a request stands at the computer; a yes for an hour comes to the phone with its end, one for good without")
    func yes() async throws {
        try await Self.run { home, computer in
            #expect(try await Self.ask(home, computer, .bell)["state"] == "waiting")
            #expect(try await Self.ask(home, computer, .bell)["state"] == "waiting")
            let asks = try await Self.desk(home, DeviceControl.asks.name)["asks"]?.arrayValue ?? []
            #expect(asks.map { $0["right"] } == ["bell"])
            try await Self.told(home) { $0.asks[.bell]?.stage == .waiting }
            let did = try await home.record().did.text
            let hour: JSONValue = ["id": .string(did), "skills": ["bell"], "seconds": 3600]
            let given = try await Self.desk(home, DeviceControl.allow.name, hour)
            #expect(given["changed"] == ["bell"])
            let told = try await Self.told(home) { $0.rights.contains(.bell) }
            #expect(told?.asks.isEmpty == true)
            #expect(told?.ends[.bell]?.millisecondsSince1970 == given["ends"]?["bell"]?.integerValue)
            #expect(try await Self.ask(home, computer, .bell)["state"] == "allowed")
            #expect(try await Self.desk(home, DeviceControl.asks.name)["asks"] == [])
            let good = try await Self.desk(
                home,
                DeviceControl.allow.name,
                ["id": .string(did), "skills": ["bell"]]
            )
            #expect(good["ends"] == [:])
            try await Self.told(home) { $0.rights.contains(.bell) && $0.ends.isEmpty }
        }
    }

    @Test("a no is told, and is not asked again; unknown rights and too short a time are refused by name")
    func no() async throws {
        try await Self.run { home, computer in
            _ = try await Self.ask(home, computer, .clipboard)
            let did = try await home.record().did.text
            _ = try await Self.desk(home, DeviceControl.refuse.name, ["right": "clipboard"])
            try await Self.told(home) { $0.asks[.clipboard]?.stage == .refused }
            #expect(try await Self.ask(home, computer, .clipboard)["state"] == "refused")
            #expect(try await Self.desk(home, DeviceControl.asks.name)["asks"] == [])
            await #expect(throws: RemoteFailure.self) { try await Self.ask(home, computer, "no.such") }
            await #expect(throws: DesktopError.nothingAsked) { try await Self.desk(home, DeviceControl.refuse.name) }
            await #expect(throws: (any Error).self) {
                try await Self.desk(
                    home,
                    DeviceControl.allow.name,
                    ["id": .string(did), "skills": ["bell"], "seconds": 299]
                )
            }
        }
    }

    @Test("when the time is up the gate refuses at once, what follows ends, and a restart does not bring it back")
    func end() async throws {
        try await Self.run { home, computer in
            let record = try await home.record()
            _ = try await home.desktop.phones.allow([.bell, .clipboard], to: record, for: .seconds(3600))
            let peer = try await home.phone.peer(computer)
            _ = try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1))
            _ = try await home.phone.call("clipboard.watch", [:], on: computer)
            #expect(try await home.desktop.phones.activities().contains { $0.kind.right == .clipboard })
            // Another program finds the end that was said.
            await home.stopDesktop()
            home.pass(.seconds(1800))
            try await home.startDesktop()
            try await home.connected(computer)
            _ = try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1))
            _ = try await home.phone.call("clipboard.watch", [:], on: computer)
            home.pass(.seconds(1800))
            await #expect(throws: RemoteFailure.self) {
                try await peer.call(BellMethods.ring, BellMethods.Ring(times: 1))
            }
            // By itself, without another word.
            while !Task.isCancelled, try await !home.desktop.phones.activities().isEmpty { await Task.yield() }
            #expect(try await home.record().allowedSkills == [.notification])
            try await Self.told(home) { $0.rights == [.notification] && $0.ends.isEmpty }
            await home.stopDesktop()
            home.pass(.seconds(-7200))
            try await home.startDesktop()
            #expect(try await home.record().allowedSkills == [.notification])
        }
    }

    @Test("a preset gives what it holds and takes the rest back; for a time it only gives")
    func presets() async throws {
        try await Self.run { home, _ in
            let did = try await home.record().did.text
            func give(_ preset: String, _ more: JSONValue = [:]) async throws -> JSONValue {
                let own: [String: JSONValue] = ["id": .string(did), "skills": [], "preset": .string(preset)]
                let params = (more.objectValue ?? [:]).merging(own) { $1 }
                return try await Self.desk(home, DeviceControl.allow.name, .object(params))
            }
            let all = try await give("all")
            #expect(Set(all["skills"]?.arrayValue ?? []) == ["notification", "clipboard", "bell"])
            let look = try await give("look")
            #expect(look["skills"] == ["notification"])
            #expect(Set(look["lost"]?.arrayValue ?? []) == ["clipboard", "bell"])
            let hour = try await give("all", ["seconds": 3600])
            #expect(Set((hour["ends"]?.objectValue ?? [:]).keys) == ["clipboard", "bell"])
            await #expect(throws: ControlError.self) { try await give("some") }
        }
    }
}
