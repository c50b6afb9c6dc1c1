import ArgumentParser
import Control
import Foundation
import Kernel
import TandemWeb
import Testing

@testable import TandemCommands

@Suite("The page's command and settings", .timeLimit(.minutes(4)))
struct PageCommandTests {
    private static let link = "http://127.0.0.1:8700/sign-in?token=abc"

    private static let answer: PreparedRole.Answer = { request in
        switch request.method {
        case "status": ["role": "desktop"]
        case "page.signOut": ["browsers": 2]
        default: ["url": .string(link), "expiresAt": 1, "terminal": true, "files": true]
        }
    }

    @Test("it prints the link, alone, for a person and for a program")
    func link() async throws {
        try await PreparedRole.run(Self.answer) { state, _ in
            let console = TestConsole()
            #expect(await console.run("page", "--state", state) == 0)
            #expect(console.output == Self.link + "\n")
            let program = TestConsole()
            #expect(await program.run("page", "--json", "--state", state) == 0)
            let printed = try JSONValue(parsing: program.output.utf8)
            #expect(printed["url"] == .string(Self.link))
        }
    }

    @Test("beside a role's own line the link stands alone at the left edge, where 80 columns have room for it")
    func line() {
        let token = String(repeating: "t", count: 43)
        let link = "http://127.0.0.1:8700/sign-in?token=\(token)"
        let page: JSONValue = ["page": ["url": "http://127.0.0.1:8700", "link": .string(link)]]
        let rows = Pages.line(page, of: .desktop).split(separator: "\n")
        #expect(rows.contains(Substring(link)))
        for row in rows { #expect(row.count <= 80) }
        #expect(rows.last == "For a new link: tandem page --role desktop")
    }

    @Test("everybody is signed out by one command")
    func signOut() async throws {
        try await PreparedRole.run(Self.answer) { state, role in
            let console = TestConsole()
            #expect(await console.run("page", "sign-out", "--role", "desktop", "--state", state) == 0)
            #expect(console.output == "2 browsers were signed out.\n")
            #expect(role.requests.map(\.method) == ["page.signOut"])
        }
    }

    @Test("without a desktop or its opener the link is given to open by hand")
    func open() async throws {
        try await PreparedRole.run(Self.answer) { state, _ in
            let console = TestConsole()
            #expect(await console.run("page", "--open", "--state", state) == 1)
            #expect(console.error.contains("neither WAYLAND_DISPLAY nor DISPLAY is set"))
            #expect(console.error.contains(Self.link))
            let bare = TestConsole(environment: ["DISPLAY": ":9", "PATH": "/nonexistent"])
            #expect(await bare.run("page", "--open", "--state", state) == 1)
            #expect(bare.error.contains("xdg-utils"))
            #expect(bare.error.contains(Self.link))
        }
    }

    @Test(
        "each role has its port, and what is typed or set takes its place",
        arguments: [
            ([], [:], Role.desktop, "127.0.0.1", 8700), ([], [:], .phone, "127.0.0.1", 8701),
            ([], [:], .hub, "127.0.0.1", 8702), (["--page", "localhost:9"], [:], .hub, "127.0.0.1", 9),
            (["--page", "[::1]:0"], ["TANDEM_PAGE": "127.0.0.1:5"], .hub, "::1", 0),
            ([], ["TANDEM_PAGE": "127.0.0.1:5"], .desktop, "127.0.0.1", 5),
        ] as [([String], [String: String], Role, String, Int)]
    )
    func place(typed: [String], environment: [String: String], role: Role, address: String, port: Int) throws {
        let values = try Self.values(typed, environment, role)
        #expect(values.place?.address == address)
        #expect(values.place?.port == port)
    }

    @Test("off is no page, beside it too; a second role of the same program has the next port")
    func off() throws {
        let off = try Self.values(["--page", "off"], [:], .desktop)
        #expect(off.place == nil)
        #expect(try off.besides().place == nil)
        #expect(try Self.values([], [:], .desktop).besides().place?.port == 8701)
        #expect(try Self.values(["--page", "127.0.0.1:0"], [:], .desktop).besides().place?.port == 0)
    }

    @Test(
        "a page that others would reach is refused, with the way over SSH",
        arguments: ["0.0.0.0:8700", "[::]:8700", "10.0.0.2:1"]
    )
    func others(text: String) {
        let error = #expect(throws: SettingsError.self) { try Self.values(["--page", text], [:], .desktop) }
        #expect(error?.description.hasPrefix("page cannot be \(text). ") == true)
        #expect(error?.description.contains("ssh -L") == true)
    }

    @Test("what is no place is refused", arguments: ["8700", "on", "127.0.0.1", "127.0.0.1:99999"])
    func malformed(text: String) {
        #expect(throws: SettingsError.self) { try Self.values(["--page=\(text)"], [:], .desktop) }
    }

    private static func values(_ typed: [String], _ environment: [String: String], _ role: Role) throws
        -> PageOptions.Values
    {
        let folder = StateFolder(at: FileManager.default.temporaryDirectory.appending(path: UUID().uuidString))
        return try PageOptions.parse(typed).values(try Settings(folder: folder, environment: environment), for: role)
    }
}
