import Control
import Foundation
import Journal
import Kernel
import Testing

@testable import TandemCommands

@Suite("What commands for the journal ask and print", .timeLimit(.minutes(4)))
struct JournalCommandTests {
    private static let id = "1f0c2b3a-0001-4000-8000-000000000001"

    private static func entry(_ members: [String: JSONValue] = [:]) -> JSONValue {
        let ordinary: [String: JSONValue] = [
            "id": .string(id), "title": "A walk", "excerpt": "Hills", "timestamp": 1_795_860_000_000,
            "updatedAt": 1_795_860_000_000, "mood": .null, "location": .null, "categories": ["Travel/Italy"],
            "media": 2,
            "isDeleted": false,
        ]
        return .object(ordinary.merging(members) { $1 })
    }

    private static func story(_ members: [String: JSONValue] = [:]) -> JSONValue {
        let ordinary: [String: JSONValue] = [
            "id": .string(id), "title": "A walk", "content": "# Hills\nand \u{1B}[2J valleys", "isCut": false,
            "timestamp": 1_795_860_000_000, "createdAt": 1_795_860_000_000, "updatedAt": 1_795_860_000_000,
            "mood": "glad",
            "location": "Rigi", "latitude": .number(47.5), "longitude": .number(8.25),
            "categories": [["id": "c", "path": "Travel/Italy"]],
            "media": [
                [
                    "id": "m1", "type": "image", "fileName": "m1.jpg", "fileSize": 2048, "width": 40, "height": 30,
                    "duration": 0, "createdAt": 1, "hasThumbnail": true, "broken": "FILE_NOT_FOUND",
                ]
            ],
            "isDeleted": false,
        ]
        return .object(ordinary.merging(members) { $1 })
    }

    private func run(
        _ words: [String],
        console: TestConsole = TestConsole(),
        status: Int32 = 0,
        answer: @escaping @Sendable (ControlRequest) throws -> JSONValue
    ) async throws -> (output: String, error: String, requests: [ControlRequest]) {
        try await PreparedRole.run(answer) { state, role in
            #expect(await console.run(["journal"] + words + ["--state", state]) == status, "\(console.error)")
            return (console.output, console.error, role.requests)
        }
    }

    @Test("the list is as wide as the window, safe for a terminal, and as it came with --json")
    func list() async throws {
        let stories: JSONValue = [
            "stories": [
                Self.entry(["title": "A\u{1B}[2J walk with a very long title that goes on and on"]),
                Self.entry(["id": "2"]),
            ],
            "next": "17-3",
        ]
        let narrow = TestConsole(environment: ["NO_COLOR": "1"], terminals: [.output], size: (80, 24))
        let shown = try await run(["list", "--in", "Travel"], console: narrow) { _ in stories }
        #expect(shown.output.split(separator: "\n").allSatisfy { TerminalText.columns(String($0)) <= 80 })
        #expect(!shown.output.contains("\u{1B}") && shown.output.contains("Travel/Italy"))
        #expect(shown.error == "More: the same with --before=17-3\n")
        #expect(shown.requests.first?.params["category"] == "Travel" && shown.requests.first?.params["limit"] == 50)
        let json = try await run(["list", "--json"]) { _ in stories }
        #expect(try JSONValue(parsing: json.output.utf8) == stories)
        let nothing = try await run([]) { _ in ["stories": [], "next": .null] }
        #expect(nothing.output.hasPrefix("There is no story."))
        let found = try await run(["search", "two", "words"]) { _ in ["stories": [], "next": .null] }
        #expect(found.output == "Nothing was found.\n" && found.requests.first?.params["words"] == "two words")
    }

    @Test("a story is shown with all that belongs to it, and its text alone goes into a pipe as it is")
    func show() async throws {
        let shown = try await run(["show", "1f0c"]) { _ in Self.story() }
        for part in [
            "A walk\n", "glad", "Rigi", "47.5, 8.25", "in Travel/Italy", "40x30", "FILE_NOT_FOUND", "id: \(Self.id)",
        ] {
            #expect(shown.output.contains(part), "\(part)")
        }
        #expect(!shown.output.contains("\u{1B}"))
        let text = try await run(["show", "1f0c", "--content"]) { _ in Self.story() }
        #expect(text.output == "# Hills\nand \u{1B}[2J valleys")
    }

