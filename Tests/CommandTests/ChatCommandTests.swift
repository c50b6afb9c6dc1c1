import Control
import Foundation
import Kernel
import Synchronization
import Testing

@testable import TandemCommands

@Suite("What commands for chats ask and print", .timeLimit(.minutes(4)))
struct ChatCommandTests {
    private static let id = "5f0c2b1e-0001-4000-8000-000000000001"

    /// Runs a command beside a phone that knows Ada.
    private func run(
        _ words: [String],
        items: [JSONValue] = [],
        console: TestConsole = TestConsole(),
        status: Int32 = 0,
        rows: [JSONValue] = [ChatSample.row()],
        answer: @escaping @Sendable (ControlRequest) throws -> JSONValue = { _ in .null }
    ) async throws -> (output: String, error: String, requests: [ControlRequest]) {
        let all: @Sendable (ControlRequest) throws -> JSONValue = { request in
            if request.method == "chat.list" { return ChatSample.standing(rows) }
            if request.method == "chat.open", request.params["person"]?.stringValue != "ada" {
                throw ControlError.refused("There is no such person at this hub.")
            }
            if request.method == "chat.open" { return ChatSample.row() }
            return try answer(request)
        }
        return try await PreparedRole.run(all, reporting: items) { state, role in
            let at = words.firstIndex(of: "--") ?? words.endIndex
            let line = Array(words[..<at] + ["--state", state] + words[at...])
            #expect(await console.run(line) == status, "\(console.output)\(console.error)")
            let finding = ["chat.list", "chat.open", "chat.follow"]
            return (console.output, console.error, role.requests.filter { !finding.contains($0.method) })
        }
    }

    // MARK: The list

