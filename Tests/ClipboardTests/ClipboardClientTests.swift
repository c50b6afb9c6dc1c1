import Capabilities
import Clipboard
import ClipboardHost
import CommandServer
import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Pictures
import Rights
import Testing

@Suite("Clipboard as a phone sees it", .timeLimit(.minutes(5)))
struct ClipboardClientTests {
    private let clock = ManualClock()
    private let outlet = ScriptedOutlet()
    private let pictures = InMemoryPictures()

    private func skill(_ clipboard: InMemoryClipboard, keepsHistory: Bool = false) -> ClipboardSkill {
        ClipboardSkill(
            clipboard: clipboard,
            pictures: pictures,
            outlet: outlet,
            keepsHistory: keepsHistory,
            time: clock
        )
    }

    @Test("text, HTML and an image go to the computer and come back as they were")
    func roundTrip() async throws {
        let client = ClipboardClient(ScriptedPeer(skill(InMemoryClipboard())))
        #expect(try await client.text() == nil)
        let timestamp = clock.date.millisecondsSince1970
        #expect(
            try await client.set(.text("Grüße 👋"))
                == ClipboardWritten(kind: .text, byteCount: 12, timestamp: timestamp)
        )
        #expect(try await client.text() == "Grüße 👋")
        #expect(try await client.html() == nil)
        try await client.set(.html("<b>x</b>"))
        #expect(try await client.html() == "<b>x</b>")
        let picture = pictures.picture(width: 20, height: 10)
        try await client.set(.image(picture))
        #expect(try await client.image() == picture)
        let size = PictureDimensions(width: 20, height: 10)
        #expect(
            try await client.read()
                == ClipboardReading(
                    .image(picture),
                    formats: ["image/png"],
                    timestamp: timestamp,
                    image: .init(format: .png, dimensions: size, original: size)
                )
        )
    }

    @Test(
        "what the computer would not take is not sent, and the sentence names the parameter",
        arguments: [
            NewClipboardContent.html(""), .image([]),
            .text(String(repeating: "a", count: ClipboardLimits.text + 1)),
            .image([UInt8](repeating: 0, count: ClipboardLimits.image + 1)),
        ]
    )
    func refusedHere(content: NewClipboardContent) async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let client = ClipboardClient(ScriptedPeer(skill(clipboard)))
        let error = await #expect(throws: RemoteError.self) { try await client.set(content) }
        guard case .invalidArgument(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("content"))
        #expect(clipboard.held.map(\.bytes) == [Array("before".utf8)])
    }

    @Test("setting nothing is refused before it waits, as the computer would refuse it")
    func checkedBeforeItWaits() throws {
        let set = ClipboardMethods.set.declaration
        #expect(set.mayWait)
        #expect(ClipboardMethods.all.filter(\.mayWait).map(\.name) == ["clipboard.set", "clipboard.clearHistory"])
        // A second time would overwrite what was copied at the computer since.
        #expect(ClipboardMethods.all.filter(\.isRepeatable).map(\.name) == ["clipboard.clearHistory"])
        let failure = #expect(throws: RemoteFailure.self) { try set.check(["type": "text"]) }
        #expect(
            failure == .badParameter("content", "a text of at most 512 KiB")
        )
        try set.check(["type": "html", "content": "", "html": "<b>x</b>"])
        try set.check(["content": "x"])
        // Empties the clipboard.
        try set.check(["type": "text", "content": ""])
    }

    @Test("changes are told as long as the computer is asked to watch")
    func changes() async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let skill = skill(clipboard)
        let client = ClipboardClient(ScriptedPeer(skill, outlet: outlet))
        let changes = try await client.changes()
        #expect(try await client.watch() == ClipboardWatch(isWatching: true, intervalMilliseconds: 1000))
        await clock.sleepers()
        clipboard.hold([("UTF8_STRING", Array("after".utf8))])
        clock.advance(by: .seconds(1))
        let change = await changes.first { _ in true }
        #expect(change?.kind == .text)
        #expect(change?.text == "after")
        #expect(change?.formats == ["text/plain"])
        try await client.unwatch()
        #expect(await skill.activities().isEmpty)
        await skill.close()
    }

    @Test("the history is read and forgotten")
    func history() async throws {
        let client = ClipboardClient(ScriptedPeer(skill(InMemoryClipboard(), keepsHistory: true)))
        try await client.set(.text("one"))
        try await client.set(.html("two"))
        let page = try await client.history(limit: 1)
        #expect(page.isEnabled)
        #expect(page.total == 2)
        #expect(page.entries.map(\.text) == ["two"])
        #expect(page.entries.map(\.kind) == [.html])
        try await client.clearHistory()
        #expect(try await client.history() == ClipboardHistoryPage(isEnabled: true, entries: [], total: 0))
    }

    @Test("a computer without a session answers with its sentence, and the owner's checks are handed on")
    func failures() async throws {
        let clipboard = InMemoryClipboard()
        clipboard.fail(with: .noSession(purpose: "The clipboard"))
        let check = DoctorCheck(name: "Clipboard", works: false, detail: "no session")
        let skill = ClipboardSkill(clipboard: clipboard, pictures: pictures, outlet: outlet, checks: { [check] })
        let failure = await #expect(throws: RemoteFailure.self) {
            try await ClipboardClient(ScriptedPeer(skill)).text()
        }
        #expect(failure?.code == FailureCode.unsupported)
        #expect(await skill.checks() == [check])
    }

    // MARK: The wire

    @Test(
        "parameters read what they write",
        arguments: [
            ClipboardQuery(), ClipboardQuery(.text), ClipboardQuery(.image, imageFormat: .jpeg),
        ]
    )
    func queries(query: ClipboardQuery) throws {
        #expect(try ClipboardQuery(wire: RemoteParameters(query.wire)) == query)
    }

    @Test(
        "answers read what they write",
        arguments: [
            ClipboardReading(.empty, timestamp: 1, reason: "something else"),
            ClipboardReading(.unknown, formats: ["a/b"]),
            ClipboardReading(.text("x")), ClipboardReading(.html("<b>", plain: "b")),
            ClipboardReading(.html("<b>", plain: nil)), ClipboardReading(.files(["file:///a", "file:///b"])),
            ClipboardReading(.image([1, 2, 3])),
        ]
    )
    func readings(reading: ClipboardReading) throws {
        #expect(try ClipboardReading(wire: reading.wire) == reading)
    }

    @Test("what other programs leave out is left out, and a data URL is a picture too")
    func tolerant() throws {
        #expect(try ClipboardReading(wire: ["content": "x"]) == ClipboardReading(.text("x")))
        #expect(
            try ClipboardReading(wire: ["type": "image", "content": "data:image/png;base64,AQI="]).content
                == .image([1, 2])
        )
        #expect(
            try ClipboardReading(wire: ["type": "files", "content": "file:///a\nfile:///b"]).content.kind == .files
        )
        #expect(try ClipboardWritten(wire: ["ok": true]).byteCount == nil)
        #expect(
            try ClipboardHistoryPage(wire: ["items": [["content": "x"], 7, ["content": 7]]]).entries.map(\.text) == [
                "x"
            ]
        )
    }

    @Test(
        "an answer that is none is not taken for one",
        arguments: [
            .null, "text", [], [:], ["type": "text"], ["type": "text", "content": 7], ["type": "html", "content": []],
            ["type": "image", "content": "no base64!"], ["type": "files"],
        ] as [JSONValue]
    )
    func hostile(answer: JSONValue) async {
        await #expect(throws: RemoteError.malformedResult) {
            try await ClipboardClient(ScriptedPeer(answering: answer)).read()
        }
        #expect(throws: RemoteError.malformedResult) { try ClipboardHistoryPage(wire: answer) }
    }

    @Test("sizes that no picture has are not believed")
    func hugeSizes() throws {
        let info: JSONValue = ["width": -1, "height": .number(1e300), "originalWidth": .integer(.min)]
        let reading = try ClipboardReading(wire: ["type": "image", "content": "AQI=", "imageInfo": info])
        #expect(reading.image == nil)
        #expect(!reading.isScaled)
    }
}
