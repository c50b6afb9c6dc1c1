import Capabilities
import Clipboard
import ClipboardHost
import CommandServer
import Commands
import FeatureTesting
import Foundation
import Kernel
import LinuxDesktopTesting
import LinuxDesktopTools
import LinuxPictures
import Testing

@Suite("Clipboard of X11", .timeLimit(.minutes(5)))
struct LinuxClipboardTests {
    @Test("an empty clipboard offers nothing; what is set is there at once, exactly, as exactly one kind")
    func roundTrip() async throws {
        let picture = try await ImageMagick.make(["-size", "20x10", "xc:red"])
        try await XServer.run { environment in
            let clipboard = LinuxClipboard(environment: environment)
            #expect(try await clipboard.offers() == [])
            #expect(try await clipboard.read("UTF8_STRING", limit: 100) == [])

            let text = Array("Grüße 👋\nzwei\t\u{0}Zeilen\n".utf8)
            try await clipboard.write(text, as: .text)
            #expect(try await clipboard.offers() == ["UTF8_STRING"])
            #expect(try await clipboard.read("UTF8_STRING", limit: 100) == text)

            try await clipboard.write(Array("<b>rich</b>".utf8), as: .html)
            #expect(try await clipboard.offers() == ["text/html"])
            #expect(try await clipboard.read("text/html", limit: 100) == Array("<b>rich</b>".utf8))

            try await clipboard.write(picture, as: .image)
            #expect(try await clipboard.offers() == ["image/png"])
            #expect(try await clipboard.read("image/png", limit: 1 << 20) == picture)
        }
    }

