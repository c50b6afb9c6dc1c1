import CommandServer
import FeatureTesting
import Foundation
import Kernel
import LinuxDesktopTesting
import Pictures
import RemoteInputHost
import Testing

@testable import LinuxDesktopTools
@testable import Screen
@testable import ScreenHost

@Suite("A live view of X11", .timeLimit(.minutes(3)))
struct LiveScreenTests {
    /// A phone that puts a view's parts together, each as a file beside the others.
    private actor Viewer {
        private let folder: URL
        private let skill: ScreenSkill
        private let frames: AsyncStream<[UInt8]>
        private var drawn: [(file: String, area: ScreenArea)] = []
        private(set) var last: [ScreenArea] = []

        init(_ skill: ScreenSkill, _ outlet: ScriptedOutlet) throws {
            self.skill = skill
            frames = outlet.frames(to: "did:key:z6MkA")
            folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        /// Takes the next picture and says that it is shown.
        func picture() async throws {
            last = []
            for await bytes in frames {
                let frame = try #require(ScreenFrame(bytes))
                switch frame.content {
                case .part(let area, let jpeg):
                    let file = folder.appending(path: "\(drawn.count).jpg")
                    try Data(jpeg).write(to: file)
                    drawn.append((file.path, area))
                    last.append(area)
                case .whole:
                    let shown = ScreenFrame(frame.view, picture: frame.picture, .shown(wantsAll: false))
                    _ = try await skill.frames.first?.read(shown.bytes)?.run(.ada)
                    return
                case .shown, .ended: throw RemoteEnd()
                }
            }
        }

        /// All parts on one another, as a PNG.
        func together(width: Int, height: Int) async throws -> [UInt8] {
            let parts = drawn.flatMap { ["(", $0.file, ")", "-geometry", "+\($0.area.x)+\($0.area.y)", "-composite"] }
            return try await ImageMagick.make(["-size", "\(width)x\(height)", "xc:black"] + parts)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder harms nobody
    }

    private struct RemoteEnd: Error {}

    @Test("only what changed comes, and the parts put together are the screen")
    func parts() async throws {
        try await XServer.run { environment in
            try await XServer.fill("#3366cc", environment: environment)
            let outlet = ScriptedOutlet(capacity: 4096)
            let skill = ScreenSkill(
                screen: LinuxScreen(environment: environment),
                pictures: InMemoryPictures(),
                outlet: outlet
            )
            let viewer = try Viewer(skill, outlet)
            let answer = try await skill.call("display.watch", ["viewId": "00000000000000a1", "maxWidth": 640])
            #expect(answer["width"] == 640)
            #expect(answer["height"] == 400)
            try await viewer.picture()
            #expect(await viewer.last.reduce(0) { $0 + $1.pixels } == 640 * 400)
            // At rest it is sharpened, then nothing comes until the window does.
            try await viewer.picture()
            try await XServer.withWindow(
                x: 100,
                y: 60,
                width: 200,
                height: 160,
                background: "#00ff00",
                environment: environment
            ) {
                var picture: [UInt8] = []
                repeat {
                    try await viewer.picture()
                    picture = try await viewer.together(width: 640, height: 400)
                } while try await !Self.isNear(ImageMagick.pixel(x: 54, y: 70, of: picture), [0, 255, 0])
                // The window with its border, in whole cells: 64…320 × 32…256 of the display.
                for area in await viewer.last {
                    #expect(area.x >= 32 && area.y >= 16 && area.x + area.width <= 160 && area.y + area.height <= 128)
                }
                #expect(Self.isNear(try await ImageMagick.pixel(x: 10, y: 10, of: picture), [0x33, 0x66, 0xCC]))
                #expect(Self.isNear(try await ImageMagick.pixel(x: 400, y: 300, of: picture), [0x33, 0x66, 0xCC]))
            }
            await skill.close()
        }
    }

    @Test("a pointer that moves is seen where it is")
    func pointer() async throws {
        try await XServer.run { environment in
            let reader = try await LinuxScreen(environment: environment).open(nil)
            var place: ScreenArea?
            _ = try reader.wait(atMost: 0)
            place = try reader.look { _ in }?.area
            let found = try #require(place)
            #expect(found.width > 0 && found.x < 640 && found.x + found.width > 640)
            let input = try await LinuxInput(environment: environment).open(
                InputOpening(phone: "Ada", folder: FileManager.default.temporaryDirectory, ended: { _ in })
            )
            await withCheckedContinuation { continuation in
                input.begin([.move(dx: 100, dy: 40)]) { _ in continuation.resume() }
            }
            while try !reader.wait(atMost: 200) {}
            var moved = try reader.look { _ in }?.area
            while moved?.x == found.x {
                _ = try reader.wait(atMost: 200)
                moved = try reader.look { _ in }?.area
            }
            #expect(moved.map { $0.x - found.x } == 100 && moved.map { $0.y - found.y } == 40)
            await input.close()
            reader.close()
            #expect(throws: ScreenReaderError.failed) { try reader.wait(atMost: 0) }
        }
    }

    @Test("an output of sway is read whole at first, and again once it changed")
    func wayland() async throws {
        try await WaylandServer.run(background: "#3366cc") { environment in
            let screen = LinuxScreen(environment: environment, timeout: .seconds(120))
            let display = Display(id: 0, name: "HEADLESS-1", x: 0, y: 0, width: 1280, height: 720, isPrimary: true)
            let reader = try await screen.open(display)
            var canvas = ScreenCanvas(reader.size, maxWidth: 1280)
            #expect(canvas.size == canvas.source && canvas.source.width == 1280 && canvas.source.height == 720)
            _ = try reader.look { canvas.take($0) }
            // The background is drawn in its own time: the suite's time limit ends a wait for one that never comes.
            func middle() -> UInt32 {
                canvas.read(ScreenArea(x: 640, y: 360, width: 1, height: 1)) { $0[0] & 0xFF_FFFF }
            }
            while middle() != 0x3366CC {
                if try reader.wait(atMost: 200) { _ = try reader.look { canvas.take($0) } }
            }
            reader.close()
            #expect(throws: ScreenReaderError.failed) { try reader.wait(atMost: 0) }
        }
    }

    @Test("a compositor and a server that is not there say why there is no live view")
    func refused() async throws {
        let wayland = LinuxScreen(environment: ["PATH": "/usr/bin", "WAYLAND_DISPLAY": "wayland-0"])
        await #expect(throws: ScreenError.self) { _ = try await wayland.open(nil) }
        let away = await #expect(throws: ScreenError.self) {
            _ = try await LinuxScreen(environment: ["PATH": "/usr/bin", "DISPLAY": ":4711"]).open(nil)
        }
        #expect(away?.description.contains("does not answer") == true)
    }

    private static func isNear(_ pixel: [UInt8], _ other: [UInt8]) -> Bool {
        zip(pixel, other).allSatisfy { abs(Int($0) - Int($1)) < 12 }
    }
}
