import Control
import Kernel
import Testing

@testable import TandemCommands

@Suite("What a person is told of the roles that run", .timeLimit(.minutes(4)))
struct StatusTests {
    @Test(
        "a computer is told in a few lines: where phones reach it, which are there, what is not reached, how its last run ended"
    )
    func desktop() async throws {
        let status: JSONValue = [
            "role": "desktop", "name": "Ada's\u{1B}[2J workstation", "version": "1.2.3", "deviceId": "x",
            "addresses": ["lan": ["ws://192.168.1.2:9001", "ws://10.0.0.2:9001"], "relays": []],
            "hub": "wss://hub.example.org/",
            "activities": [
                ["kind": "terminal", "right": "terminal"],
                ["kind": "screen-control", "right": "screen.control", "name": "Ada's phone"],
            ],
            "servers": [
                ["name": "own", "registered": true],
                ["name": "hub", "registered": false, "reason": "The name is not known."],
            ],
            "lastEnd": "The last run ended without a word.",
        ]
        let devices: JSONValue = [
            "devices": [
                Sample.wire(["name": "Ada's phone", "path": "lan"]), Sample.wire(["name": "Old phone", "path": .null]),
            ]
        ]
        let answers: [String: JSONValue] = [
            "status": status, "devices.list": devices, "page.place": ["url": "http://127.0.0.1:8700"],
        ]
        try await PreparedRole.run({ answers[$0.method] ?? .null }) { state, _ in
            let console = TestConsole()
            #expect(await console.run("status", "--state", state) == 0)
            #expect(
                console.output == """
                    Ada's\\e[2J workstation: this computer, Tandem 1.2.3
                      its page is at http://127.0.0.1:8700: tandem page --role desktop
                      phones reach it at ws://192.168.1.2:9001, ws://10.0.0.2:9001
                      and over the hub wss://hub.example.org/
                      2 phones paired, connected: Ada's phone (direct)
                      Ada's phone controls pointer and keyboard: tandem input stop
                      phones keep 2 things going: tandem activity
                      not reached: hub: The name is not known.
                      The last run ended without a word.

                    """
            )
        }
    }

    @Test("a phone and a hub are told as what they are, and nothing is said that is not known")
    func others() async throws {
        for (status, words) in [
            (
                ["role": "phone", "name": "Bo's phone"],
                "Bo's phone: a phone\n  no computer is paired: tandem pair scan\n"
            ),
            (
                ["role": "hub", "urls": ["wss://hub.example.org/"], "version": "1.2.3"],
                "A hub at wss://hub.example.org/, Tandem 1.2.3\n"
            ),
        ] as [(JSONValue, String)] {
            try await PreparedRole.run({ $0.method == "status" ? status : ["devices": []] }) { state, _ in
                let console = TestConsole()
                #expect(await console.run("status", "--state", state) == 0)
                #expect(console.output == words)
            }
        }
    }
}