    @Test("the list has marks, what is new, and the last words, made safe and as wide as the window")
    func list() async throws {
        let rows = [
            ChatSample.row([
                "name": "Ada\u{1B}[2J", "isPinned": true, "isOnline": true, "unread": 12,
                "last": [
                    "id": "a", "kind": "text", "text": "one\ntwo", "time": 0, "isMine": true, "status": "failed",
                ],
            ]),
            ChatSample.row(["id": "b", "user": "tb_8", "name": "Bea", "request": "incoming", "draft": "to be said"]),
            ChatSample.row([
                "id": "c", "user": "tb_9", "name": "Cyd", "isMuted": true, "isBlocked": true,
                "last": ["id": "a", "kind": "flash", "text": "", "time": 0, "isMine": false, "status": "sent"],
            ]),
        ]
        let standing = ChatSample.standing(rows, ["requests": 1, "state": "away"])
        let answer: @Sendable (ControlRequest) -> JSONValue = { _ in standing }
        try await PreparedRole.run(answer) { state, _ in
            let console = TestConsole()
            #expect(await console.run("chat", "--state", state) == 0)
            #expect(
                console.output == """
                        NAME      NEW  TIME   LAST                     ID
                    ^*  Ada\\e[2J  12   never  [not sent] you: one two  tb_7
                    ?   Bea            never  [draft] to be said       tb_8
                    -x  Cyd            never  [view-once picture]      tb_9
                    1 waits for your answer (?): tandem chat accept NAME, tandem chat decline NAME
                    The hub is not reached. What you send waits until it is.

                    """
            )
            let narrow = TestConsole(environment: ["NO_COLOR": "1"], terminals: [.output], size: (50, 24))
            #expect(await narrow.run("chat", "list", "--state", state) == 0)
            let table = narrow.output.split(separator: "\n").prefix(4)
            #expect(table.allSatisfy { TerminalText.columns(String($0)) <= 50 }, "\(narrow.output)")
            let json = TestConsole()
            #expect(await json.run("chat", "--json", "--state", state) == 0)
            let told = try JSONValue(parsing: json.output.utf8)
            #expect(told == standing)
        }
    }

    @Test("without an account the list says how to get one, and every other command ends with status 1")
    func signedOut() async throws {
        let standing = ChatSample.standing([], ["state": "signedOut", "me": .null])
        try await PreparedRole.run({ _ in standing }) { state, _ in
            let list = TestConsole()
            #expect(await list.run("chat", "--state", state) == 0)
            #expect(list.output.hasPrefix("This phone has no account. Make one with: tandem account new HUB NAME"))
            let send = TestConsole()
            #expect(await send.run("chat", "send", "ada", "hi", "--state", state) == 1)
            #expect(send.error.hasPrefix("Error: This phone has no account."))
        }
    }

    // MARK: People

    @Test("a person is named by number, account, shown name in any capitals", arguments: ["tb_7", "ada", "Ada", "ADA"])
    func named(person: String) async throws {
        let (output, _, requests) = try await run(["chat", "pin", person]) { _ in ChatSample.row(["isPinned": true]) }
        #expect(output == "Ada is at the top.\n")
        #expect(requests.map(\.params) == [["conversation": "si_tb_1_tb_7", "on": true]])
    }

    @Test("who calls themselves as another one's account is called gets none of that one's messages")
    func impostor() async throws {
        let impostor = ChatSample.row(["id": "si_tb_1_tb_9", "user": "tb_9", "name": "ada"])
        let (_, error, requests) = try await run(["chat", "send", "ada", "hi"], status: 1, rows: [impostor])
        #expect(error.contains("ada can be tb_7 or tb_9. Say which"))
        #expect(requests.isEmpty)
        // A stranger's request makes nobody unreachable.
        let stranger = ChatSample.row([
            "id": "si_tb_1_tb_9", "user": "tb_9", "name": "Ada", "request": "incoming",
        ])
        let (_, _, asked) = try await run(["chat", "read", "Ada"], rows: [stranger, ChatSample.row()])
        #expect(asked.map { $0.params["conversation"] } == ["si_tb_1_tb_7"])
    }

    @Test("a shown name that two people have names neither, and one that nobody has gets the phone's sentence")
    func ambiguous() async throws {
        let rows = [
            ChatSample.row(["name": "Ada L."]), ChatSample.row(["id": "x", "user": "tb_8", "name": "Ada L."]),
        ]
        let (_, two, _) = try await run(["chat", "read", "Ada L."], status: 1, rows: rows)
        #expect(two.contains("Ada L. can be tb_7 or tb_8."))
        let (_, nobody, _) = try await run(["chat", "read", "nobody"], status: 1)
        #expect(nobody == "Error: There is no such person at this hub.\n")
    }

    // MARK: Sending

    @Test("a text is sent under an id of its own, and what became of it is said")
    func send() async throws {
        let (output, _, requests) = try await run(["chat", "send", "ada", "Hello", "there"]) { request in
            ChatSample.own(["id": request.params["id"] ?? .null, "text": "Hello there"])
        }
        #expect(output == "Sent.\n")
        #expect(requests.map(\.method) == ["chat.send"])
        #expect(requests.first?.params["text"] == "Hello there")
        #expect(requests.first?.params["id"]?.stringValue?.utf8.count == 36)
    }

    @Test("the text can come through a pipe, with its lines", arguments: [[], ["-"]])
    func piped(words: [String]) async throws {
        let console = TestConsole(input: ["one\n", "two\n"])
        let (_, _, requests) = try await run(["chat", "send", "ada"] + words, console: console) { request in
            ChatSample.own(["id": request.params["id"] ?? .null])
        }
        #expect(requests.first?.params["text"] == "one\ntwo")
    }

    @Test("nothing to say, too much and what is no text is wrong use, and nobody is asked")
    func badWords() async throws {
        for input in [[], [" \n"], [String(repeating: "x", count: 20_000)]] {
            let console = TestConsole(input: input)
            let (_, _, requests) = try await run(["chat", "send", "ada"], console: console, status: 2)
            #expect(requests.isEmpty)
        }
    }

    @Test("what the phone tells later counts: a message that waits and then fails is status 1 with its sentence")
    func failed() async throws {
        let (output, error, _) = try await run(["chat", "send", "ada", "hi"], status: 1) { request in
            if request.method == "chat.history" {
                return ChatSample.page([
                    ChatSample.own(["id": "other"])
                ])
            }
            return ChatSample.own([
                "id": request.params["id"] ?? .null, "status": "failed", "error": "They blocked you.",
            ])
        }
        #expect(output == "")
        #expect(error.hasPrefix("Error: It was not sent. They blocked you. Try again with: tandem chat resend tb_7 "))
    }

    @Test("a message that is sent while nobody told so is found in the history")
    func foundLater() async throws {
        let sent = Sent()
        let (output, _, requests) = try await run(["chat", "send", "ada", "hi", "--json"]) { request in
            guard request.method == "chat.history" else {
                if request.method == "chat.send" { sent.note(request.params["id"]) }
                return ChatSample.own(["id": request.params["id"] ?? .null, "status": "sending", "seq": .null])
            }
            return ChatSample.page([ChatSample.message(), ChatSample.own(["id": sent.id ?? .null, "seq": 5])])
        }
        #expect(requests.map(\.method) == ["chat.send", "chat.history"])
        #expect(try JSONValue(parsing: output.utf8)["seq"] == 5)
    }

    @Test("without the hub the message waits, which is no failure; --no-wait asks for nothing more")
    func waits() async throws {
        let waiting: @Sendable (ControlRequest) -> JSONValue = { request in
            guard request.method != "chat.history" else { return ChatSample.page([]) }
            return ChatSample.own(["id": request.params["id"] ?? .null, "status": "sending", "seq": .null])
        }
        let (late, _, looks) = try await run(["chat", "send", "ada", "hi", "--timeout", "2"], answer: waiting)
        #expect(late.hasPrefix("It waits and is sent as soon as it can be"))
        #expect(looks.count > 2)
        let (soon, _, requests) = try await run(["chat", "send", "ada", "hi", "--no-wait"], answer: waiting)
        #expect(soon == late)
        #expect(requests.map(\.method) == ["chat.send"])
    }

    @Test("files are named by whole paths, and looked for before anybody is asked")
    func media() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chat-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a b.jpg").path
        try Data([0xFF, 0xD8]).write(to: URL(fileURLWithPath: file))
        let answer: @Sendable (ControlRequest) -> JSONValue = { ChatSample.own(["id": $0.params["id"] ?? .null]) }
        let (output, _, requests) = try await run(["chat", "image", "ada", file, file], answer: answer)
        #expect(output == "Sent.\n")
        #expect(requests.first?.params["kind"] == "image")
        #expect(requests.first?.params["files"] == [.string(file), .string(file)])
        for kind in ["flash", "voice"] {
            let (_, _, asked) = try await run(["chat", kind, "ada", file], answer: answer)
            #expect(asked.first?.params["kind"] == .string(kind))
        }
        let (_, missing, none) = try await run(["chat", "flash", "ada", "/no/such"], status: 1)
        #expect(missing == "Error: /no/such could not be read: there is no such file.\n")
        #expect(none.isEmpty)
        let many = [String](repeating: file, count: 10)
        _ = try await run(["chat", "image", "ada"] + many, status: 2)
    }

    @Test("an answer to a signal names it and its words")
    func quote() async throws {
        let words = ["chat", "quote", "ada", "41", "Yes,", "gladly", "--content", "Coffee?", "--receive", "12"]
        let (output, _, requests) = try await run(words) { _ in ChatSample.own(["kind": "quote"]) }
        #expect(output == "Sent.\n")
        #expect(
            requests.first?.params == [
                "conversation": "si_tb_1_tb_7", "signal": "41", "reply": "Yes, gladly", "content": "Coffee?",
                "receive": "12",
            ]
        )
    }

    // MARK: Messages

    @Test("a message is named by the beginning of its id; without one the newest that can be meant")
    func target() async throws {
        let other = "6f0c2b1e-0001-4000-8000-000000000002"
        let page = ChatSample.page([
            ChatSample.own(["id": .string(Self.id)]), ChatSample.own(["id": .string(other), "status": "failed"]),
            ChatSample.message(["id": "theirs"]),
        ])
        let answer: @Sendable (ControlRequest) -> JSONValue = {
            $0.method == "chat.history" ? page : ChatSample.own(["id": $0.params["id"] ?? .null])
        }
        let cases: [([String], String, String)] = [
            (["recall", "ada", "5f0c"], "chat.recall", Self.id), (["recall", "ada"], "chat.recall", other),
            (["resend", "ada"], "chat.resend", other), (["discard", "ada", "6f0c…"], "chat.discard", other),
            (["discard", "ada", "5f0c2"], "chat.remove", Self.id),
        ]
        for (words, method, id) in cases {
            let (_, _, requests) = try await run(["chat"] + words, answer: answer)
            let last = requests.last { $0.method != "chat.history" }
            #expect(last?.method == method)
            #expect(last?.params["id"]?.stringValue == id)
        }
        let (_, unknown, _) = try await run(["chat", "recall", "ada", "ffff"], status: 1, answer: answer)
        #expect(unknown.contains("No message's id begins with ffff"))
        let (_, short, _) = try await run(["chat", "recall", "ada", "5"], status: 1, answer: answer)
        #expect(short.contains("No message's id begins with 5"))
        let empty = ChatSample.page([])
        let (_, none, _) = try await run(["chat", "resend", "ada"], status: 1) { _ in empty }
        #expect(none.contains("There is no such message"))
    }

    @Test("the history begins with who it is and whether it is sealed, and says where older messages are")
    func history() async throws {
        let page = ChatSample.page(
            [
                ChatSample.message(["text": "Hello\nthere", "seq": 8]),
                ChatSample.own(["id": "o", "text": "Hi", "seq": 9]),
            ],
            isEnd: false
        )
        let rows = [ChatSample.row(["readByPeer": 9, "isSealed": false])]
        let (output, error, requests) = try await run(["chat", "history", "tb_7", "--limit", "2"], rows: rows) { _ in
            page
        }
        let lines = output.split(separator: "\n")
        #expect(lines.first == "Ada  tb_7 · not sealed: who runs the hub can read it")
        #expect(lines[1].hasPrefix("--- ") && lines[1].contains("2026"))
        #expect(lines[2].dropFirst(5) == "  Ada: Hello")
        #expect(lines[3] == "       there")
        #expect(lines[4].dropFirst(5) == "  you: Hi  ✓✓ read")
        #expect(error == "Older ones: tandem chat history tb_7 --before 8\n")
        #expect(requests.map(\.params) == [["conversation": "si_tb_1_tb_7", "limit": 2]])
        let (json, _, _) = try await run(["chat", "history", "ada", "--json"]) { _ in page }
        #expect(try JSONValue(parsing: json.utf8) == page)
        _ = try await run(["chat", "history", "ada", "--limit", "201"], status: 2)
    }

    @Test("what changed of the other person's devices stands among the messages, before own ones that wait")
    func notices() async throws {
        let page = ChatSample.page(
            [
                ChatSample.message(["text": "one", "seq": 8]),
                ChatSample.message(["id": "b", "text": "two", "seq": 9]),
                ChatSample.own(["id": "c", "text": "three", "seq": .null, "status": "sending"]),
            ],
            notices: [
                ChatSample.notice(1, after: 8, ["added": ["Tablet", "x\u{1B}\ny"]]),
                ChatSample.notice(2, after: 9, ["removed": ["Laptop"]]),
                ChatSample.notice(3, after: 9, ["isAnew": true, "added": ["Phone"]]),
            ]
        )
        let (output, _, _) = try await run(["chat", "history", "ada"]) { _ in page }
        let lines = output.split(separator: "\n").dropFirst(2)
        #expect(lines.first?.hasSuffix("Ada: one") == true)
        #expect(lines.dropFirst().first == "--- Ada now reads on: Tablet, x\\e\\ny. ---")
        #expect(lines.dropFirst(2).first?.hasSuffix("Ada: two") == true)
        #expect(lines.dropFirst(3).first == "--- Ada no longer reads on: Laptop. ---")
        #expect(
            lines.dropFirst(4).first
                == "--- The list of devices of Ada began anew, and you agreed. Ada now reads on: Phone. ---"
        )
        #expect(lines.last?.contains("you: three") == true)
    }

    @Test("where a terminal shows no pictures their paths are printed, and one that cannot be had is said so")
    func pictures() async throws {
        let picture: JSONValue = ["width": 640, "height": 480, "blurHash": .null, "isExpired": false]
        let page = ChatSample.page([
            ChatSample.message(["kind": "image", "text": "", "pictures": [picture, picture]])
        ])
        let (output, _, _) = try await run(["chat", "history", "ada"]) { request in
            guard request.method == "chat.media" else { return page }
            guard request.params["index"] == 0 else { throw ControlError.refused("It is gone.\u{1B}") }
            return ["path": "/state/media/a b.jpg", "type": "image/jpeg", "size": 3]
        }
        let lines = output.split(separator: "\n").suffix(4)
        #expect(lines.first?.hasSuffix("Ada: [picture 1 of 2, 640×480]") == true)
        #expect(lines.dropFirst().first == "       [picture 2 of 2, 640×480]")
        #expect(lines.suffix(2) == ["       '/state/media/a b.jpg'", "       [not here: It is gone.\\e]"])
    }

    @Test("a view-once picture is opened only where it can be shown or kept, and its file is removed")
    func viewOnce() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chat-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let held = folder.appending(path: "held").path
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: held))
        let page = ChatSample.page([
            ChatSample.message(["kind": "flash", "text": "", "flash": "closed"]),
            ChatSample.message(["id": "seen", "kind": "flash", "text": "", "flash": "viewed"]),
        ])
        let answer: @Sendable (ControlRequest) -> JSONValue = {
            $0.method == "chat.history" ? page : ["path": .string(held), "type": "image/jpeg", "size": 3]
        }
        let (_, pipe, asked) = try await run(["chat", "view", "ada"], status: 1, answer: answer)
        #expect(pipe.contains("nothing was opened. Name a file for it: -o FILE"))
        #expect(asked.map(\.method) == ["chat.history"])
        let (_, seen, _) = try await run(["chat", "view", "ada", "seen"], status: 1, answer: answer)
        #expect(seen.contains("or it was opened already"))
        let nowhere = "/no/such/folder/x.jpg"
        let (_, folderless, none) = try await run(["chat", "view", "ada", "-o", nowhere], status: 1, answer: answer)
        #expect(folderless.contains("its folder is not there"))
        #expect(none.map(\.method) == ["chat.history"])
        let file = folder.appending(path: "kept.jpg").path
        let (output, error, opened) = try await run(["chat", "view", "ada", "-o", file], answer: answer)
        #expect(error.hasPrefix("It cannot be opened again"))
        #expect(output == "It is in \(file).\n")
        #expect(opened.map(\.method) == ["chat.history", "chat.flash"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([1, 2, 3]))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        #expect(!FileManager.default.fileExists(atPath: held))
    }

    @Test("a picture is saved under a name that was chosen, or its own file named")
    func save() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chat-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let held = folder.appending(path: "held").path
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: held))
        let page = ChatSample.page([
            ChatSample.message(["kind": "image", "text": ""]), ChatSample.message(["id": "t"]),
        ])
        let answer: @Sendable (ControlRequest) -> JSONValue = {
            $0.method == "chat.history" ? page : ["path": .string(held), "type": "image/jpeg", "size": 3]
        }
        let (path, _, requests) = try await run(["chat", "save", "ada", "--picture", "2"], answer: answer)
        #expect(path == held + "\n")
        #expect(requests.last?.params == ["conversation": "si_tb_1_tb_7", "id": .string(Self.id), "index": 1])
        let file = folder.appending(path: "copy.jpg").path
        _ = try await run(["chat", "save", "ada", "-o", file], answer: answer)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data([1, 2, 3]))
        #expect(FileManager.default.fileExists(atPath: held))
    }

    @Test("what is found stands below its conversation, time and id; more of it is asked for by the place")
    func search() async throws {
        let found: JSONValue = [
            "messages": [ChatSample.message(["text": "the engine\u{1B}[2J"])], "next": "9:1",
        ]
        let words = ["chat", "search", "the", "engine", "--in", "ada", "--limit", "1"]
        let (output, error, requests) = try await run(words) { _ in found }
        let lines = output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("Ada · ") == true && lines.first?.hasSuffix(" · \(Self.id)") == true)
        #expect(lines.last?.hasSuffix("Ada: the engine\\e[2J") == true)
        #expect(error == "More: the same with --before 9:1\n")
        #expect(requests.first?.params == ["text": "the engine", "conversation": "si_tb_1_tb_7", "limit": 1])
        let nothing: JSONValue = ["messages": [], "next": .null]
        let (none, _, asked) = try await run(["chat", "search", "x"]) { _ in nothing }
        #expect(none == "Nothing was found.\n")
        #expect(asked.first?.params == ["text": "x", "limit": 20])
    }

    // MARK: Settings and people

    @Test("each switch is taken back by the same command")
    func switches() async throws {
        let cases: [(String, String, JSONValue, String)] = [
            ("mute", "chat.mute", ["isMuted": true], "Ada is muted.\n"),
            ("block", "chat.block", ["isBlocked": true], "Ada is blocked.\n"),
        ]
        for (word, method, members, sentence) in cases {
            let on = ChatSample.row(members.objectValue ?? [:])
            let (output, _, requests) = try await run(["chat", word, "ada"]) { _ in on }
            #expect(output == sentence)
            #expect(requests.map(\.method) == [method])
            let (_, _, off) = try await run(["chat", word, "ada", "--off"]) { _ in ChatSample.row() }
            #expect(off.first?.params["on"] == false)
        }
    }

    @Test("a history is cleared after a yes, which the end of input is not")
    func clear() async throws {
        let (_, pipe, none) = try await run(["chat", "clear", "ada"], status: 2)
        #expect(pipe.contains("--yes") && none.isEmpty)
        let silent = TestConsole(terminals: [.input, .error])
        let (_, asked, nothing) = try await run(["chat", "clear", "ada"], console: silent, status: 1)
        #expect(asked.hasSuffix("with Ada? [y/N]\nError: Nothing was changed.\n") && nothing.isEmpty)
        let agreeing = TestConsole(terminals: [.input, .error], input: ["y\n"])
        let (_, _, cleared) = try await run(["chat", "clear", "ada"], console: agreeing)
        #expect(cleared.map(\.method) == ["chat.clear"])
        let (output, _, _) = try await run(["chat", "clear", "ada", "--yes"])
        #expect(output == "It is empty.\n")
    }

    @Test("hiding, reading and reporting name the conversation, and a report its words")
    func others() async throws {
        let (hidden, _, _) = try await run(["chat", "hide", "ada"])
        #expect(hidden == "It is off the list.\n")
        let (_, _, read) = try await run(["chat", "read", "ada"])
        #expect(read.map(\.params) == [["conversation": "si_tb_1_tb_7"]])
        let page = ChatSample.page([ChatSample.message()])
        let words = ["chat", "report", "ada", "It", "is", "spam.", "--message", "5f0c"]
        let (_, _, report) = try await run(words) { $0.method == "chat.history" ? page : .null }
        #expect(
            report.last?.params == ["conversation": "si_tb_1_tb_7", "id": .string(Self.id), "reason": "It is spam."]
        )
    }

    @Test("people are a table that says who waits for whom")
    func contacts() async throws {
        let people: JSONValue = [
            "people": [
                [
                    "conversation": "a", "user": "tb_7", "name": "Ada", "request": .null, "isBlocked": false,
                    "isVerified": true,
                ],
                [
                    "conversation": "b", "user": "tb_8", "name": "B\u{202E}ea", "request": "incoming",
                    "isBlocked": false, "isVerified": false,
                ],
                [
                    "conversation": "c", "user": "tb_9", "name": "Cyd", "request": "outgoing", "isBlocked": true,
                    "isVerified": false,
                ],
            ]
        ]
        let (output, _, _) = try await run(["chat", "contacts"]) { _ in people }
        #expect(
            output == """
                NAME       STATE                 SAFETY NUMBER  ID
                Ada                              compared       tb_7
                B\\u202eea  asks to write to you                 tb_8
                Cyd        blocked                              tb_9

                """
        )
        let (json, _, _) = try await run(["chat", "contacts", "--json"]) { _ in people }
        #expect(try JSONValue(parsing: json.utf8) == people)
        #expect(!json.contains("\u{202E}"))
        let nobody: JSONValue = ["people": []]
        let (none, _, _) = try await run(["chat", "contacts"]) { _ in nobody }
        #expect(none.hasPrefix("Nobody is known yet."))
    }

    @Test("somebody new gets a greeting, or the words that are given; who is known already gets no second one")
    func add() async throws {
        let answer: @Sendable (ControlRequest) -> JSONValue = { ChatSample.own(["id": $0.params["id"] ?? .null]) }
        let new = [ChatSample.row(["newest": 0])]
        let (_, _, greeting) = try await run(["chat", "add", "tb_7"], rows: new, answer: answer)
        #expect(greeting.first?.params["text"] == "Hello!")
        let (_, _, words) = try await run(["chat", "add", "tb_7", "It", "is", "me"], rows: new, answer: answer)
        #expect(words.first?.params["text"] == "It is me")
        let (_, known, none) = try await run(["chat", "add", "tb_7"], status: 1, answer: answer)
        #expect(known.contains("You write to each other already") && none.isEmpty)
    }

    @Test("a first message is accepted or declined", arguments: [("accept", true), ("decline", false)])
    func answerRequest(word: String, accept: Bool) async throws {
        let rows = [ChatSample.row(["request": "incoming"])]
        let (_, _, requests) = try await run(["chat", word, "Ada"], rows: rows) { _ in ChatSample.row() }
        #expect(requests.map(\.method) == ["chat.answer"])
        #expect(requests.first?.params == ["conversation": "si_tb_1_tb_7", "accept": .bool(accept)])
    }

    @Test("the own link is a line in a pipe; on a terminal its code is drawn above it, where there is room")
    func link() async throws {
        let own: JSONValue = ["link": "tandem-account://chat?hub=x&u=tb_1", "user": "tb_1", "name": "bob"]
        let (pipe, _, _) = try await run(["chat", "link"]) { _ in own }
        #expect(pipe == "tandem-account://chat?hub=x&u=tb_1\n")
        let large = TestConsole(terminals: [.output], size: (100, 50))
        let (drawn, _, _) = try await run(["chat", "link"], console: large) { _ in own }
        #expect(drawn.contains("▀") && drawn.hasSuffix("\ntandem-account://chat?hub=x&u=tb_1\n"))
        let small = TestConsole(terminals: [.output], size: (80, 5))
        let (told, _, _) = try await run(["chat", "link"], console: small) { _ in own }
        #expect(told.contains("tandem chat link --png link.png") && !told.contains("▀"))
    }

    @Test("a safety number is four groups a row, and says how to note that it was compared")
    func safety() async throws {
        let groups = (0..<12).map { JSONValue.string(String(repeating: "\($0 % 10)", count: 5)) }
        let safety: JSONValue = [
            "conversation": "si_tb_1_tb_7", "isSealed": true, "number": .array(groups), "code": "x",
            "isVerified": false,
            "trouble": .null,
        ]
        let (output, _, _) = try await run(["chat", "safety", "ada"]) { _ in safety }
        #expect(
            output == """
                00000 11111 22222 33333
                44444 55555 66666 77777
                88888 99999 00000 11111
                Compare it with what their device shows, then: tandem chat verify tb_7

                """
        )
        let none = safety.adding("number", []).adding("code", "")
        let (clear, _, _) = try await run(["chat", "safety", "ada"]) { _ in none }
        #expect(clear.hasPrefix("There is no safety number: this conversation is not sealed"))
        let (_, _, verified) = try await run(["chat", "verify", "ada"]) { _ in safety }
        #expect(verified.first?.params == ["conversation": "si_tb_1_tb_7", "on": true])
        let (_, _, agreed) = try await run(["chat", "agree", "ada", "--new-keys"]) { _ in safety }
        #expect(agreed.first?.params == ["conversation": "si_tb_1_tb_7", "to": "newKeys"])
        _ = try await run(["chat", "agree", "ada"], status: 2)
    }

    @Test("the devices of sealed messages are listed, added by the words that a person types, and taken out by theirs")
    func devices() async throws {
        func device(_ name: String, _ words: String, _ state: String) -> JSONValue {
            [
                "did": .string("did:key:\(name)"), "name": .string(name), "words": .string(words),
                "state": .string(state),
            ]
        }
        let list: JSONValue = [
            "devices": [
                device("phone", "a-b-c-d", "this"), device("laptop", "e-f-g-h", "listed"),
                device("tablet", "i-j-k-l", "waiting"),
            ], "isListed": true, "trouble": .null,
        ]
        let (output, _, _) = try await run(["chat", "devices"]) { _ in list }
        #expect(output.hasPrefix("a-b-c-d  phone (this device)\ne-f-g-h  laptop\nwaits: tablet."))
        #expect(!output.contains("i-j-k-l"))
        let (_, _, added) = try await run(["chat", "devices", "--add", "I-J-K-L"]) { _ in list }
        #expect(added.map(\.method) == ["chat.devices", "chat.addDevice"])
        #expect(added.last?.params == ["did": "did:key:tablet", "words": "i-j-k-l"])
        let (_, _, removed) = try await run(["chat", "devices", "--remove", "e-f-g-h"]) { _ in list }
        #expect(removed.last?.params == ["did": "did:key:laptop"])
        _ = try await run(["chat", "devices", "--add", "e-f-g-h"], status: 1) { _ in list }
        let (_, _, renewed) = try await run(["chat", "devices", "--begin"]) { _ in list }
        #expect(renewed.last?.params == ["adopt": false])
        _ = try await run(["chat", "devices", "--begin", "--adopt"], status: 2)
    }

    @Test("a device gets the history where the person says so, at its adding or later, and how far it came is printed")
    func handOver() async throws {
        @Sendable func list(_ stage: String, done: Int64 = 350, isCut: Bool = false, failure: JSONValue = .null)
            -> JSONValue
        {
            let handover: JSONValue = [
                "stage": .string(stage), "done": .integer(done), "messages": 350, "isCut": .bool(isCut),
                "failure": failure,
            ]
            return [
                "devices": [
                    [
                        "did": "did:key:laptop", "name": "laptop", "words": "e-f-g-h", "state": "listed",
                        "handover": handover,
                    ],
                    ["did": "did:key:tablet", "name": "tablet", "words": "i-j-k-l", "state": "waiting"],
                ], "isListed": true, "trouble": .null,
            ]
        }
        let (_, _, added) = try await run(["chat", "devices", "--add", "i-j-k-l", "--history"]) { _ in list("making") }
        #expect(added.last?.params == ["did": "did:key:tablet", "words": "i-j-k-l", "history": true])
        let (_, _, later) = try await run(["chat", "devices", "--hand-over", "E-F-G-H"]) { _ in list("making") }
        #expect(later.map(\.method) == ["chat.devices", "chat.handOver"])
        #expect(later.last?.params == ["did": "did:key:laptop"])
        _ = try await run(["chat", "devices", "--hand-over", "i-j-k-l"], status: 1) { _ in list("making") }
        _ = try await run(["chat", "devices", "--history"], status: 2)
        _ = try await run(["chat", "devices", "--hand-over", "e-f-g-h", "--begin"], status: 2)
        let (making, _, _) = try await run(["chat", "devices"]) { _ in
            list("making", done: 200, failure: "The chat server\u{1b} does not answer.")
        }
        let lines = making.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["e-f-g-h  laptop", "    history: 200 of 350 messages are sealed and uploaded"])
        #expect(lines[2].hasPrefix("    The chat server") && !lines[2].contains("\u{1b}"))
        let (cut, _, _) = try await run(["chat", "devices"]) { _ in list("taken", isCut: true) }
        #expect(cut.contains("350 messages were handed over\n    the oldest messages had no room\n"))
    }

    @Test("what comes is printed once, with its conversation's name; with --json as it is")
    func follow() async throws {
        let items: [JSONValue] = [
            ["conversation": ChatSample.row(["name": "Ada B."])], ["message": ChatSample.message()],
            ["message": ChatSample.message()], ["typing": ["conversation": "si_tb_1_tb_7", "isTyping": true]],
            ["message": ChatSample.own(["id": "o", "status": "sending"])], ["message": ChatSample.own(["id": "o"])],
            ["message": ChatSample.message(["kind": "recalled", "text": ""])], ["state": "away"], ["reset": true],
        ]
        let (output, error, _) = try await run(["chat", "follow"], items: items)
        let lines = output.split(separator: "\n").map {
            $0.first?.isNumber == true ? String($0.dropFirst(5)) : String($0)
        }
        #expect(
            lines == [
                "  Ada B.: Hello", "  you: Hello  ✓  → Ada B.", "  Ada B.: [recalled]",
                "The hub is not reached. What you send waits until it is.", "Some were missed. See them: tandem chat",
            ]
        )
        #expect(error == "Following. It ends with Ctrl-C.\n")
        let (json, _, _) = try await run(["chat", "follow", "ada", "--json"], items: items)
        let told = try json.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
        #expect(told == items)
    }

    @Test("an export says how much there is and where")
    func export() async throws {
        let exported: JSONValue = ["folder": "/tmp/a b", "conversations": 2, "messages": 30, "files": 4]
        let (output, _, requests) = try await run(["account", "export", "/tmp/a b"]) { _ in exported }
        #expect(output == "2 conversations, 30 messages and 4 files are in '/tmp/a b'.\n")
        #expect(requests.map(\.params) == [["folder": "/tmp/a b"]])
    }
}

/// An id that a role was told, for its later answers.
private final class Sent: Sendable {
    private let kept = Mutex<JSONValue?>(nil)

    var id: JSONValue? { kept.withLock(\.self) }

    func note(_ id: JSONValue?) { kept.withLock { $0 = id } }
}
