import Clipboard
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Rights
import Testing

@testable import ClipboardHost
@testable import CommandServer
@testable import Commands
@testable import Pictures

@Suite("Clipboard", .timeLimit(.minutes(5)))
struct ClipboardSkillTests {
    private let clock = ManualClock()
    private let outlet = ScriptedOutlet()
    private let pictures = InMemoryPictures()
    private var timestamp: JSONValue { .integer(clock.date.millisecondsSince1970) }

    private func skill(_ clipboard: InMemoryClipboard, keepsHistory: Bool = false) -> ClipboardSkill {
        ClipboardSkill(
            clipboard: clipboard,
            pictures: pictures,
            outlet: outlet,
            keepsHistory: keepsHistory,
            time: clock
        )
    }

    @Test("text is answered in the documented and in the existing programs' members")
    func text() async throws {
        let skill = skill(InMemoryClipboard(text: "Grüße 👋"))
        #expect(
            try await skill.call("clipboard.get", ["type": "text"]) == [
                "success": true, "type": "text", "content": "Grüße 👋", "formats": ["text/plain"],
                "timestamp": timestamp,
            ]
        )
    }

    @Test("the kind that was asked for is given, and without one the richest")
    func kinds() async throws {
        let picture = pictures.picture(width: 20, height: 10)
        let clipboard = InMemoryClipboard([
            ("STRING", Array("plain".utf8)), ("UTF8_STRING", Array("plain".utf8)),
            ("text/html", Array("<b>rich</b>".utf8)), ("image/png", picture), ("chromium/x-web-custom-data", []),
        ])
        let formatted = try await skill(clipboard).call("clipboard.get")
        #expect(formatted["type"] == "html", "a spreadsheet's cells, and not their picture")
        let plain = ClipboardOffers(["UTF8_STRING", "image/png"])
        #expect(plain.kinds == [.text, .image])
        let skill = skill(clipboard)
        let formats: JSONValue = ["text/plain", "text/html", "image/png", "chromium/x-web-custom-data"]
        #expect(try await skill.call("clipboard.get", ["type": "text"])["content"] == "plain")
        #expect(
            try await skill.call("clipboard.get", ["type": "html"]) == [
                "success": true, "type": "html", "content": "<b>rich</b>", "text": "plain", "formats": formats,
                "timestamp": timestamp,
            ]
        )
        // As browsers copy a picture.
        clipboard.hold([("text/html", Array("<img>".utf8)), ("image/png", picture)])
        let image = try await skill.call("clipboard.get")
        #expect(image["type"] == "image")
        #expect(image["content"] == .string(Data(picture).base64EncodedString()))
        #expect(
            image["imageInfo"] == [
                "width": 20, "height": 10, "size": .integer(Int64(picture.count)), "format": "png",
                "originalWidth": 20, "originalHeight": 10,
            ]
        )
        #expect(image["scaled"] == false)
    }

    @Test("an empty clipboard, an unknown kind and a kind that is not there are told apart, always with a text")
    func empty() async throws {
        let clipboard = InMemoryClipboard()
        let skill = skill(clipboard)
        #expect(
            try await skill.call("clipboard.get", ["type": "text"]) == [
                "success": true, "type": "empty", "content": "", "formats": [], "timestamp": timestamp,
            ]
        )
        clipboard.hold([("application/x-colour", [1])])
        let unknown = try await skill.call("clipboard.get")
        #expect(unknown["type"] == "unknown")
        #expect(unknown["content"] == "")
        let absent = try await skill.call("clipboard.get", ["type": "image"])
        #expect(absent["type"] == "empty")
        #expect(absent["error"] == "The computer's clipboard holds something else than image.")
    }

    @Test("files are given as URIs")
    func files() async throws {
        let list = "# a comment\r\nfile:///home/ada/a%20b.txt\r\nfile:///tmp/c\r\n"
        let skill = skill(InMemoryClipboard([("text/uri-list", Array(list.utf8))]))
        let answer = try await skill.call("clipboard.get")
        #expect(answer["type"] == "files")
        #expect(answer["files"] == ["file:///home/ada/a%20b.txt", "file:///tmp/c"])
    }

    @Test("texts in UTF-16 and Latin-1 are read as what they are, and bytes that are no text are repaired")
    func encodings() {
        #expect(ClipboardReader.text([0xFF, 0xFE, 0x41, 0, 0xE9, 0], isLatin1: false) == "Aé")
        #expect(ClipboardReader.text([0x41, 0xE9], isLatin1: true) == "Aé")
        #expect(ClipboardReader.text(Array("Aé".utf8), isLatin1: true) == "Aé")
        #expect(ClipboardReader.text([0x41, 0xFF], isLatin1: false) == "A\u{FFFD}")
    }

    @Test("what is too large for an answer is refused with the limit, and never cut")
    func tooLarge() async throws {
        let clipboard = InMemoryClipboard(text: String(repeating: "a", count: ClipboardReader.textLimit + 1))
        let skill = skill(clipboard)
        #expect(
            try await skill.refusal("clipboard.get")
                == RemoteFailure(
                    code: -32004,
                    message: "The text on the computer's clipboard is larger than 512 KiB. Copy a smaller part of it."
                )
        )
        clipboard.hold([("UTF8_STRING", [UInt8](repeating: 0x41, count: ClipboardReader.textLimit))])
        let largest = try await skill.call("clipboard.get")
        #expect(AnswerSize.bytes(of: largest) < 700_000)
        // Each control character takes seven bytes in an answer that is a text in a text.
        clipboard.hold([("UTF8_STRING", [UInt8](repeating: 1, count: 200_000))])
        #expect(try await skill.refusal("clipboard.get")?.code == -32004)
        clipboard.hold([("image/png", [UInt8](repeating: 1, count: ClipboardReader.imageLimit + 1))])
        #expect(
            try await skill.refusal("clipboard.get")?.message
                == "The image on the computer's clipboard is larger than 5 MiB. Save it to a file and fetch that."
        )
    }

    @Test("an image that does not fit is scaled until it does, stays a PNG, and says so")
    func scaledImage() async throws {
        let skill = skill(InMemoryClipboard([("image/png", pictures.picture(width: 2000, height: 1000))]))
        let answer = try await skill.call("clipboard.get", ["type": "image"])
        let content = try #require(answer["content"]?.stringValue.flatMap { Data(base64Encoded: $0) })
        #expect(answer["scaled"] == true)
        #expect(answer["imageInfo"]?["format"] == "png")
        #expect(answer["imageInfo"]?["originalWidth"] == 2000)
        let size = try await pictures.dimensions(of: Array(content))
        #expect(answer["imageInfo"]?["width"]?.integerValue == Int64(size.width))
        #expect(size.width < 2000)
        #expect(AnswerSize.bytes(of: answer) < 700_000)
    }

    @Test("setting answers both shapes and says how much was written")
    func setText() async throws {
        let clipboard = InMemoryClipboard()
        let answer = try await skill(clipboard).call("clipboard.set", ["type": "text", "content": "é"])
        #expect(
            answer == [
                "ok": true, "success": true, "type": "text", "bytesWritten": 2, "timestamp": timestamp,
            ]
        )
        #expect(clipboard.held.map(\.name) == ["UTF8_STRING"])
        #expect(clipboard.held.map(\.bytes) == [Array("é".utf8)])
    }

    @Test("HTML comes in either member; a JPEG, also as a data URL, becomes a PNG")
    func setOthers() async throws {
        let clipboard = InMemoryClipboard()
        let skill = skill(clipboard)
        _ = try await skill.call("clipboard.set", ["type": "html", "content": "plain", "html": "<i>x</i>"])
        #expect(clipboard.held.map(\.bytes) == [Array("<i>x</i>".utf8)])
        _ = try await skill.call("clipboard.set", ["type": "html", "content": "<u>y</u>"])
        #expect(clipboard.held.map(\.bytes) == [Array("<u>y</u>".utf8)])
        let jpeg = Data(pictures.picture(.jpeg, width: 30, height: 20)).base64EncodedString()
        _ = try await skill.call(
            "clipboard.set",
            ["type": "image", "content": .string("data:image/jpeg;base64,\(jpeg)")]
        )
        #expect(clipboard.held.map(\.bytes) == [pictures.picture(.png, width: 30, height: 20)])
    }

    @Test(
        "what cannot be set is refused by the field's name",
        arguments: [
            ([:], "content"), (["content": nil], "content"), (["content": 7], "content"),
            (["type": "files", "content": "x"], "type"), (["type": "video", "content": "x"], "type"),
            (["type": "html"], "content"), (["type": "image", "content": "no base64!"], "content"),
            (["type": "image", "content": "aGVsbG8="], "content"),
        ] as [(JSONValue, String)]
    )
    func refused(params: JSONValue, field: String) async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let failure = try await skill(clipboard).refusal("clipboard.set", params)
        #expect(failure?.code == -32602)
        #expect(failure?.message.hasPrefix("The parameter \(field) must be") == true)
        #expect(clipboard.held.map(\.bytes) == [Array("before".utf8)])
    }

    @Test("a huge image is refused by its header")
    func hugeImage() async throws {
        let huge = InMemoryPictures(png: 0).picture(width: 60_000, height: 60_000)
        let params: JSONValue = ["type": "image", "content": .string(Data(huge).base64EncodedString())]
        let failure = try await skill(InMemoryClipboard()).refusal("clipboard.set", params)
        #expect(failure?.code == -32602)
        #expect(failure?.message.contains("60000 × 60000 pixels") == true)
    }

    @Test("a missing tool is -32006 and names its package; a missing session says what is not set")
    func missingTool() async throws {
        let clipboard = InMemoryClipboard()
        clipboard.fail(with: .missing(tool: "xclip", package: "xclip"))
        let skill = skill(clipboard)
        #expect(
            try await skill.refusal("clipboard.get")
                == RemoteFailure(
                    code: -32006,
                    message: "The computer lacks the program xclip. Install it there: sudo apt install xclip."
                )
        )
        clipboard.fail(with: .noSession(purpose: "The clipboard"))
        #expect(try await skill.refusal("clipboard.set", ["content": "x"])?.code == -32006)
    }

    @Test("every method needs the clipboard to be allowed and is logged")
    func permissions() {
        let methods = skill(InMemoryClipboard()).methods
        #expect(methods.count == 6)
        #expect(methods.allSatisfy { $0.permission == Permission(.clipboard) && $0.risk == .mutating })
    }

    @Test("history is off unless the computer's owner wants it, then keeps texts, the newest first, and no secrets")
    func history() async throws {
        let clipboard = InMemoryClipboard(text: "one")
        let off = skill(clipboard)
        _ = try await off.call("clipboard.get")
        #expect(
            try await off.call("clipboard.getHistory") == [
                "success": true, "enabled": false, "history": [], "items": [], "total": 0,
            ]
        )
        let skill = skill(clipboard, keepsHistory: true)
        _ = try await skill.call("clipboard.get")
        _ = try await skill.call("clipboard.get")
        clipboard.hold([("UTF8_STRING", Array("hunter2".utf8)), ("x-kde-passwordManagerHint", Array("secret".utf8))])
        _ = try await skill.call("clipboard.get")
        _ = try await skill.call("clipboard.set", ["content": "two"])
        let history = try await skill.call("clipboard.getHistory")
        #expect(history["total"] == 2)
        #expect(history["history"]?.arrayValue?.map { $0["content"] } == ["two", "one"])
        #expect(try await skill.call("clipboard.getHistory", ["limit": 1])["items"]?.arrayValue?.count == 1)
        #expect(try await skill.refusal("clipboard.getHistory", ["limit": 0])?.code == -32602)
        _ = try await skill.call("clipboard.clearHistory")
        #expect(try await skill.call("clipboard.getHistory")["total"] == 0)
    }

    @Test("history stays within its bounds, and an answer with it too")
    func boundedHistory() {
        var history = ClipboardHistory()
        for number in 0..<200 {
            history.add(.text("\(number)" + String(repeating: "\u{1}", count: 30_000)), isSecret: false, at: 0)
        }
        #expect(history.count == ClipboardHistory.byteLimit / 30_003)
        #expect(history.newest(50).count < history.count)
        history.add(.text(String(repeating: "x", count: ClipboardHistory.entryLimit + 1)), isSecret: false, at: 0)
        #expect(history.newest(1).first?.text.hasPrefix("199") == true)
    }
}

