import Kernel
import LinuxTerminal
import Pairing
import Rights
import Sealing
import TandemPhone
import Terminal
import TerminalHost
import Testing

@testable import CommandServer
@testable import TandemDesktop

/// What a phone holds at a real computer, and the owner who takes the right to it back.
@Suite("A right that is taken back ends what runs by it", .timeLimit(.minutes(4)))
struct RevocationTests {
    private static let terminals = [TerminalSkill.maker(factory: LinuxPseudoTerminalFactory.withoutProfile)]

    /// A paired phone that holds a shell.
    private func holdShell(_ home: Household) async throws -> (computer: PairedDesktop, phone: PairedPhone) {
        let computer = try await home.pair()
        // The record counts once the phone has opened a session.
        #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
        let record = try #require(home.desktop.pairedPhones().first)
        let phone = try await home.desktop.allow([.terminal], to: record)
        let created = try await home.phone.call("terminal.create", ["shell": "sh"], on: computer)
        #expect(created["sessionId"]?.stringValue != nil)
        #expect(await home.desktop.phones.activities().map(\.kind) == [.terminal])
        return (computer, phone)
    }

    @Test("denying the terminal ends the phone's shell at once and says so, and the next one is refused")
    func denied() async throws {
        try await Household.run(features: Self.terminals) { home in
            let (computer, phone) = try await holdShell(home)
            let (changed, ended) = try await home.desktop.phones.deny([.terminal], to: phone, keepsShells: false)
            #expect(changed.allowedSkills == home.desktop.phones.records.rights.initial)
            #expect(ended.map(\.kind) == [.terminal])
            #expect(await home.desktop.phones.activities().isEmpty)
            await #expect(throws: (any Error).self) {
                try await home.phone.call("terminal.create", ["shell": "sh"], on: computer)
            }
            // The phone is still paired, and its other rights hold.
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
        }
    }

    @Test("a shell that the owner keeps goes on when the terminal is denied")
    func kept() async throws {
        try await Household.run(features: Self.terminals) { home in
            let (_, phone) = try await holdShell(home)
            let (_, ended) = try await home.desktop.phones.deny([.terminal], to: phone, keepsShells: true)
            #expect(ended.isEmpty)
            #expect(await home.desktop.phones.activities().map(\.kind) == [.terminal])
            let id = try #require(await home.desktop.phones.activities().first?.id)
            #expect(try await home.desktop.phones.endActivity(id))
            #expect(await home.desktop.phones.activities().isEmpty)
        }
    }

    @Test("forgetting a phone ends its shell and its session, and the phone forgets the computer")
    func forgotten() async throws {
        try await Household.run(features: Self.terminals) { home in
            let (computer, phone) = try await holdShell(home)
            let ended = try await home.desktop.phones.forget(phone.did)
            #expect(ended.map(\.kind) == [.terminal])
            #expect(await home.desktop.phones.activities().isEmpty)
            #expect(home.desktop.pairedPhones().isEmpty)
            #expect(await home.desktop.path(to: phone.did) == nil)
            try await home.computersLeave()
            // At once, without waiting for an answer that cannot come.
            await #expect(throws: PhoneError.notPaired(name: computer.deviceName)) {
                try await home.phone.call("system.ping", [:], on: computer, timeout: .seconds(3600))
            }
        }
    }

    @Test("a record with another key is another phone: what the one before held ends, and it is told")
    func replaced() async throws {
        try await Household.run(features: Self.terminals) { home in
            let (_, phone) = try await holdShell(home)
            var other = phone
            other.agreementKey = Identity().agreementKey
            let saved = try await home.desktop.phones.records.store.save(other)
            // Nothing else: whoever writes the record, what follows comes by itself.
            while !Task.isCancelled, await !home.desktop.phones.activities().isEmpty { await Task.yield() }
            try await home.computersLeave()
            #expect(home.desktop.pairedPhones().map(\.agreementKey) == [saved.agreementKey])
            #expect(await home.desktop.path(to: phone.did) == nil)
        }
    }

    @Test("a record that is gone takes with it what its phone held")
    func swept() async throws {
        try await Household.run(features: Self.terminals) { home in
            let (_, phone) = try await holdShell(home)
            try await home.desktop.phones.records.store.remove(phone.id)
            while !Task.isCancelled, await !home.desktop.phones.activities().isEmpty { await Task.yield() }
            try await home.computersLeave()
            #expect(await home.desktop.path(to: phone.did) == nil)
        }
    }
}
