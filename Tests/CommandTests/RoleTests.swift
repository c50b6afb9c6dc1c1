import ArgumentParser
import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("Whose side a command is on", .timeLimit(.minutes(4)))
struct RoleTests {
    private static func answer(as role: String) -> PreparedRole.Answer {
        { $0.method == "status" ? ["role": .string(role)] : ["devices": []] }
    }

    @Test("a phone's person need not say so: the folder's process does", arguments: ["phone", "desktop"])
    func folder(role: String) async throws {
        try await PreparedRole.run(Self.answer(as: role)) { state, _ in
            let global = try GlobalOptions.parse(["--state", state])
            let options = try RoleOptions.parse([])
            #expect(try await options.role(among: [.desktop, .phone], global).rawValue == role)
            #expect(try await options.role(among: [.phone, .desktop], global).rawValue == role)
            // A hub's command stays a hub's.
            #expect(try await options.role(among: [.hub], global) == .hub)
        }
    }

    @Test("what is typed is not looked up, and only a role that can answer is taken")
    func typed() async throws {
        try await PreparedRole.run(Self.answer(as: "desktop")) { state, role in
            let global = try GlobalOptions.parse(["--state", state])
            let options = try RoleOptions.parse(["--role", "phone"])
            #expect(try await options.role(among: [.desktop, .phone], global) == .phone)
            #expect(role.requests == [])
            await #expect(throws: ValidationError.self) { try await options.role(among: [.desktop, .hub], global) }
        }
    }

    @Test("without --state the only role that runs is meant; of two, and of none, the command's usual one")
    func running() async throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "tr-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: base) }
        @Sendable func role(_ roles: [Role]) async throws -> Role {
            try await Running.$console.withValue(TestConsole(environment: ["XDG_STATE_HOME": base.path])) {
                try await RoleOptions.parse([]).role(among: roles, try GlobalOptions.parse([]))
            }
        }
        #expect(try await role([.desktop, .phone]) == .desktop)
        #expect(try await role([.phone, .desktop]) == .phone)
        let phone = base.appending(path: "tandem/phone")
        let desktop = base.appending(path: "tandem/desktop")
        let chosen = try await PreparedRole.run(Self.answer(as: "phone"), at: phone) { _, _ -> [Role] in
            let alone = try await role([.desktop, .phone])
            return try await PreparedRole.run(Self.answer(as: "desktop"), at: desktop) { _, _ -> [Role] in
                [alone, try await role([.desktop, .phone]), try await role([.phone, .desktop])]
            }
        }
        #expect(chosen == [.phone, .desktop, .phone])
    }

    @Test("a phone beside up is found by the folder that up was given")
    func phoneOfUp() async throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "tu-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: base) }
        let asked = try await PreparedRole.run(Self.answer(as: "desktop"), at: base) { state, desktop in
            try await PreparedRole.run(Self.answer(as: "phone"), at: base.appending(path: "phone")) { _, phone in
                let console = TestConsole()
                #expect(await console.run("call", "system.ping", "--state", state) == 0)
                #expect(await console.run("devices", "--role", "phone", "--state", state) == 0)
                #expect(await console.run("devices", "--state", state) == 0)
                return [desktop.requests.map(\.method), phone.requests.map(\.method)]
            }
        }
        #expect(asked == [["status", "devices.list"], ["call", "devices.list"]])
    }

    @Test("devices of the phone are listed without --role")
    func devices() async throws {
        try await PreparedRole.run(Self.answer(as: "phone")) { state, role in
            let console = TestConsole()
            #expect(await console.run("devices", "--state", state) == 0)
            #expect(role.requests.map(\.method) == ["status", "devices.list"])
            #expect(await console.run("devices", "--role", "hub", "--state", state) == 2)
            #expect(console.error.contains("--role is desktop or phone here, not hub."))
        }
    }
}