extension ClipboardSkillTests {
    @Test("who watches is told of changes, but not of the own ones, until unwatch")
    func watching() async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let skill = skill(clipboard)
        #expect(
            try await skill.call("clipboard.watch") == ["success": true, "status": "watching", "intervalMs": 1000]
        )
        _ = try await skill.call("clipboard.watch", as: .bo)
        await clock.sleepers()
        clipboard.hold([("UTF8_STRING", Array("after".utf8))])
        clock.advance(by: .seconds(1))
        await clock.sleeper(for: .seconds(1))
        let change = RemoteEvent(
            "clipboard.changed",
            ["type": "text", "content": "after", "formats": ["text/plain"], "timestamp": timestamp]
        )
        #expect(outlet.events.sorted { $0.device < $1.device }.map(\.event) == [change, change])
        #expect(Set(outlet.events.map(\.device)) == [Caller.ada.id, Caller.bo.id])

        _ = try await skill.call("clipboard.set", ["content": "by Bo"], as: .bo)
        clock.advance(by: .seconds(1))
        await clock.sleeper(for: .seconds(1))
        #expect(outlet.events.dropFirst(2).map(\.device) == [Caller.ada.id])

        #expect(try await skill.call("clipboard.unwatch") == ["success": true, "status": "stopped"])
        _ = try await skill.call("clipboard.unwatch", as: .bo)
        clipboard.hold([("UTF8_STRING", Array("unseen".utf8))])
        clock.advance(by: .seconds(5))
        await skill.close()
        #expect(outlet.events.count == 3)
    }

    @Test("what is copied as soon as watching is said to have begun is a change")
    func copiedAtOnce() async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let skill = skill(clipboard)
        _ = try await skill.call("clipboard.watch")
        clipboard.hold([("UTF8_STRING", Array("after".utf8))])
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        await clock.sleeper(for: .seconds(1))
        #expect(outlet.events.map(\.device) == [Caller.ada.id])
        await skill.close()
    }

    @Test("what is larger than is read is told at each copy, without its content, and read once")
    func largeChanges() async throws {
        let clipboard = InMemoryClipboard([("UTF8_STRING", Array("before".utf8))], tells: true)
        let skill = skill(clipboard)
        _ = try await skill.call("clipboard.watch")
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
        let events = outlet.stream(to: Caller.ada.id)
        var told = events.makeAsyncIterator()
        let long = [UInt8](repeating: 0x78, count: ClipboardReader.textLimit + 1)
        for contents in [[("UTF8_STRING", long)], [("UTF8_STRING", long + long)]] {
            clipboard.hold(contents)
            #expect(
                await told.next()
                    == RemoteEvent(
                        "clipboard.changed",
                        ["type": "text", "formats": ["text/plain"], "timestamp": timestamp]
                    )
            )
        }
        clipboard.hold([("image/png", [UInt8](repeating: 1, count: ClipboardReader.imageLimit + 1))])
        #expect(await told.next()?.members["type"] == "image")
        clock.advance(by: .seconds(60))
        clipboard.hold([("UTF8_STRING", Array("after".utf8))])
        #expect(await told.next()?.members["content"] == "after")
        #expect(clipboard.reads(of: "image/png") == 1)
        await skill.close()
    }

    @Test("without notices of the window system, what is too large is told once, and not at each look")
    func largeAtEachLook() async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let skill = skill(clipboard)
        _ = try await skill.call("clipboard.watch")
        await clock.sleepers()
        clipboard.hold([("UTF8_STRING", [UInt8](repeating: 0x78, count: ClipboardReader.textLimit + 1))])
        for _ in 0..<3 {
            clock.advance(by: .seconds(1))
            await clock.sleeper(for: .seconds(1))
        }
        #expect(outlet.events.map(\.event.members["type"]) == ["text"])
        await skill.close()
    }

    @Test("a secret, a long text and an image are announced without their content")
    func quietChanges() async throws {
        let skill = skill(InMemoryClipboard())
        let secret = ClipboardOffers(["UTF8_STRING", "x-kde-passwordManagerHint"])
        #expect(await skill.change(to: .text("hunter2"), of: secret)["content"] == nil)
        let plain = ClipboardOffers(["UTF8_STRING"])
        let long = String(repeating: "x", count: ClipboardSkill.eventTextLimit + 1)
        #expect(await skill.change(to: .text(long), of: plain)["content"] == nil)
        let image = await skill.change(to: .image([1]), of: ClipboardOffers(["image/png"]))
        #expect(image["content"] == nil)
        #expect(image["type"] == "image")
    }

    @Test("a phone that is gone is no longer watched for, and the looking ends with the last one")
    func gone() async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let skill = skill(clipboard)
        outlet.leave(Caller.ada.id)
        _ = try await skill.call("clipboard.watch")
        await clock.sleepers()
        clipboard.hold([("UTF8_STRING", Array("after".utf8))])
        clock.advance(by: .seconds(1))
        while !Task.isCancelled, await skill.watcherCount > 0 { await Task.yield() }
        #expect(outlet.events.isEmpty)
    }

    @Test("a phone that loses the right watches no more; another right, and another phone, change nothing")
    func revoked() async throws {
        let clipboard = InMemoryClipboard(text: "before")
        let skill = skill(clipboard)
        _ = try await skill.call("clipboard.watch")
        _ = try await skill.call("clipboard.watch", as: .bo)
        await clock.sleepers()
        await skill.revoke(["terminal"], of: Caller.ada.id, keeping: [])
        #expect(await Set(skill.activities().map(\.device)) == [Caller.ada.id, Caller.bo.id])
        await skill.revoke([.clipboard], of: Caller.ada.id, keeping: [])
        #expect(await skill.activities().map(\.device) == [Caller.bo.id])
        clipboard.hold([("UTF8_STRING", Array("after".utf8))])
        clock.advance(by: .seconds(1))
        while !Task.isCancelled, outlet.events.isEmpty { await Task.yield() }
        #expect(outlet.events.map(\.device) == [Caller.bo.id])
        await skill.close()
    }

    /// A compositor that takes its time to say whether its clipboard may be looked at again and again.
    private final class SlowCompositor: ClipboardAccess {
        let asked = LatestValue(false)
        private let answered = LatestValue(false)
        private let refusal: ToolError?
        private let clipboard = InMemoryClipboard(text: "before")

        init(refusal: ToolError? = nil) { self.refusal = refusal }

        func answer() { answered.set(true) }

        func checkWatching() async throws {
            asked.set(true)
            for await isAnswered in answered.values() where isAnswered { break }
            if let refusal { throw refusal }
        }

        func offers() async throws -> [String] { try await clipboard.offers() }
        func read(_ offer: String, limit: Int) async throws -> [UInt8] {
            try await clipboard.read(offer, limit: limit)
        }
        func write(_ bytes: [UInt8], as kind: ClipboardKind) async throws { try await clipboard.write(bytes, as: kind) }
    }

    private func skill(_ compositor: SlowCompositor) -> ClipboardSkill {
        ClipboardSkill(clipboard: compositor, pictures: pictures, outlet: outlet, time: clock)
    }

    @Test("a right that is taken back while the compositor is asked ends the watching that was asked for")
    func revokedWhileAsked() async throws {
        let compositor = SlowCompositor()
        let skill = skill(compositor)
        async let answer = skill.call("clipboard.watch")
        for await isAsked in compositor.asked.values() where isAsked { break }
        #expect(await skill.activities().map(\.device) == [Caller.ada.id])
        await skill.revoke([.clipboard], of: Caller.ada.id, keeping: [])
        compositor.answer()
        #expect(try await answer["status"] == "stopped")
        #expect(await skill.watcherCount == 0)
        #expect(await !skill.isPolling)
        await skill.close()
    }

    @Test("a compositor that may not be looked at again and again leaves no watcher")
    func refusedWatching() async throws {
        let compositor = SlowCompositor(refusal: .unsupported(purpose: "watching"))
        let skill = skill(compositor)
        compositor.answer()
        #expect(try await skill.refusal("clipboard.watch") != nil)
        #expect(await skill.activities().isEmpty)
        #expect(await !skill.isPolling)
    }

    @Test("at most 16 devices watch; one that watches already may ask again")
    func tooManyWatchers() async throws {
        let skill = skill(InMemoryClipboard())
        for number in 0..<16 {
            let caller = Caller(id: "did:key:\(number)", name: "\(number)", proof: .session, rights: [])
            _ = try await skill.call("clipboard.watch", as: caller)
        }
        #expect(try await skill.refusal("clipboard.watch")?.code == -32005)
        let first = Caller(id: "did:key:0", name: "0", proof: .session, rights: [])
        _ = try await skill.call("clipboard.watch", as: first)
        await skill.close()
    }
}
