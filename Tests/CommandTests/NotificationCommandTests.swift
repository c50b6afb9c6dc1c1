import Control
import Foundation
import Kernel
import LinuxTerminal
import Notifications
import Testing

@testable import TandemCommands

@Suite("What commands for notifications ask and print", .timeLimit(.minutes(4)))
struct NotificationCommandTests {
    private func run(
        _ words: [String],
        answers: [String: JSONValue],
        items: [JSONValue] = [],
        console: TestConsole = TestConsole(),
        status: Int32 = 0
    ) async throws -> (output: String, error: String, requests: [ControlRequest]) {
        let answer: @Sendable (ControlRequest) throws -> JSONValue = {
            if $0.method == "status" { return answers["status"] ?? ["role": "phone"] }
            return answers[$0.params["method"]?.stringValue ?? $0.method] ?? .null
        }
        return try await PreparedRole.run(answer, reporting: items) { state, role in
            let at = words.firstIndex(of: "--") ?? words.endIndex
            let all = words[..<at] + ["--state", state] + words[at...]
            #expect(await console.run(Array(all)) == status, "\(console.error)")
            let requests = role.requests.filter { $0.method != "status" }
            return (output: console.output, error: console.error, requests: requests)
        }
    }

    private static let row: JSONValue = [
        "id": "n-1", "title": "Build\u{1B}[2J", "body": "failed\nin line 3", "priority": "high", "read": false,
        "source": "pc", "createdAt": 0, "app": "make", "device": "pc-1", "deviceName": "Studio", "place": "0.1",
    ]

    @Test("a busy push service is asked again when it says, unless that is too long to wait")
    func retry() {
        #expect(WebPhonePusher.pause(nil) == .seconds(5))
        #expect(WebPhonePusher.pause(.zero) == .zero)
        #expect(WebPhonePusher.pause(.seconds(20)) == .seconds(20))
        #expect(WebPhonePusher.pause(.seconds(21)) == nil)
    }

    @Test("what a push is about is named to the push service otherwise for each phone, and the same each time")
    func topics() throws {
        let secrets = ["BTBZMqHH6r4Tts7J_aSIgg", "CTBZMqHH6r4Tts7J_aSIgg"]
        let phones = secrets.map { secret in
            // The key of RFC 8291, appendix A.
            PushRegistration(
                endpoint: "https://push.example.net/push/1",
                publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                secret: secret,
                applicationKey: "key"
            )
        }
        let topics = try (phones + phones).map { try WebPhonePusher.topic("n-1", for: $0) }
        #expect(topics[0] == topics[2] && topics[1] == topics[3])
        #expect(Set(topics).count == 2)
        #expect(try WebPhonePusher.topic("n-2", for: phones[0]) != topics[0])
    }

