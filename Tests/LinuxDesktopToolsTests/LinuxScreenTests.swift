import Capabilities
import CommandServer
import FeatureTesting
import Foundation
import Kernel
import LinuxDesktopTesting
import LinuxDesktopTools
import LinuxPictures
import Screen
import ScreenHost
import Testing

@Suite("Screen of X11", .timeLimit(.minutes(5)))
struct LinuxScreenTests {
    private static func withPath(linking tools: [String], _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder harms nobody
        for tool in tools {
            let program = URL(fileURLWithPath: "/usr/bin/\(tool)")
            try FileManager.default.createSymbolicLink(at: folder.appending(path: tool), withDestinationURL: program)
        }
        try await body(folder.path)
    }

    @Test("the server's only display is listed and is the primary one")
    func displays() async throws {
        try await XServer.run { environment in
            let displays = try await LinuxScreen(environment: environment).displays()
            #expect(
                displays == [
                    Display(id: 0, name: "screen", x: 0, y: 0, width: 1280, height: 800, isPrimary: true)
                ]
            )
        }
    }

    @Test("a real window is in the picture where it is on the screen, and the background beside it")
    func window() async throws {
        try await XServer.run { environment in
            try await XServer.fill("#3366cc", environment: environment)
            let skill = ScreenSkill(screen: LinuxScreen(environment: environment), pictures: LinuxPictures())
            try await XServer.withWindow(
                x: 100,
                y: 50,
                width: 300,
                height: 200,
                background: "#00ff00",
                environment: environment
            ) {
                // The window is mapped in its own time: the suite's time limit ends a wait for one that never comes.
                var picture: [UInt8] = []
                repeat {
                    let answer = try await skill.call("display.screenshot", ["displayId": 0, "format": "png"])
                    #expect(answer["width"] == 1280)
                    #expect(answer["height"] == 800)
                    #expect(answer["format"] == "png")
                    picture = try #require(answer["imageBase64"]?.stringValue.flatMap { Data(base64Encoded: $0) })
                        .map(\.self)
                } while try await ImageMagick.pixel(x: 110, y: 150, of: picture) != [0, 255, 0]
                #expect(try await ImageMagick.size(of: picture) == [1280, 800])
                #expect(try await ImageMagick.pixel(x: 20, y: 20, of: picture) == [0x33, 0x66, 0xCC])
                #expect(try await ImageMagick.pixel(x: 420, y: 150, of: picture) == [0x33, 0x66, 0xCC])
            }
        }
    }

    @Test("one display is a part of the screen, with each of the tools", arguments: ["maim", "import", "scrot"])
    func oneDisplay(tool: String) async throws {
        try await Self.withPath(linking: [tool]) { path in
            try await XServer.run { environment in
                try await XServer.fill("#102030", environment: environment)
                let half = Display(id: 1, name: "right", x: 640, y: 100, width: 320, height: 200, isPrimary: false)
                let session = environment.merging(["PATH": path]) { $1 }
                let picture = try await LinuxScreen(environment: session).capture(half)
                #expect(try await ImageMagick.size(of: picture) == [320, 200])
                #expect(try await ImageMagick.pixel(x: 319, y: 199, of: picture) == [0x10, 0x20, 0x30])
            }
        }
    }

    @Test("a JPEG is scaled to the width asked for, with the size it says")
    func jpeg() async throws {
        try await XServer.run { environment in
            try await XServer.fill("#ff0000", environment: environment)
            let skill = ScreenSkill(screen: LinuxScreen(environment: environment), pictures: LinuxPictures())
            let answer = try await skill.call("screen.capture", ["format": "jpeg", "quality": 90, "maxWidth": 320])
            #expect(answer["format"] == "jpeg")
            #expect(answer["width"] == 320)
            #expect(answer["height"] == 200)
            #expect(answer["scaled"] == true)
            #expect(answer["originalWidth"] == 1280)
            let picture = try #require(answer["data"]?.stringValue.flatMap { Data(base64Encoded: $0) }).map(\.self)
            #expect(Array(picture.prefix(3)) == [0xFF, 0xD8, 0xFF])
            #expect(try await ImageMagick.size(of: picture) == [320, 200])
            let pixel = try await ImageMagick.pixel(x: 160, y: 100, of: picture)
            #expect(pixel[0] > 245)
            #expect(pixel[1] < 10)
        }
    }

    @Test("a screen full of noise still fits into an answer, smaller and said so")
    func noise() async throws {
        let noise = try await ImageMagick.make(["-size", "1280x800", "xc:gray", "+noise", "Random"])
        try await XServer.run { environment in
            try await XServer.show(noise, environment: environment)
            let skill = ScreenSkill(screen: LinuxScreen(environment: environment), pictures: LinuxPictures())
            let answer = try await skill.call("display.screenshot")
            #expect(answer.canonicalBytes.count < 700_000)
            #expect(answer["format"] == "jpeg")
            #expect(answer["converted"] == true)
            let picture = try #require(answer["imageBase64"]?.stringValue.flatMap { Data(base64Encoded: $0) })
            let size = try await ImageMagick.size(of: Array(picture))
            #expect(answer["width"]?.integerValue == Int64(size[0]))
            #expect(answer["height"]?.integerValue == Int64(size[1]))
            #expect(answer["scaled"] == .bool(size != [1280, 800]))
        }
    }

    @Test("doctor lists the displays and takes a picture, or names the packages")
    func checks() async throws {
        try await XServer.run { environment in
            let checks = await LinuxScreen.checks(environment: environment)
            #expect(checks.map(\.works) == [true, true])
            #expect(checks.first == DoctorCheck(name: "Displays", works: true, detail: "screen 1280x800"))
        }
        let missing = await LinuxScreen.checks(environment: ["PATH": "/nowhere", "DISPLAY": ":0"])
        #expect(
            missing.map(\.detail) == [
                "The computer lacks the program xrandr. Install it there: sudo apt install x11-xserver-utils.",
                "The computer lacks the program maim. Install it there: sudo apt install maim.",
            ]
        )
        let wayland = await LinuxScreen.checks(environment: ["PATH": "/nowhere", "WAYLAND_DISPLAY": "wayland-0"])
        #expect(
            wayland.map(\.detail) == [
                "The computer lacks the program wlr-randr. Install it there: sudo apt install wlr-randr.",
                "The computer lacks the program grim. Install it there: sudo apt install grim.",
            ]
        )
    }
}