    @Test("megabytes go in and come out, and more than the limit is refused")
    func large() async throws {
        try await XServer.run { environment in
            let clipboard = LinuxClipboard(environment: environment)
            let bytes = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await clipboard.write(bytes, as: .image)
            #expect(try await clipboard.read("image/png", limit: 5 << 20) == bytes)
            await #expect(throws: ToolError.outputTooLarge(tool: "xclip", limit: 1 << 20)) {
                try await clipboard.read("image/png", limit: 1 << 20)
            }
        }
    }

    @Test("the skill answers from a real clipboard in both shapes, and knows an image from a text")
    func skill() async throws {
        let picture = try await ImageMagick.make(["-size", "40x30", "plasma:"])
        try await XServer.run { environment in
            let skill = ClipboardSkill(
                clipboard: LinuxClipboard(environment: environment),
                pictures: LinuxPictures(),
                outlet: ScriptedOutlet()
            )
            let set = try await skill.call("clipboard.set", ["type": "text", "content": "hello"])
            #expect(set["ok"] == true)
            let text = try await skill.call("clipboard.get", ["type": "text"])
            #expect(text["content"] == "hello")
            #expect(text["formats"] == ["text/plain"])
            #expect(try await skill.call("clipboard.get", ["type": "image"])["type"] == "empty")

            // A password that a phone put there is gone when it says so.
            _ = try await skill.call("clipboard.set", ["content": ""])
            #expect(try await skill.call("clipboard.get", ["type": "text"])["type"] == "empty")

            let base64 = Data(picture).base64EncodedString()
            _ = try await skill.call("clipboard.set", ["type": "image", "content": .string(base64)])
            let image = try await skill.call("clipboard.get", ["type": "image"])
            #expect(image["content"] == .string(base64))
            #expect(image["imageInfo"]?["width"] == 40)
            #expect(image["imageInfo"]?["height"] == 30)
        }
    }

    @Test("who watches is told when another program copies something")
    func watched() async throws {
        try await XServer.run { environment in
            let clipboard = LinuxClipboard(environment: environment)
            let outlet = ScriptedOutlet()
            let skill = ClipboardSkill(
                clipboard: clipboard,
                pictures: LinuxPictures(),
                outlet: outlet,
                interval: .milliseconds(20)
            )
            let events = outlet.stream(to: Caller.ada.id)
            try await clipboard.write(Array("before".utf8), as: .text)
            #expect(try await skill.call("clipboard.watch")["status"] == "watching")
            // The first look only learns what is there, so something new comes until it has been noticed.
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0... {
                        try await clipboard.write(Array("after \(number)".utf8), as: .text)
                        try Task.checkCancellation()
                    }
                }
                for await event in events {
                    #expect(event.name == "clipboard.changed")
                    #expect(event.members["type"] == "text")
                    #expect(event.members["content"]?.stringValue?.hasPrefix("after ") == true)
                    break
                }
                group.cancelAll()
            }
            await skill.close()
        }
    }

    @Test("an X server says that something was copied; one that is not there says nothing")
    func notices() async throws {
        try await XServer.run { environment in
            let clipboard = LinuxClipboard(environment: environment)
            let notices = try #require(await clipboard.notices())
            for text in ["one", "two"] {
                try await clipboard.write(Array(text.utf8), as: .text)
                for await _ in notices { break }
            }
        }
        for display in [":59999", "elsewhere:0", "", ":x"] {
            let environment = ["PATH": "/usr/bin", "DISPLAY": display]
            let notices = await LinuxClipboard(environment: environment).notices()
            #expect(notices == nil)
        }
    }

    @Test("an image too large for an answer comes as a smaller PNG of the same")
    func scaled() async throws {
        let picture = try await ImageMagick.make(["-size", "900x600", "xc:gray", "+noise", "Random"])
        #expect(picture.count > 700_000)
        try await XServer.run { environment in
            let clipboard = LinuxClipboard(environment: environment)
            let skill = ClipboardSkill(clipboard: clipboard, pictures: LinuxPictures(), outlet: ScriptedOutlet())
            try await clipboard.write(picture, as: .image)
            let answer = try await skill.call("clipboard.get", ["type": "image"])
            #expect(answer["scaled"] == true)
            #expect(answer.canonicalBytes.count < 700_000)
            let content = try #require(answer["content"]?.stringValue.flatMap { Data(base64Encoded: $0) })
            let size = try await ImageMagick.size(of: Array(content))
            #expect(answer["imageInfo"]?["width"]?.integerValue == Int64(size[0]))
            #expect(answer["imageInfo"]?["height"]?.integerValue == Int64(size[1]))
        }
    }

    @Test("without a session, without the tool and without the server each says what is missing")
    func missing() async throws {
        await #expect(throws: ToolError.noSession(purpose: "The clipboard")) {
            try await LinuxClipboard(environment: ["PATH": "/usr/bin", "DISPLAY": ""]).offers()
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)").path
        await #expect(throws: ToolError.missing(tool: "xclip", package: "xclip")) {
            try await LinuxClipboard(environment: ["PATH": folder, "DISPLAY": ":0"]).offers()
        }
        let wayland = LinuxClipboard(environment: ["PATH": folder, "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"])
        await #expect(throws: ToolError.missing(tool: "wl-paste", package: "wl-clipboard")) {
            try await wayland.offers()
        }
        // Which way leads to the clipboard is found out with wl-paste; both come with the same package.
        await #expect(throws: ToolError.missing(tool: "wl-paste", package: "wl-clipboard")) {
            try await wayland.write([1], as: .text)
        }
        let nowhere = LinuxClipboard(environment: ["PATH": "/usr/bin", "DISPLAY": ":59999"])
        await #expect(throws: ToolError.failed(tool: "xclip", reason: "Error: Can't open display: :59999")) {
            try await nowhere.offers()
        }
        await #expect(throws: ToolError.failed(tool: "xclip", reason: "the graphical session did not let it in")) {
            try await nowhere.write([1], as: .text)
        }
        await #expect(throws: ToolError.unsupported(purpose: "Putting files on the clipboard")) {
            try await nowhere.write([1], as: .files)
        }
    }

    @Test("doctor names the package that is missing, or the tool that works")
    func checks() async throws {
        let missing = await LinuxClipboard.checks(environment: ["PATH": "/nowhere", "DISPLAY": ":0"])
        #expect(
            missing == [
                DoctorCheck(
                    name: "Clipboard",
                    works: false,
                    detail: "The computer lacks the program xclip. Install it there: sudo apt install xclip.",
                    mend: "sudo apt install xclip"
                )
                .saying("toolMissing", ["tool": "xclip", "package": "xclip"])
            ]
        )
        try await XServer.run { environment in
            #expect(
                await LinuxClipboard.checks(environment: environment) == [
                    DoctorCheck(name: "Clipboard", works: true, detail: "read and set by xclip")
                        .saying("clipboardBy", ["tools": "xclip"])
                ]
            )
        }
    }
}
