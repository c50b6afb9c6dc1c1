import Foundation
import KernelTesting
import LinuxDesktopTesting
import LinuxQRCodes
import ProgramTesting
import QRCodes
import Testing

@Suite("Screen capture", .timeLimit(.minutes(5)))
struct ScreenCapturerTests {
    /// A folder for PATH with `tools` in it: links to installed programs, or scripts.
    private static func withPath(
        linking tools: [String] = [],
        scripts: [String: String] = [:],
        _ body: (String) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder harms nobody
        for tool in tools {
            let program = URL(fileURLWithPath: "/usr/bin/\(tool)")
            #expect(
                FileManager.default.isExecutableFile(atPath: program.path),
                "\(tool) is missing: run bin/setup --tests"
            )
            try FileManager.default.createSymbolicLink(at: folder.appending(path: tool), withDestinationURL: program)
        }
        for (name, script) in scripts {
            try await TestProgram.write(script, to: folder.appending(path: name))
        }
        try await body(folder.path)
    }

    @Test("a code on an X11 screen is captured and read", arguments: ["maim", "import", "scrot"])
    func x11(tool: String) async throws {
        let code = try await Samples.png(Samples.pairingText, level: .low)
        try await Self.withPath(linking: [tool]) { path in
            try await XServer.run { environment in
                try await XServer.show(code, environment: environment)
                let session = environment.merging(["PATH": path]) { $1 }
                let screen = try await LinuxScreenCapturer(environment: session).capture()
                #expect(Array(screen.prefix(8)) == PNG.signature)
                #expect(Array(screen[16..<24]) == [0, 0, 5, 0, 0, 0, 3, 32])
                #expect(try await Samples.reader.text(in: screen) == Samples.pairingText)
            }
        }
    }

    @Test("without a session nothing is run")
    func noSession() async {
        let capturer = LinuxScreenCapturer(environment: ["PATH": "/usr/bin", "DISPLAY": ""])
        await #expect(throws: QRError.noScreen) { try await capturer.capture() }
    }

    @Test("a missing program is named with its package, for the session there is")
    func missingTool() async throws {
        try await Self.withPath { path in
            let x11 = LinuxScreenCapturer(environment: ["PATH": path, "DISPLAY": ":0"])
            await #expect(throws: QRError.screenToolMissing(tool: "maim", package: "maim")) {
                try await x11.capture()
            }
            let wayland = LinuxScreenCapturer(
                environment: ["PATH": path, "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"]
            )
            await #expect(throws: QRError.screenToolMissing(tool: "grim", package: "grim")) {
                try await wayland.capture()
            }
        }
    }

    @Test("a program that fails gives way to the next, and the last one's first line is the reason")
    func failingTools() async throws {
        let scripts = ["maim": "exit 1", "import": "echo 'no display' >&2; echo more >&2; exit 3"]
        try await Self.withPath(scripts: scripts) { path in
            let capturer = LinuxScreenCapturer(environment: ["PATH": path, "DISPLAY": ":0"])
            await #expect(throws: QRError.screenFailed(tool: "import", reason: "no display")) {
                try await capturer.capture()
            }
        }
        try await Self.withPath(scripts: ["maim": "exit 1", "import": "printf picture"]) { path in
            let capturer = LinuxScreenCapturer(environment: ["PATH": path, "DISPLAY": ":0"])
            let picture = try await capturer.capture()
            #expect(picture == Array("picture".utf8))
        }
    }

    @Test("a program that never ends, or never stops writing, is ended")
    func endlessTools() async throws {
        try await Self.withPath(scripts: ["grim": "exec /bin/sleep 600"]) { path in
            let capturer = LinuxScreenCapturer(
                environment: ["PATH": path, "WAYLAND_DISPLAY": "wayland-0"],
                time: ImmediateClock()
            )
            await #expect(throws: QRError.screenTimedOut(tool: "grim", after: .seconds(15))) {
                try await capturer.capture()
            }
        }
        try await Self.withPath(scripts: ["grim": "exec /usr/bin/yes"]) { path in
            let capturer = LinuxScreenCapturer(
                environment: ["PATH": path, "WAYLAND_DISPLAY": "wayland-0"],
                limits: PictureLimits(fileBytes: 1 << 16)
            )
            let error = await #expect(throws: QRError.self) { try await capturer.capture() }
            guard case .screenFailed(tool: "grim", _) = error else {
                Issue.record("an endless picture gave \(String(describing: error))")
                return
            }
        }
    }
}
