import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("People with accounts at a hub, by command", .timeLimit(.minutes(4)))
struct HubUsersCommandTests {
    private static let invited: JSONValue = [
        "id": "0badf00d", "code": "482913730655", "uses": 2, "endsAt": 1_790_000_000_000, "admission": "invitation",
    ]

    private func run(_ words: [String], answers: [String: JSONValue]) async throws -> (status: Int32, output: String) {
        try await PreparedRole.run({ answers[$0.method] ?? .null }) { state, _ in
            let console = TestConsole()
            let status = await console.run(words + ["--state", state])
            return (status, console.output)
        }
    }

    @Test("an invitation is a link, a code in groups, and what takes it back")
    func invite() async throws {
        let hub: JSONValue = ["role": "hub", "url": "wss://hub.example"]
        let answers = ["accounts.invite": Self.invited, "status": hub]
        let told = try await run(["hub", "invite", "--uses", "2"], answers: answers)
        let lines = told.output.split(separator: "\n").map(String.init)
        #expect(told.status == 0)
        #expect(lines.first == "tandem-account://join?hub=wss%3A%2F%2Fhub.example&c=482913730655")
        #expect(lines.dropFirst().first == "Code: 482 913 730 655")
        #expect(lines.dropFirst(2).first?.hasPrefix("It is good for 2 people until ") == true)
        #expect(lines.last == "Take it back: tandem hub invitations take-back 0badf00d")
        #expect(lines.allSatisfy { $0.count <= 80 })
        let json = try await run(["hub", "invite", "--json"], answers: answers)
        let link: JSONValue = "tandem-account://join?hub=wss%3A%2F%2Fhub.example&c=482913730655"
        #expect(try JSONValue(parsing: json.output.utf8) == Self.invited.adding("link", link))
    }

    @Test("an invitation to a computer that serves as a hub has a code alone; one that means nothing says so")
    func withoutLink() async throws {
        let invited = Self.invited.adding("admission", "nobody")
        let told = try await run(
            ["hub", "invite"],
            answers: ["accounts.invite": invited, "status": ["role": "desktop"]]
        )
        #expect(told.output.hasPrefix("Code: 482 913 730 655\n"))
        #expect(told.output.contains("This hub takes no new accounts now"))
    }

    @Test("people are a table; a nickname that acts on a terminal is shown as an escape")
    func users() async throws {
        let list: JSONValue = [
            "users": [
                [
                    "uid": 1, "userID": "tb_1", "name": "ada", "nickname": "A\u{1B}[2Jda", "createdAt": 1,
                    "suspended": false, "devices": 2, "lastSeenAt": 0,
                ],
                [
                    "uid": 2, "userID": "tb_2", "name": "bob", "nickname": "bob", "createdAt": 1, "suspended": true,
                    "devices": 0,
                ],
            ],
            "total": 5, "next": 2,
        ]
        let told = try await run(["hub", "users"], answers: ["accounts.list": list])
        #expect(
            told.output == """
                NAME  NICKNAME  STATE      DEVICES  LAST SEEN  ID
                ada   A\\e[2Jda  active     2        never      tb_1
                bob             suspended  0        never      tb_2
                There are 5 in all. More: tandem hub users --after 2

                """
        )
    }

    @Test("a person is shown with devices, and without any")
    func show() async throws {
        var details: JSONValue = [
            "user": [
                "uid": 1, "userID": "tb_1", "name": "ada", "nickname": "Ada", "createdAt": 1_790_000_000_000,
                "suspended": false, "devices": 1,
            ],
            "devices": [
                [
                    "device": "00ff", "name": "phone", "platformID": 2, "did": "did:key:z6Mk", "createdAt": 1,
                    "address": "192.0.2.1", "current": false,
                ]
            ],
        ]
        let told = try await run(["hub", "users", "show", "ada"], answers: ["accounts.show": details])
        #expect(told.output.hasPrefix("ada (tb_1), shown as Ada, active\nMade: "))
        #expect(
            told.output.hasSuffix(
                """
                DEVICE  PLATFORM  KEY  LAST SEEN  FROM       ID
                phone   Android   yes  never      192.0.2.1  00ff

                """
            )
        )
        details = details.adding("devices", [])
        let none = try await run(["hub", "users", "show", "ada"], answers: ["accounts.show": details])
        #expect(none.output.hasSuffix("\nNo device is signed in.\n"))
    }
}
