import Clipboard
import Commands
import Foundation
import Kernel
import LinuxTerminal
import Pairing
import Rights
import Sealing
import Storage
import TandemPhone
import TerminalHost
import Testing

@testable import TandemDesktop

@Suite("What the owner decides is written down, or not done", .timeLimit(.minutes(4)))
struct OwnerActTests {
    private static let log = "remoteAudit"

    private func pair(_ home: Household) async throws -> PairedDesktop {
        let computer = try await home.pair()
        // The record counts once the phone has opened a session.
        try await expectAnswer(home, computer)
        return computer
    }

    /// A phone that asks to be paired; returns once the owner is asked about it.
    private func askToPair(_ home: Household) async throws -> Task<PairedDesktop, any Error> {
        let shown = try await home.desktop.pairing.makeCode()
        let pairing = Task { try await home.phone.pairing.pair(with: home.phone.pairing.read(shown.qrText)) }
        for await status in home.desktop.pairing.statuses() where !status.requests.isEmpty { break }
        return pairing
    }

    private func expectAnswer(_ home: Household, _ computer: PairedDesktop) async throws {
        #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
    }

    @Test("whom the owner accepts, what it allows and whom it forgets stands in the log, as the owner's acts")
    func logged() async throws {
        try await Household.run(acceptsEverybody: false, features: MemoryDesktopSession.features) { home in
            let phone = home.phone.identity.did
            let pairing = try await askToPair(home)
            try await home.desktop.ask("pair.accept", ["allow": ["clipboard"]])
            try await expectAnswer(home, try await pairing.value)
            try await home.desktop.ask("devices.allow", ["skills": ["display", "clipboard"]])
            let renamed = try await home.desktop.ask(
                "devices.rename",
                ["id": .string(phone), "name": "Ada\u{202E}'s phone"]
            )
            #expect(renamed["name"]?.stringValue == "Ada's phone")
            try await home.desktop.ask("devices.forget", ["id": .string(phone)])
            let entries = try await home.desktop.ask("devices.audit")["entries"]?.arrayValue ?? []
            let acts = entries.filter { $0["by"]?.stringValue == "owner" }
            // The newest first.
            let methods = acts.compactMap { $0["method"]?.stringValue }
            #expect(methods == ["devices forget", "devices rename", "devices allow", "pair accept"])
            let details = acts.map { $0["detail"]?.stringValue ?? "" }
            #expect(details == ["", "Ada's phone", "clipboard, display", "system.info, notification, clipboard"])
            #expect(acts.map { $0["device"]?.stringValue } == [phone, phone, phone, phone])
            #expect(acts.compactMap { $0["name"]?.stringValue } == ["Ada's phone", "My phone", "My phone", "My phone"])
        }
    }

    @Test("a right whose entry cannot be written is not given, and the owner gets a sentence")
    func allowing() async throws {
        try await Household.run(features: MemoryDesktopSession.features) { home in
            let computer = try await pair(home)
            try await home.desktopFolder.refusing("INSERT", in: Self.log) {
                await #expect(throws: StorageError.self) {
                    try await home.desktop.ask("devices.allow", ["skills": ["clipboard"]])
                }
                #expect(
                    home.desktop.pairedPhones().map(\.allowedSkills) == [home.desktop.phones.records.rights.initial]
                )
                let refusal = await #expect(throws: RemoteFailure.self) {
                    try await home.phone.call("clipboard.get", [:], on: computer)
                }
                #expect(refusal?.code == FailureCode.notAllowed)
            }
            try await home.desktop.ask("devices.allow", ["skills": ["clipboard"]])
            #expect(try await home.phone.call("clipboard.get", [:], on: computer)["content"] == "copied")
        }
    }

    @Test("a right whose loss cannot be written stays, and the owner gets a sentence")
    func denying() async throws {
        try await Household.run(features: MemoryDesktopSession.features) { home in
            _ = try await pair(home)
            let rights = home.desktop.phones.records.rights.initial.union([.clipboard])
            try await home.desktop.ask("devices.allow", ["skills": ["clipboard"]])
            try await home.desktopFolder.refusing("INSERT", in: Self.log) {
                await #expect(throws: StorageError.self) {
                    try await home.desktop.ask("devices.deny", ["skills": ["clipboard"]])
                }
                #expect(home.desktop.pairedPhones().map(\.allowedSkills) == [rights])
            }
        }
    }

    @Test("a phone whose acceptance cannot be written is not paired, and may be accepted later with other rights")
    func accepting() async throws {
        let terminals = [TerminalSkill.maker(factory: LinuxPseudoTerminalFactory.withoutProfile)]
        try await Household.run(acceptsEverybody: false, features: terminals) { home in
            let pairing = try await askToPair(home)
            try await home.desktopFolder.refusing("INSERT", in: Self.log) {
                await #expect(throws: StorageError.self) {
                    try await home.desktop.ask("pair.accept", ["allow": ["terminal"]])
                }
                #expect(home.desktop.pairedPhones().isEmpty)
                #expect(await home.desktop.pairing.requests().count == 1)
            }
            try await home.desktop.ask("pair.accept")
            try await expectAnswer(home, try await pairing.value)
            #expect(home.desktop.pairedPhones().map(\.allowedSkills) == [home.desktop.phones.records.rights.initial])
        }
    }

    @Test("a phone of which the log cannot tell that it was forgotten stays paired on both sides")
    func forgetting() async throws {
        try await Household.run { home in
            let computer = try await pair(home)
            let phone = try DID(home.phone.identity.did)
            try await home.desktopFolder.refusing("INSERT", in: Self.log) {
                await #expect(throws: StorageError.self) { try await home.desktop.phones.forget(phone) }
                try await expectStillPaired(home, computer)
            }
        }
    }

    @Test("a phone whose record cannot be removed stays paired on both sides: it is told nothing")
    func removing() async throws {
        try await Household.run { home in
            let computer = try await pair(home)
            let phone = try DID(home.phone.identity.did)
            try await home.desktopFolder.refusing("DELETE", in: "pairedPhone") {
                await #expect(throws: StorageError.self) { try await home.desktop.phones.forget(phone) }
                try await expectStillPaired(home, computer)
            }
            // Nothing else was in the way.
            try await home.desktop.phones.forget(phone)
            try await home.computersLeave()
        }
    }

    private func expectStillPaired(_ home: Household, _ computer: PairedDesktop) async throws {
        // A good-bye would have come before this answer.
        try await expectAnswer(home, computer)
        #expect(await home.phone.pairedDesktops().map(\.pcPeerID) == [computer.pcPeerID])
        #expect(home.desktop.pairedPhones().map(\.did.text) == [home.phone.identity.did])
    }
}
