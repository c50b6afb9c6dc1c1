import Control
import Kernel
import Testing

@testable import TandemCommands

@Suite("The bridge's commands", .timeLimit(.minutes(4)))
struct BridgeCommandTests {
    private static let code: JSONValue = [
        "entry": nil, "token": nil, "payload": "tandem-bridge://pair?h=192.168.1.20&p=9099&c=0123456789abcdef&n=desk",
        "expiresAt": 1_790_000_000_000, "rights": ["threads.read"],
    ]
    private static let entry: JSONValue = [
        "id": "77e15f056a", "name": "Ada's \u{1B}[31mphone", "rights": ["threads.read"], "createdAt": 1,
        "lastSeenAt": 1, "address": "192.168.1.7", "sockets": 1,
    ]

    @Test("status says in words what was refused, the most frequent first")
    func status() async throws {
        let status: JSONValue = [
            "address": "0.0.0.0", "port": 9099, "problem": nil, "fingerprint": "00ff", "plain": true, "sockets": 2,
            "unproven": 1, "tokens": 3, "refused": ["host": 2, "token": 7, "comet": 2],
        ]
        try await PreparedRole.run({ _ in status }) { state, _ in
            let console = TestConsole()
            #expect(await console.run("bridge", "--state", state) == 0)
            #expect(
                console.output == """
                    The bridge listens on port 9099 of 0.0.0.0.
                    Key:          00ff
                    Without TLS:  this machine and the local network
                    Sockets:      2, and 1 that have yet to prove themselves
                    Tokens:       3
                    Refused:      7 with a token or code that is not known here
                                  2 comet
                                  2 for a name that is not this computer's (see bridgeNames)

                    """
            )
        }
    }

    @Test("on a terminal a code is shown until a device used it, and which one is said")
    func used() async throws {
        try await PreparedRole.run({ _ in ["entry": Self.entry] }, reporting: [Self.code]) { state, role in
            let console = TestConsole(terminals: [.output], size: (columns: 120, rows: 60))
            #expect(await console.run("bridge", "show", "--name", "phone", "--state", state) == 0)
            #expect(role.requests.map(\.method) == ["bridge.token.watch"])
            #expect(role.requests.first?.params == ["name": "phone", "code": true])
            #expect(console.output.contains("\ntandem-bridge://pair?h=192.168.1.20&p=9099"))
            #expect(
                console.output.hasSuffix(
                    """
                    Waiting for the device. Ctrl-C ends the waiting; the code stays good.
                    Ada's \\e[31mphone has its token now, taken from 192.168.1.7.
                    Was that another device than you meant? Take it back: tandem bridge token revoke 77e15f056a

                    """
                )
            )
        }
    }

    @Test("a code that nobody used is said to be over, and a small window gets its text")
    func unused() async throws {
        try await PreparedRole.run({ _ in ["entry": nil] }, reporting: [Self.code]) { state, _ in
            let console = TestConsole(terminals: [.output], size: (columns: 40, rows: 12))
            #expect(await console.run("bridge", "token", "new", "--qr", "--state", state) == 0)
            #expect(console.output.hasPrefix("The code to scan needs a window of "))
            #expect(console.output.contains("\ntandem-bridge://pair?"))
            #expect(console.output.hasSuffix("it is over. Show another one: tandem bridge show\n"))
        }
    }

    @Test("into a pipe, and with --json, a code is printed without waiting", arguments: [true, false])
    func piped(json: Bool) async throws {
        try await PreparedRole.run({ _ in Self.code }) { state, role in
            let console = TestConsole()
            let words = ["bridge", "show", "--state", state] + (json ? ["--json"] : [])
            #expect(await console.run(words) == 0)
            #expect(role.requests.map(\.method) == ["bridge.token.new"])
            #expect(console.output.contains("tandem-bridge://pair?"))
            #expect(!console.output.contains("Waiting"))
        }
    }
}