    @Test("the list shows what is unread and wants to be noticed, made safe, and where older ones are")
    func list() async throws {
        let answers: [String: JSONValue] = [
            "notifications.list": [
                "notifications": [Self.row], "total": 2, "unreadCount": 1, "before": "0.1",
            ]
        ]
        let (output, error, requests) = try await run(
            ["notifications", "list", "--unread", "--limit", "1"],
            answers: answers
        )
        #expect(
            output == """
                    TIME   APP   TITLE       TEXT    ID
                *!  never  make  Build\\e[2J  failed  n-1

                """
        )
        #expect(error.contains("--before 0.1"))
        #expect(requests.map(\.params) == [["unread": true, "limit": 1]])
        let (json, _, _) = try await run(["notifications", "--json"], answers: answers)
        #expect(try JSONValue(parsing: json.utf8) == answers["notifications.list"])
    }

    @Test("words and a program are looked for at the computer, page by page")
    func search() async throws {
        let found: JSONValue = ["success": true, "notifications": [Self.row], "total": 2, "unreadCount": 5]
        let answers = ["notification.getHistory": found]
        let words = ["notifications", "list", "--search", "line 3", "--app", "make", "--limit", "1", "--unread"]
        let (output, error, requests) = try await run(words, answers: answers)
        #expect(output.contains("n-1"))
        #expect(error.contains("the same with --before n-1"))
        let asked: JSONValue = ["limit": 1, "offset": 0, "unreadOnly": true, "query": "line 3", "app": "make"]
        #expect(requests.map { $0.params["params"] } == [asked])
        let (json, _, _) = try await run(words + ["--json"], answers: answers)
        let answer = try JSONValue(parsing: json.utf8)
        #expect(answer["before"] == "n-1" && answer["total"] == 2 && answer["notifications"]?.arrayValue?.count == 1)
        let (nothing, _, _) = try await run(
            words,
            answers: ["notification.getHistory": ["success": true, "notifications": [], "total": 0, "unreadCount": 5]]
        )
        #expect(nothing == "Nothing is found.\n")
        _ = try await run(["notifications", "list", "--search", " "], answers: [:], status: 2)
    }

    @Test("with --refresh the computers are asked first, on a phone")
    func refresh() async throws {
        let answers: [String: JSONValue] = [
            "notifications.refresh": ["total": 0, "devices": [:]],
            "notifications.list": ["notifications": [], "total": 0, "unreadCount": 0],
        ]
        let (_, _, requests) = try await run(["notifications", "--refresh", "--computer", "pc-1"], answers: answers)
        #expect(requests.map(\.method) == ["notifications.refresh", "notifications.list"])
        #expect(requests.map(\.params["device"]) == ["pc-1", "pc-1"])
        _ = try await run(
            ["notifications", "list", "--refresh", "--role", "desktop"],
            answers: ["status": ["role": "desktop"]],
            status: 2
        )
    }

    @Test("what comes is printed a line each, once; with --json as it is")
    func follow() async throws {
        let items: [JSONValue] = [
            ["new": Self.row, "banner": true], ["changed": Self.row], ["removed": ["device": "pc-1", "id": "n-0"]],
            ["unread": ["device": "pc-1", "count": 1]], ["missed": ["device": "pc-1"]],
        ]
        let (output, _, requests) = try await run(["notifications", "follow"], answers: [:], items: items)
        #expect(
            output == """
                never  ! Build\\e[2J: failed\\nin line 3 (Studio, make)
                Some were missed. See them: tandem notifications list

                """
        )
        #expect(requests.map(\.method) == ["notifications.follow"])
        let (json, _, _) = try await run(["notifications", "follow", "--json"], answers: [:], items: items)
        #expect(json.split(separator: "\n").count == items.count)
    }

    @Test("who follows hears when a computer tells this phone nothing, and when it does again")
    func followWithoutTheRight() async throws {
        let computer: JSONValue = ["device": "pc-1", "deviceName": "Studio"]
        let refusing: JSONValue = [
            "device": "pc-1", "deviceName": "Studio", "advice": "Studio does not allow it.\u{1B}[2J",
        ]
        let (output, error, _) = try await run(
            ["notifications", "follow"],
            answers: [:],
            items: [
                ["computers": [computer]], ["computers": [refusing]], ["computers": [refusing]],
                ["computers": [computer]],
            ]
        )
        #expect(output == "")
        #expect(
            error.split(separator: "\n").dropFirst() == [
                "Studio does not allow it.\\e[2J", "Studio tells this phone again what happens there.",
            ]
        )
    }

    @Test("following ends when no computer is left, and does not begin where none is paired")
    func followOfNone() async throws {
        let computer: JSONValue = ["device": "pc-1", "deviceName": "Studio"]
        let (_, forgotten, _) = try await run(
            ["notifications", "follow"],
            answers: [:],
            items: [["computers": [computer]], ["computers": []]],
            status: 1
        )
        #expect(forgotten.contains("Studio is not paired with this phone any more."))
        let (_, none, _) = try await run(
            ["notifications", "follow", "--json"],
            answers: [:],
            items: [["computers": []]],
            status: 1
        )
        #expect(none.contains("No computer is paired with this phone."))
    }

    @Test("marks are done, or wait for the computer")
    func marks() async throws {
        let (read, _, asked) = try await run(
            ["notifications", "read", "--all", "--computer", "Studio"],
            answers: ["notifications.mark": ["queued": true, "count": 0]]
        )
        #expect(read == "It will be done when the computer is there.\n")
        #expect(asked.map(\.params) == [["device": "Studio", "all": true]])
        let (deleted, _, requests) = try await run(
            ["notifications", "delete", "n-1", "n-2"],
            answers: ["notifications.delete": ["queued": false, "count": 2]]
        )
        #expect(deleted == "2 deleted.\n")
        #expect(requests.map(\.params) == [["ids": ["n-1", "n-2"]]])
        let console = TestConsole()
        #expect(await console.run("notifications", "read") == 2)
        #expect(console.error.contains("--all"))
    }

    @Test("ids are taken by their beginnings, as a narrow window's table cuts them")
    func beginnings() async throws {
        let ids = ["788df38c-aacd-4d16-a6f9-26b225992d25", "788dffff-aacd-4d16-a6f9-26b225992d25"]
        let rows = ids.map { id -> JSONValue in ["id": .string(id), "title": "t", "body": "b", "createdAt": 1] }
        let answers: [String: JSONValue] = [
            "notifications.list": ["notifications": .array(rows), "total": 2, "unreadCount": 2],
            "notifications.mark": ["queued": false, "count": 1], "notifications.delete": ["queued": false, "count": 1],
            "notification.act": ["success": true],
        ]
        let (read, _, marks) = try await run(["notifications", "read", "788df38c-aacd…"], answers: answers)
        #expect(read == "1 marked.\n")
        #expect(marks.last?.params == ["ids": [.string(ids[0])]])
        let (_, _, deletes) = try await run(["notifications", "delete", ids[0], "788DFF"], answers: answers)
        #expect(deletes.last?.params == ["ids": [.string(ids[0]), .string(ids[1])]])
        let (_, _, presses) = try await run(["notifications", "act", "788df3", "--action", "ok"], answers: answers)
        #expect(presses.last?.params["params"]?["notificationId"] == .string(ids[0]))
        let (_, several, _) = try await run(["notifications", "read", "788d"], answers: answers, status: 1)
        #expect(several.contains("Several begin with 788d."))
        let (_, none, _) = try await run(["notifications", "delete", "beef"], answers: answers, status: 1)
        #expect(none.contains("No notification's id begins with beef."))
    }

    @Test("a text may come through a pipe, and what is sent is the documented method")
    func send() async throws {
        let (output, _, requests) = try await run(
            ["notifications", "send", "Build", "--priority", "urgent", "--data", "job=7"],
            answers: ["notification.send": ["success": true, "notificationId": "n-1", "silenced": true]],
            console: TestConsole(input: ["two\n", "lines\n"])
        )
        #expect(output == "It is kept. Quiet hours: nothing was shown.\n")
        #expect(
            requests.first?.params["params"] == [
                "title": "Build", "body": "two\nlines", "priority": "urgent", "urgency": "critical",
                "respectQuietHours": true, "data": ["job": "7"],
            ]
        )
        for (shown, words) in [
            (true, "It is shown at the computer, and its phones are told.\n"),
            (
                false,
                "It is kept, and the computer's phones are told. The computer itself has no desktop that shows it.\n"
            ),
            (nil, "It is sent.\n"),
        ] as [(Bool?, String)] {
            var answer: [String: JSONValue] = ["success": true, "notificationId": "n-1"]
            answer["shown"] = shown.map { .bool($0) }
            let (output, _, _) = try await run(
                ["notifications", "send", "T", "B"],
                answers: ["notification.send": .object(answer)]
            )
            #expect(output == words)
        }
        let (_, error, _) = try await run(
            ["notifications", "send", "T", "B", "--phones"],
            answers: [
                "notification.broadcast": ["success": false, "deliveredCount": 0, "error": "No phone is paired."]
            ],
            status: 1
        )
        #expect(error == "Error: No phone is paired.\n")
    }

    @Test(
        "a computer that takes it and counts nobody is believed, and it is said that it does not tell whom it told",
        arguments: [(["--phones"], "notification.broadcast"), (["--phone", "p-1"], "notification.sendToMobile")]
    )
    func handedOver(words: [String], method: String) async throws {
        let existing: JSONValue = ["success": true, "id": "n", "timestamp": 5]
        let (output, _, requests) = try await run(
            ["notifications", "send", "T", "B"] + words,
            answers: [method: existing]
        )
        #expect(output == "It is handed over. The computer does not say which phones it told.\n")
        #expect(requests.last?.params["method"] == .string(method))
        let (answer, _, _) = try await run(
            ["notifications", "send", "T", "B", "--json"] + words,
            answers: [method: existing]
        )
        #expect(try JSONValue(parsing: answer.utf8) == existing)
        // One that counts says whom it told.
        let (counted, _, _) = try await run(
            ["notifications", "send", "T", "B"] + words,
            answers: [method: ["success": true, "deliveredCount": 2, "failedCount": 1]]
        )
        #expect(counted == "2 told, or told when they are there. 1 cannot be told.\n")
        // One that says that nobody was told has not taken it.
        let (_, nobody, _) = try await run(
            ["notifications", "send", "T", "B"] + words,
            answers: [method: ["success": true, "delivered": false, "deliveredCount": 0]],
            status: 1
        )
        #expect(nobody == "Error: No phone could be told.\n")
    }

    @Test("what nobody was told is a failure for a program, too, which gets the answer beside it")
    func sendToNobody() async throws {
        let nobody: JSONValue = ["success": false, "deliveredCount": 0, "error": "No phone is paired."]
        let refused: JSONValue = ["success": false, "error": "Too many came."]
        let cases: [([String], String, JSONValue)] = [
            (["--phones"], "notification.broadcast", nobody),
            (["--phone", "p-1"], "notification.sendToMobile", nobody),
            ([], "notification.send", refused),
        ]
        for (words, method, answer) in cases {
            let (output, error, _) = try await run(
                ["notifications", "send", "T", "B", "--json"] + words,
                answers: [method: answer],
                status: 1
            )
            #expect(try JSONValue(parsing: output.utf8) == answer)
            let message = try JSONValue(parsing: error.utf8)["error"]?["message"]
            #expect(message == answer["error"])
        }
    }

    @Test(
        "quiet hours are set as people write them",
        arguments: [
            (
                "22:00-08:00",
                [
                    "quietHoursEnabled": true, "quietHoursStart": "22:00", "quietHoursEnd": "08:00",
                    "quietHours": ["enabled": true, "start": "22:00", "end": "08:00"],
                ]
            ),
            (
                "8:00-22:00",
                [
                    "quietHoursEnabled": true, "quietHoursStart": "08:00", "quietHoursEnd": "22:00",
                    "quietHours": ["enabled": true, "start": "08:00", "end": "22:00"],
                ]
            ), ("off", ["quietHoursEnabled": false, "quietHours": ["enabled": false]]),
            ("on", ["quietHoursEnabled": true, "quietHours": ["enabled": true]]),
        ] as [(String, JSONValue)]
    )
    func quiet(typed: String, sent: JSONValue) async throws {
        let settings: JSONValue = [
            "success": true,
            "settings": ["quietHoursEnabled": true, "quietHoursStart": "22:00", "quietHoursEnd": "08:00"],
        ]
        let (output, _, requests) = try await run(
            ["notifications", "settings", "--quiet", typed],
            answers: ["notification.updateSettings": settings]
        )
        #expect(requests.first?.params["params"] == sent)
        #expect(output.contains("quiet hours: 22:00-08:00\n"))
    }

    @Test(
        "times that no day has are wrong use",
        arguments: ["24:00-08:00", "22-8", "22:00", "22:00-08:00-09:00", "On"]
    )
    func badQuiet(typed: String) async throws {
        let console = TestConsole()
        #expect(await console.run("notifications", "settings", "--quiet", typed) == 2)
    }
}
