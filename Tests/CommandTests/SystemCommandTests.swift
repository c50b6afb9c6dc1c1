import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("How a computer is doing", .timeLimit(.minutes(4)))
struct SystemCommandTests {
    private static let answers: [String: JSONValue] = [
        "system.info": [
            "success": true, "uptime": 273_600, "timestamp": 1_700_000_000_000,
            "cpu": [
                "usage": .number(12.4), "usagePercent": .number(12.4), "cores": 8, "physicalCores": 4,
                "model": "Intel i7",
                "loadAverage": [.number(0.31), .number(0.2), .number(0.115)],
            ],
            "memory": ["total": 16_777_216_000, "used": 8_388_608_000, "free": 8_388_608_000, "usagePercent": 50],
            "disks": [
                [
                    "total": 1_073_741_824_000, "used": 104_857_600_000, "free": 900_000_000_000, "usagePercent": 10,
                    "mountPoint": "/", "device": "/dev/sda1", "type": "ext4",
                ]
            ],
            "networks": [
                ["interface": "eth0", "bytesSent": 1024, "bytesReceived": 2048, "up": true, "ipv4": "192.168.1.2"],
                ["interface": "lo", "bytesSent": 1, "bytesReceived": 1, "up": true, "ipv4": "127.0.0.1"],
                ["interface": "ifb0", "bytesSent": 0, "bytesReceived": 0, "up": false],
            ],
        ],
        "sysinfo.getOS": [
            "name": "Debian GNU/Linux 12", "kernel": "6.1.0", "arch": "x64", "hostname": "desk", "version": "12",
        ],
        "sysinfo.getBattery": [
            "percent": 83, "status": "charging", "timeRemaining": 4320,
            "batteries": [["name": "BAT0", "percent": 83, "status": "charging", "timeRemaining": 4320]],
        ],
        "sysinfo.getTemperature": [
            "main": .number(45.0), "max": .number(52.5),
            "sensors": [["name": "Core 0", "celsius": .number(45.0)], ["name": "Disk", "celsius": .number(52.5)]],
        ],
        "sysinfo.getMemory": [
            "total": 1_048_576, "used": 524_288, "available": 524_288, "cached": 1024,
            "swap": ["total": 0, "used": 0, "free": 0],
        ],
        "sysinfo.getLogs": [
            "logs": [["timestamp": 0, "level": "error", "source": "ssh", "message": "no\u{1B}[2J way\nat all"]],
            "truncated": false,
        ],
        "sysinfo.getServices": [
            "services": [["name": "ssh", "state": "active", "detail": "running", "description": "Secure shell"]],
            "truncated": true,
        ],
    ]

    private static func computer(_ request: ControlRequest) throws -> JSONValue {
        guard let answer = answers[request.params["method"]?.stringValue ?? ""] else {
            throw ControlError.refused("It does not tell that.")
        }
        return answer
    }

    private func output(_ words: String..., on console: TestConsole = TestConsole()) async throws -> String {
        try await PreparedRole.run(Self.computer) { state, _ in
            #expect(await console.run(["system"] + words + ["--state", state]) == 0, "\(console.error)")
            return console.output
        }
    }

