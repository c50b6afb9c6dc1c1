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
import ProgramTesting
import Screen
import ScreenHost
import Testing

@Suite("Clipboard and screen of Wayland", .timeLimit(.minutes(5)))
struct WaylandTests {
    @Test("an empty clipboard offers nothing; text, HTML and an image go in and come out exactly")
    func clipboard() async throws {
        let picture = try await ImageMagick.make(["-size", "20x10", "xc:red"])
        try await WaylandServer.run { environment in
            let clipboard = LinuxClipboard(environment: environment)
            #expect(try await clipboard.offers() == [])
            #expect(try await clipboard.read("image/png", limit: 100) == [])

            let text = Array("Grüße 👋\nzwei Zeilen\n".utf8)
            try await clipboard.write(text, as: .text)
            #expect(try await clipboard.read("text/plain;charset=utf-8", limit: 100) == text)
            #expect(try await clipboard.read("image/png", limit: 100) == [])

            try await clipboard.write(Array("<b>rich</b>".utf8), as: .html)
            #expect(try await clipboard.offers().first == "text/html")
            #expect(try await clipboard.read("text/html", limit: 100) == Array("<b>rich</b>".utf8))

            try await clipboard.write(picture, as: .image)
            #expect(try await clipboard.offers() == ["image/png"])
            #expect(try await clipboard.read("image/png", limit: 1 << 20) == picture)
            await #expect(throws: ToolError.outputTooLarge(tool: "wl-paste", limit: 10)) {
                try await clipboard.read("image/png", limit: 10)
            }
        }
    }

    @Test("the output is listed, and pictured by its name in its colour")
    func screen() async throws {
        try await WaylandServer.run(background: "#3366cc") { environment in
            // Software draws here, beside all other tests.
            let screen = LinuxScreen(environment: environment, timeout: .seconds(120))
            let displays = try await screen.displays()
            #expect(
                displays == [
                    Display(id: 0, name: "HEADLESS-1", x: 0, y: 0, width: 1280, height: 720, isPrimary: true)
                ]
            )
            let skill = ScreenSkill(screen: screen, pictures: LinuxPictures())
            // The background is drawn in its own time: the suite's time limit ends a wait for one that never comes.
            var picture: [UInt8] = []
            repeat {
                let answer = try await skill.call("display.screenshot", ["displayId": 0, "format": "png"])
                #expect(answer["width"] == 1280)
                #expect(answer["height"] == 720)
                picture = try #require(answer["imageBase64"]?.stringValue.flatMap { Data(base64Encoded: $0) })
                    .map(\.self)
            } while try await ImageMagick.pixel(x: 640, y: 360, of: picture) != [0x33, 0x66, 0xCC]
        }
    }

    /// A folder of programs, with `wl-paste` as it is where the compositor has no data-control: it notes each call.
    private static func tools(_ names: [String]) async throws -> String {
        let folder = "/tmp/tandem-tools-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in names {
            let script = """
                case "$1" in --watch)
                    echo "Watch mode requires a compositor that supports the data-control protocol" >&2; exit 1;;
                esac
                echo \(name) >>"\(folder)/calls"
                echo "text/plain;charset=utf-8"
                """
            try await TestProgram.write(script, to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        return folder
    }

    @Test("where each look would take the focus, watching is refused with the reason, and one look is one window")
    func focus() async throws {
        let folder = try await Self.tools(["wl-paste", "wl-copy"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = ["PATH": "\(folder):/usr/bin:/bin", "WAYLAND_DISPLAY": "wayland-0"]
        let clipboard = LinuxClipboard(environment: environment)
        let skill = ClipboardSkill(clipboard: clipboard, pictures: LinuxPictures(), outlet: ScriptedOutlet())
        let failure = await #expect(throws: RemoteFailure.self) { try await skill.call("clipboard.watch", [:]) }
        #expect(failure?.code == FailureCode.unsupported)
        #expect(failure?.message.contains("takes the focus") == true)
        #expect(!FileManager.default.fileExists(atPath: folder + "/calls"))
        #expect(try await clipboard.offers() == ["text/plain;charset=utf-8"])
        try await clipboard.write([0x61], as: .text)
        #expect(try String(contentsOfFile: folder + "/calls", encoding: .utf8) == "wl-paste\nwl-copy\n")
        let checks = await LinuxClipboard.checks(environment: environment)
        #expect(checks.map(\.works) == [true])
        #expect(checks.first?.detail.contains("not watched") == true)
        await skill.close()
    }

    @Test("where each look would take the focus, X11's tools are used as long as there is a DISPLAY")
    func xwayland() async throws {
        let folder = try await Self.tools(["wl-paste", "xclip"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clipboard = LinuxClipboard(
            environment: ["PATH": "\(folder):/usr/bin:/bin", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"]
        )
        try await clipboard.checkWatching()
        #expect(try await clipboard.offers() == ["text/plain;charset=utf-8"])
        #expect(try String(contentsOfFile: folder + "/calls", encoding: .utf8) == "xclip\n")
    }

    @Test("a session whose compositor is gone says so, and doctor too")
    func gone() async throws {
        let environment = ["PATH": "/usr/bin", "WAYLAND_DISPLAY": "wayland-none", "XDG_RUNTIME_DIR": "/nonexistent"]
        let error = await #expect(throws: ToolError.self) {
            try await LinuxClipboard(environment: environment).offers()
        }
        guard case .failed(tool: "wl-paste", let reason) = error else {
            Issue.record("a missing compositor gave \(String(describing: error))")
            return
        }
        #expect(reason.contains("Wayland"))
        #expect(await LinuxClipboard.checks(environment: environment).map(\.works) == [false])
        #expect(await LinuxScreen.checks(environment: environment).map(\.works) == [false, false])
    }
}
