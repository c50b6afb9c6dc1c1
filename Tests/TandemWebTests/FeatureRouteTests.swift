import CommandServer
import Commands
import FeatureTesting
import Files
import FilesHost
import Foundation
import HomeTesting
import Kernel
import KernelTesting
import LinuxFiles
import Pairing
import Rights
import Screen
import ScreenHost
import TandemPhone
import Terminal
import TerminalHost
import Testing
import Transport

@testable import TandemWeb

@Suite("What features serve to a phone's page", .timeLimit(.minutes(4)))
struct FeatureRouteTests {
    // MARK: Pairing

    @Test("why a pairing failed is named for the page, which says it in its own language")
    func pairingFailure() async throws {
        try await PagedHome.run([]) { _, page, _ in
            let code = try await page.call("pair.scan", ["text": "hello"]).json["error"]
            #expect(code?["code"] == "bad-request")
            #expect(code?["reason"] == "notAPairingCode")
            #expect(code?["values"] == [:])
            let digits = try await page.call("pair.code", ["digits": "123"]).json["error"]
            #expect(digits?["reason"] == "wrongDigitCount")
            #expect(digits?["values"] == ["count": 3])
        }
    }

    // MARK: Events

    @Test("a page hears of computers, of their ways and of what they tell; terminal output is none of that")
    func topics() async throws {
        let terminals = FakeTerminals()
        try await PagedHome.run([TerminalSkill.maker(factory: terminals)], allowing: [.terminal]) {
            home,
            page,
            computer in
            let reader = EventReader(try await page.socket("/api/events"))
            _ = try await reader.next()
            var topics: Set<String> = []
            while !topics.isSuperset(of: ["devices", "reach"]) {
                let event = try #require(try await reader.next())
                topics.insert(event["topic"]?.stringValue ?? "")
                if event["topic"] == "reach" { #expect(event["data"]?["device"] == .string(computer.pcPeerID)) }
            }
            let socket = try await page.socket("/api/terminal?cols=80&rows=24")
            var messages = socket.messages.makeAsyncIterator()
            _ = await messages.next()
            terminals.terminal(0)?.say("secret")
            let early = [try #require(await messages.next()), try #require(await messages.next())]
            #expect(early.contains(.binary(Array("secret".utf8))))
            terminals.terminal(0)?.end(.exited(code: 3))
            while let event = try await reader.next() {
                #expect(event["data"]?["members"]?["data"] == nil)
                if event["data"]?["event"] == .string(EventKind.terminalExit.name) { break }
            }
            await socket.close()
            await reader.socket.close()
        }
    }

    @Test("a refusal names the right that is missing")
    func right() async throws {
        try await PagedHome.run([TerminalSkill.maker(factory: FakeTerminals())]) { _, page, _ in
            let refused = try await page.call("call", ["method": .string(TerminalMethods.list.name)])
            #expect(refused.status == 403)
            #expect(refused.json["error"]?["right"] == "terminal")
            let socket = try await page.socket("/api/terminal?cols=80&rows=24")
            var messages = socket.messages.makeAsyncIterator()
            let told = try JSONValue(parsing: try #require(await messages.next()).bytes)
            #expect(told["error"]?["code"] == "not-allowed")
            #expect(told["error"]?["right"] == "terminal")
            #expect(await messages.next() == nil)
        }
    }

    // MARK: Terminal

    @Test("a terminal's bytes go both ways, its size follows the page, and its end is told")
    func terminal() async throws {
        let terminals = FakeTerminals()
        try await PagedHome.run([TerminalSkill.maker(factory: terminals)], allowing: [.terminal]) { _, page, _ in
            let socket = try await page.socket("/api/terminal?cols=100&rows=30")
            var messages = socket.messages.makeAsyncIterator()
            let first = try JSONValue(parsing: try #require(await messages.next()).bytes)
            let id = try #require(first["session"]?.stringValue)
            let shell = try #require(terminals.terminal(0))
            #expect(terminals.requests[0].size.columns == 100)
            shell.say("$ ")
            let live = WebSocketMessage.text(Array(#"{"live":true}"#.utf8))
            // A new terminal has written nothing before, so either may come first.
            let early = [try #require(await messages.next()), try #require(await messages.next())]
            #expect(early.contains(.binary(Array("$ ".utf8))))
            #expect(early.contains(live))
            try await socket.send(binary: Array("ls\n".utf8))
            try await socket.send(text: #"{"resize":[120,40]}"#)
            while !Task.isCancelled, shell.typed != "ls\n" || shell.sizes.last?.columns != 120 { await Task.yield() }
            // A second page takes it over, from its newest output on.
            let other = try await page.socket("/api/terminal?cols=80&rows=24&sessionId=\(id)")
            var others = other.messages.makeAsyncIterator()
            #expect(try JSONValue(parsing: try #require(await others.next()).bytes) == ["session": .string(id)])
            // The terminal's size is told beside its output, when two pages show it.
            var taken: [WebSocketMessage] = []
            while let message = await others.next() {
                taken.append(message)
                if message == live { break }
            }
            #expect(taken.contains(.binary(Array("$ ".utf8))))
            #expect(taken.last == live)
            try await other.send(text: #"{"detach":true}"#)
            while let message = await others.next() {
                #expect(try JSONValue(parsing: message.bytes)["size"] != nil)
            }
            shell.end(.exited(code: 3))
            var last: JSONValue?
            while let message = await messages.next() {
                if case .text(let bytes) = message { last = try JSONValue(parsing: bytes) }
            }
            #expect(last == ["exit": ["code": 3, "signal": .null]])
        }
    }

    @Test("no more is sent than the page has room for, until it says that it has drawn some")
    func flowControl() async throws {
        let terminals = FakeTerminals()
        // The shell waits two seconds for a page that draws nothing; on a loaded machine this test takes longer.
        let skill = TerminalSkill.maker(factory: terminals, time: ManualClock())
        try await PagedHome.run([skill], allowing: [.terminal]) { _, page, _ in
            let socket = try await page.socket("/api/terminal?cols=80&rows=24")
            var messages = socket.messages.makeAsyncIterator()
            _ = await messages.next()
            let shell = try #require(terminals.terminal(0))
            let total = 4 << 20
            for _ in 0..<64 { shell.say([UInt8](repeating: 0x61, count: total / 64)) }
            var received = 0
            while received < TerminalWindow.bytes, let message = await messages.next() {
                // That it is live from now on may come between.
                if case .binary(let bytes) = message { received += bytes.count }
            }
            // The page says nothing, so the shell is not read to its end, whatever is between.
            for _ in 0..<2000 { await Task.yield() }
            #expect(shell.taken < total)
            var acknowledged = 0
            while received < total {
                if received > acknowledged { try await socket.send(text: #"{"ack":\#(received - acknowledged)}"#) }
                acknowledged = received
                guard let message = await messages.next() else { break }
                if case .binary(let bytes) = message { received += bytes.count }
            }
            #expect(received == total)
            await socket.close()
        }
    }

    @Test("a terminal that is not there is said, and a size that none has")
    func noTerminal() async throws {
        try await PagedHome.run([TerminalSkill.maker(factory: FakeTerminals())], allowing: [.terminal]) { _, page, _ in
            for (query, code) in [
                ("cols=80&rows=24&sessionId=none", "not-found"), ("cols=0&rows=24", "bad-request"),
                ("", "bad-request"), ("cols=80&rows=24&device=none", "not-found"),
            ] {
                let socket = try await page.socket("/api/terminal?\(query)")
                var messages = socket.messages.makeAsyncIterator()
                let told = try JSONValue(parsing: try #require(await messages.next()).bytes)
                #expect(told["error"]?["code"] == .string(code), "\(query)")
                #expect(await messages.next() == nil)
            }
        }
    }

    // MARK: Files

    private static func files(
        _ body: @escaping @Sendable (_ home: Home, _ page: PageClient, _ shared: URL) async throws -> Void
    ) async throws {
        try await PagedHome.withFolder { shared, root in
            let access = try LinuxFileAccess(home: shared.path, trash: root.appending(path: "trash").path)
            try await PagedHome.run([.files(access)], allowing: [.fileRead, .fileWrite]) { home, page, _ in
                try await body(home, page, shared)
            }
        }
    }

    private static let content = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

    @Test("a file comes down whole, named, and never as something that a browser runs")
    func download() async throws {
        try await Self.files { _, page, shared in
            try Data(Self.content).write(to: shared.appending(path: "Grüße.html"))
            let answer = try await page.ask("GET", "/api/files?path=~/Gr%C3%BC%C3%9Fe.html")
            #expect(answer.status == 200)
            #expect(answer.body == Self.content)
            #expect(answer.fields["content-length"] == "3000001")
            #expect(answer.fields["content-type"] == "application/octet-stream")
            #expect(answer.fields["content-disposition"] == "attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe.html")
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            let shown = try await page.ask("GET", "/api/files?view=1&path=~/Gr%C3%BC%C3%9Fe.html")
            #expect(shown.fields["content-type"] == "text/plain; charset=utf-8")
            #expect(shown.fields["content-security-policy"]?.contains("sandbox") == true)
            try Data("<svg/>".utf8).write(to: shared.appending(path: "a.svg"))
            let svg = try await page.ask("GET", "/api/files?view=1&path=~/a.svg")
            #expect(svg.fields["content-type"] == "text/plain; charset=utf-8")
            try Data().write(to: shared.appending(path: "empty"))
            let empty = try await page.ask("GET", "/api/files?path=~/empty")
            #expect(empty.status == 200)
            #expect(empty.body == [])
        }
    }

    @Test(
        "a download goes on where it was cut, and begins anew where the file is another",
        arguments: [
            ("bytes=1500000-", 1_500_000..<3_000_001), ("bytes=0-0", 0..<1), ("bytes=-5", 2_999_996..<3_000_001),
            ("bytes=524287-524289", 524_287..<524_290), ("bytes=2000000-9999999", 2_000_000..<3_000_001),
        ]
    )
    func range(field: String, range: Range<Int>) async throws {
        try await Self.files { _, page, shared in
            try Data(Self.content).write(to: shared.appending(path: "a.bin"))
            let whole = try await page.ask("GET", "/api/files?path=~/a.bin", fields: ["Range": "bytes=0-0"])
            let tag = try #require(whole.fields["etag"])
            let part = try await page.ask(
                "GET",
                "/api/files?path=~/a.bin",
                fields: ["Range": field, "If-Range": tag]
            )
            #expect(part.status == 206)
            #expect(part.body == Array(Self.content[range]))
            #expect(part.fields["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/3000001")
            try Data(Self.content.reversed()).write(to: shared.appending(path: "a.bin"))
            let other = try await page.ask(
                "GET",
                "/api/files?path=~/a.bin",
                fields: ["Range": field, "If-Range": tag]
            )
            #expect(other.status == 200)
            #expect(other.body == Self.content.reversed())
        }
    }

    @Test("what is not there, not a file, or beyond its end is said")
    func noDownload() async throws {
        try await Self.files { _, page, shared in
            try Data("abc".utf8).write(to: shared.appending(path: "a.txt"))
            #expect(try await page.ask("GET", "/api/files?path=~/none").code == "not-found")
            #expect(try await page.ask("GET", "/api/files").code == "bad-request")
            #expect(try await page.ask("GET", "/api/files?path=/etc/passwd").code == "not-allowed")
            let beyond = try await page.ask("GET", "/api/files?path=~/a.txt", fields: ["Range": "bytes=3-"])
            #expect(beyond.status == 416)
            #expect(beyond.fields["content-range"] == "bytes */3")
        }
    }

    @Test("a file goes up whole, and one that is there is replaced only when that is said")
    func upload() async throws {
        try await Self.files { _, page, shared in
            let target = "/api/files?folder=~&name=a%20b.bin&size=3000001&upload=v1"
            #expect(try await page.ask("GET", target.replacing("/files", with: "/uploads")).json == ["offset": 0])
            let answer = try await page.ask("PUT", target, body: Self.content)
            #expect(answer.json["path"]?.stringValue?.hasSuffix("/a b.bin") == true)
            #expect(try Data(contentsOf: shared.appending(path: "a b.bin")) == Data(Self.content))
            let again = "/api/files?folder=~&name=a%20b.bin&size=3&upload=v2"
            #expect(try await page.ask("PUT", again, body: [1, 2, 3]).code == "exists")
            #expect(try await page.ask("PUT", again + "&replace=1", body: [1, 2, 3]).status == 200)
            #expect(try Data(contentsOf: shared.appending(path: "a b.bin")) == Data([1, 2, 3]))
            let empty = "/api/files?folder=~&name=empty&size=0&upload=v1"
            #expect(try await page.ask("PUT", empty).status == 200)
            #expect(try Data(contentsOf: shared.appending(path: "empty")).isEmpty)
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test("an upload that is cancelled leaves nothing at the computer, also one that never began or is done")
    func cancelledUpload() async throws {
        try await Self.files { _, page, shared in
            let target = "/api/uploads?folder=~&name=a.bin&size=3&upload=v1"
            let early = try await page.ask("DELETE", target)
            #expect(early.status == 200)
            #expect(try Self.names(in: shared).isEmpty)
            let begun = try await page.ask("GET", target)
            #expect(begun.status == 200)
            #expect(try Self.names(in: shared).count == 1)
            let cancelled = try await page.ask("DELETE", target)
            #expect(cancelled.status == 200)
            #expect(try Self.names(in: shared).isEmpty)
            let put = target.replacing("/uploads", with: "/files")
            let whole = try await page.ask("PUT", put, body: [1, 2, 3])
            #expect(whole.status == 200)
            let late = try await page.ask("DELETE", target)
            #expect(late.status == 200)
            #expect(try Data(contentsOf: shared.appending(path: "a.bin")) == Data([1, 2, 3]))
        }
    }

    @Test("an upload that was cut goes on from what the computer has")
    func resume() async throws {
        try await Self.files { _, page, shared in
            let target = "?folder=~&name=a.bin&size=3000001&upload=v1"
            // The connection breaks in the middle.
            let cut = Array(Self.content[..<1_700_000])
            let head = """
                PUT /api/files\(target) HTTP/1.1\r
                Host: 127.0.0.1:\(page.port)\r
                Origin: \(page.origin)\r
                Cookie: \(page.cookie ?? "")\r
                Content-Length: 3000001\r
                \r

                """
            try await PageClient.send(Array(head.utf8) + cut, port: page.port) {
                // The computer has all that is whole before the line is cut.
                var offset: Int64 = 0
                while offset < 1_572_864 {
                    let asked = try await page.ask("GET", "/api/uploads\(target)")
                    offset = asked.json["offset"]?.integerValue ?? offset
                }
            }
            let offset = try await page.ask("GET", "/api/uploads\(target)").json["offset"]?.integerValue
            #expect(offset == 1_572_864)
            let gap = try await Self.whenFree {
                try await page.ask("PUT", "/api/files\(target)&offset=2097152", body: Array(Self.content[2_097_152...]))
            }
            #expect(gap.status == 409)
            #expect(gap.json["offset"] == 1_572_864)
            let rest = try await page.ask(
                "PUT",
                "/api/files\(target)&offset=1572864",
                body: Array(Self.content[1_572_864...])
            )
            #expect(rest.status == 200)
            #expect(try Data(contentsOf: shared.appending(path: "a.bin")) == Data(Self.content))
        }
    }

    /// The request whose line was cut lets go of the file in a moment.
    private static func whenFree(_ ask: () async throws -> PageClient.Answer) async throws -> PageClient.Answer {
        while true {
            let answer = try await ask()
            guard answer.code == "refused" else { return answer }
        }
    }

    @Test(
        "what an upload says of itself is checked",
        arguments: [
            ("name=&size=1&upload=x", "bad-request"), ("name=a/b&size=1&upload=x", "bad-request"),
            ("name=..&size=1&upload=x", "bad-request"), ("name=a&upload=x", "bad-request"),
            ("name=a&size=-1&upload=x", "bad-request"), ("name=a&size=1", "bad-request"),
            ("name=a&size=1&upload=x&offset=9", "bad-request"),
        ]
    )
    func mistakes(query: String, code: String) async throws {
        try await Self.files { _, page, _ in
            let answer = try await page.ask("PUT", "/api/files?\(query)", body: [1])
            #expect(answer.code == code)
        }
    }

    // MARK: Screen

    @Test("the screen's picture comes as a picture, with its size beside it")
    func screen() async throws {
        let pictures = InMemoryPictures()
        let screen = InMemoryScreen(pictures.picture(width: 40, height: 20))
        try await PagedHome.run([ScreenSkill.maker(screen: screen, pictures: pictures)], allowing: [.display]) {
            _,
            page,
            _ in
            let answer = try await page.ask("GET", "/api/screen?display=0&format=png")
            #expect(answer.status == 200)
            #expect(answer.fields["tandem-width"] == "40")
            #expect(answer.fields["tandem-height"] == "20")
            #expect(!answer.body.isEmpty)
            #expect(try await page.ask("GET", "/api/screen?format=exe").code == "bad-request")
            #expect(try await page.ask("GET", "/api/screen?quality=200").code == "bad-request")
        }
    }
}

/// What a terminal sends ahead of the page, as its route says it.
private enum TerminalWindow {
    static let bytes = 128 << 10
}