    @Test("a story is written with words, or with what comes on stdin, and its files are put into it")
    func add() async throws {
        let answer: @Sendable (ControlRequest) throws -> JSONValue = { request in
            request.method == "journal.attach" ? (Self.story()["media"]?.arrayValue?.first ?? .null) : Self.story()
        }
        let typed = try await run(
            [
                "add", "Up", "we go", "--title", "Rigi", "--in", "Travel", "--in", "Old", "--date",
                "2026-11-28T10:00:00Z", "-f", "/tmp/a.jpg",
            ],
            answer: answer
        )
        #expect(typed.output == "It is in the journal: \(Self.id)\n")
        #expect(typed.requests.map(\.method) == ["journal.add", "journal.attach", "journal.show"])
        let draft: JSONValue = [
            "title": "Rigi", "content": "Up we go", "timestamp": 1_795_860_000_000, "categories": ["Travel", "Old"],
        ]
        #expect(typed.requests[0].params == draft)
        #expect(typed.requests[1].params == ["id": .string(Self.id), "path": "/tmp/a.jpg"])
        let piped = try await run(["add"], console: TestConsole(input: ["one\n", "two\n"]), answer: answer)
        #expect(piped.requests[0].params == ["content": "one\ntwo"])
        let titled = try await run(["add", "--title", "T"], console: TestConsole(terminals: [.input]), answer: answer)
        #expect(titled.requests[0].params == ["title": "T"])
        let edited = try await run(["edit", "1f0c", "--mood", "", "--in", ""], answer: answer)
        #expect(edited.requests[0].params == ["id": "1f0c", "change": ["mood": "", "categories": []]])
    }

    @Test("wrong use ends with 2 before anything is asked")
    func wrongUse() async throws {
        let wrong = [
            ["list", "--limit", "0"], ["list", "--from", "yesterday"], ["list", "--from", "2026-02-30"],
            ["search", " "],
            ["add", "x", "--latitude", "4"], ["add", "x", "--latitude", "91", "--longitude", "0"],
            ["import", "x", "--as", "word"], ["settings", "theme"], ["settings", "a", "b", "--type", "date"],
        ]
        for words in wrong {
            let said = try await run(words, status: 2) { _ in .null }
            #expect(said.requests.isEmpty && said.output == "", "\(words)")
        }
        let long = TestConsole(input: [String(repeating: "x", count: 513 << 10)])
        #expect(try await run(["add"], console: long, status: 2) { _ in .null }.requests.isEmpty)
    }

    @Test("an import says what came in, names what did not, and ends with 1 then")
    func importing() async throws {
        let clean: JSONValue = [
            "format": "dayOne", "added": 2, "updated": 0, "unchanged": 1, "addedMedia": 3, "unchangedMedia": 0,
            "problems": [], "problemCount": 0,
        ]
        let good = try await run(["import", "/tmp/x.zip"]) { _ in clean }
        #expect(good.output == "From Day One: stories: 2 new, 1 unchanged; media: 3 new.\n" && good.error == "")
        let bad = clean.adding("problems", [["item": "e\u{1B}1", "reason": "It has no date."]]).adding(
            "problemCount",
            1
        )
        let said = try await run(["import", "/tmp/x.zip"], status: 1) { _ in bad }
        #expect(said.error.contains("e\\e1: It has no date.") && said.error.contains("One of them was left out"))
        let json = try await run(["import", "/tmp/x.zip", "--json"], status: 1) { _ in bad }
        #expect(try JSONValue(parsing: json.output.utf8) == bad)
        let exported: JSONValue = ["folder": "/tmp/out", "stories": 1, "media": 0, "broken": []]
        #expect(
            try await run(["export", "/tmp/out"]) { _ in exported }.output
                == "1 story and 0 media are in /tmp/out, not encrypted.\n"
        )
    }

    @Test("categories stand below each other, set in")
    func categories() async throws {
        @Sendable func entry(_ name: String, _ level: Int64, _ stories: Int64) -> JSONValue {
            [
                "id": .string(name.lowercased()), "name": .string(name), "path": .string(name),
                "level": .integer(level),
                "parent": .null, "color": "#007AFF", "icon": "folder", "sortOrder": 0, "stories": .integer(stories),
            ]
        }
        let answer: JSONValue = ["categories": [entry("Travel", 1, 0), entry("Italy", 2, 3)]]
        let shown = try await run(["categories"]) { _ in answer }
        #expect(
            shown.output
                == "NAME     STORIES  COLOUR   ID\nTravel            #007AFF  travel\n  Italy  3        #007AFF  italy\n"
        )
        let made = try await run(["category", "add", "Italy", "--in", "Travel"]) { _ in entry("Italy", 2, 0) }
        #expect(made.output == "There is a category Italy.\n")
        #expect(made.requests.first?.params == ["name": "Italy", "parent": "Travel"])
    }

    @Test("a date that is typed means this machine's time zone, unless it says another")
    func dates() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        #expect(JournalDate("2026-11-28", timeZone: zone)?.milliseconds == 1_795_820_400_000)
        #expect(JournalDate("2026-11-28 11:00", timeZone: zone)?.milliseconds == 1_795_860_000_000)
        #expect(JournalDate("2026-11-28T10:00:00Z", timeZone: zone)?.milliseconds == 1_795_860_000_000)
        for wrong in ["", "28.11.2026", "2026-13-01", "2026-02-30", "2026-11-28 25:00", "2026-11-28 10:60", "x"] {
            #expect(JournalDate(wrong, timeZone: zone) == nil, "\(wrong)")
        }
    }
}
