import Clipboard
import ClipboardHost
import CommandServer
import FeatureTesting
import Foundation
import Kernel
import LinuxDesktopTesting
import LinuxDesktopTools
import Screen
import ScreenHost
import Testing

@Suite("Clipboard and screen of Wayland", .timeLimit(.minutes(5)))
struct WaylandTests {
    @Test("an empty clipboard offers nothing; text, HTML and an image go in and come out exactly")
    func clipboard() async throws {
        let picture = try await Pictures.make(["-size", "20x10", "xc:red"])
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
            } while try await Pictures.pixel(x: 640, y: 360, of: picture) != [0x33, 0x66, 0xCC]
        }
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