    @Test("the overview is what a person wants to know, each thing once and with its unit")
    func overview() async throws {
        // What the computer refuses to tell, here what machine it is, is left out.
        #expect(
            try await output() == """
                Computer     desk
                System       Debian GNU/Linux 12, 6.1.0 x64
                Up           3 days 4 h
                Processor    [|         ]  12 %  Intel i7, 8 cores (4 physical), load 0.31 0.20 0.12
                Memory       [|||||     ]  50 %  7.8 GiB of 15.6 GiB
                Battery      [||||||||  ]  83 %  charging, 1 h 12 min left
                Temperature  45.0 °C, highest 52.5 °C

                DISK  SIZE      USED      FREE     USE                 DEVICE
                /     1000 GiB  97.7 GiB  838 GiB  [|         ]  10 %  /dev/sda1 ext4

                NETWORK  UP   RECEIVED  SENT     ADDRESS
                eth0     yes  2.0 KiB   1.0 KiB  192.168.1.2

                """
        )
    }

    @Test("--json is the computer's answer, and one question")
    func json() async throws {
        try await PreparedRole.run(Self.computer) { state, role in
            let console = TestConsole()
            #expect(await console.run("system", "--json", "--state", state) == 0)
            #expect(console.output == (Self.answers["system.info"]?.canonicalText ?? "") + "\n")
            #expect(role.requests.count == 1)
        }
    }

    @Test("each topic is a short table")
    func topics() async throws {
        #expect(
            try await output("memory")
                == "Memory  [|||||     ]  50 %  512 KiB of 1.0 MiB\nFree    512 KiB\nCached  1.0 KiB\nSwap    none\n"
        )
        #expect(try await output("temperature") == "SENSOR  TEMPERATURE\nCore 0  45.0 °C\nDisk    52.5 °C\n")
        #expect(try await output("battery") == "BAT0  [||||||||  ]  83 %  charging, 1 h 12 min left\n")
        #expect(SystemText.batteries([]) == "The computer has no battery.")
        #expect(
            try await output("services")
                == "SERVICE  STATE           WHAT IT IS\nssh      active running  Secure shell\n"
                + "There are more than one answer holds.\n"
        )
        #expect(
            try await output("logs") == "WHEN   LEVEL  SOURCE  MESSAGE\nnever  error  ssh     no\\e[2J way\\nat all\n"
        )
    }

    @Test("logs are asked for by level and source, everything else is not")
    func logs() async throws {
        try await PreparedRole.run(Self.computer) { state, role in
            let console = TestConsole()
            let words = [
                "system", "logs", "--level", "error", "--source", "ssh.service", "--limit", "3", "--state", state,
            ]
            #expect(await console.run(words) == 0)
            #expect(role.requests.first?.params["params"] == ["limit": 3, "level": "error", "source": "ssh.service"])
            #expect(await console.run("system", "memory", "--level", "error", "--state", state) == 2)
            #expect(await console.run("system", "logs", "--level", "loud", "--state", state) == 2)
            #expect(await console.run("system", "--watch", "0", "--state", state) == 2)
        }
    }

    @Test("watching prints one block per look into a pipe, and takes the place of the last one on a terminal")
    func watch() async throws {
        try await PreparedRole.run(Self.computer) { state, _ in
            let block =
                "Memory  [|||||     ]  50 %  512 KiB of 1.0 MiB\nFree    512 KiB\nCached  1.0 KiB\nSwap    none\n"
            let pipe = TestConsole(outputLimit: 2 * block.utf8.count + 2)
            #expect(await pipe.run("system", "memory", "--watch", "--state", state) == 141)
            #expect(pipe.output == "\(block)\n\(block)\n\(block)\n")
            let terminal = TestConsole(terminals: [.output], size: (columns: 20, rows: 3), outputLimit: 1)
            #expect(await terminal.run("system", "memory", "--watch", "5", "--state", state) == 141)
            #expect(terminal.output == "\u{1B}[H\u{1B}[JMemory  [|||||     …\nFree    512 KiB\n")
        }
    }

    @Test(
        "times are told by their two largest units",
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (3600, "1 h"), (3660, "1 h 1 min"), (86_400, "1 day"),
            (180_000, "2 days 2 h"),
        ] as [(Int64, String)]
    )
    func duration(seconds: Int64, text: String) {
        #expect(SystemText.duration(seconds) == text)
    }

    @Test(
        "a share outside of 0 to 100 is no bar that overflows",
        arguments: [(-5.0, "[          ]  -5 %"), (250.0, "[||||||||||] 250 %")]
    )
    func bar(percent: Double, text: String) {
        #expect(SystemText.bar(percent) == text)
    }
}
