import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Rights
import Screen
import Testing

@testable import CommandServer
@testable import Commands
@testable import Pictures
@testable import ScreenHost

@Suite("Screen", .timeLimit(.minutes(5)))
struct ScreenSkillTests {
    private let clock = ManualClock()

    private func skill(_ screen: InMemoryScreen, _ pictures: InMemoryPictures) -> ScreenSkill {
        ScreenSkill(screen: screen, pictures: pictures, time: clock)
    }

    @Test(
        "a picture is answered in both shapes, by both names, of the primary display",
        arguments: [
            "display.screenshot", "screen.capture",
        ]
    )
    func shapes(method: String) async throws {
        let pictures = InMemoryPictures()
        let screen = InMemoryScreen(pictures.picture(width: 400, height: 300))
        let answer = try await skill(screen, pictures).call(method, ["displayId": 0, "savePath": "/tmp/evil.png"])
        let text = Data(screen.picture).base64EncodedString()
        #expect(
            answer == [
                "success": true, "saved": false, "displayId": 0, "imageBase64": .string(text), "data": .string(text),
                "dataUrl": .string("data:image/png;base64,\(text)"), "format": "png", "width": 400, "height": 300,
                "dimensions": ["width": 400, "height": 300], "size": .integer(Int64(screen.picture.count)),
                "scaled": false, "converted": false, "originalWidth": 400, "originalHeight": 300,
                "timestamp": .integer(clock.date.millisecondsSince1970),
            ]
        )
        #expect(screen.captured == ["HDMI-1"])
        #expect(!FileManager.default.fileExists(atPath: "/tmp/evil.png"))
    }

    @Test("the width and the scale asked for are kept, whichever is smaller, as a JPEG too")
    func wishes() async throws {
        let pictures = InMemoryPictures()
        let skill = skill(InMemoryScreen(pictures.picture(width: 400, height: 300)), pictures)
        let narrow = try await skill.call("display.screenshot", ["displayId": 1, "maxWidth": 100])
        #expect(narrow["width"] == 100)
        #expect(narrow["height"] == 75)
        #expect(narrow["scaled"] == true)
        #expect(narrow["originalWidth"] == 400)
        let half = try await skill.call(
            "display.screenshot",
            ["scale": .number(0.5), "maxWidth": 300, "format": "jpg", "quality": 50]
        )
        #expect(half["width"] == 200)
        #expect(half["format"] == "jpeg")
        #expect(half["converted"] == false)
        #expect(half["dataUrl"]?.stringValue?.hasPrefix("data:image/jpeg;base64,") == true)
    }

    @Test("a PNG that does not fit becomes a JPEG; one that does not either becomes smaller, and says so")
    func fitted() async throws {
        let pictures = InMemoryPictures()
        let screen = InMemoryScreen(pictures.picture(width: 1600, height: 1000))
        let answer = try await skill(screen, pictures).call("display.screenshot")
        #expect(answer["format"] == "jpeg")
        #expect(answer["converted"] == true)
        #expect(answer["scaled"] == false)
        #expect(answer["width"] == 1600)

        let noisy = InMemoryPictures(png: 3, jpeg: 2)
        let smaller = try await skill(InMemoryScreen(noisy.picture(width: 1600, height: 1000)), noisy)
            .call("display.screenshot")
        #expect(smaller["scaled"] == true)
        #expect(AnswerSize.bytes(of: smaller) < 700_000)
        let data = try #require(smaller["imageBase64"]?.stringValue.flatMap { Data(base64Encoded: $0) })
        let size = try await noisy.dimensions(of: Array(data))
        #expect(smaller["width"]?.integerValue == Int64(size.width))
        #expect(smaller["height"]?.integerValue == Int64(size.height))
        #expect(smaller["size"]?.integerValue == Int64(data.count))
        #expect(noisy.encodings.count <= 4)
        #expect(smaller["data"] == smaller["imageBase64"])
        #expect(smaller["dataUrl"] == nil)
    }

    @Test("compact leaves out the repeated members, and the picture may be twice as large")
    func compact() async throws {
        let pictures = InMemoryPictures()
        let screen = InMemoryScreen(pictures.picture(width: 800, height: 500))
        let skill = skill(screen, pictures)
        #expect(try await skill.call("display.screenshot")["format"] == "jpeg")
        let compact = try await skill.call("display.screenshot", ["compact": true])
        #expect(compact["format"] == "png")
        #expect(compact["data"] == nil)
        #expect(AnswerSize.fits(compact))
    }

    @Test("a picture that cannot be made to fit is refused")
    func neverFits() async throws {
        let pictures = InMemoryPictures(png: 400, jpeg: 400)
        let screen = InMemoryScreen(InMemoryPictures().picture(width: 100, height: 60))
        let failure = try await skill(screen, pictures).refusal("display.screenshot", ["format": "jpeg"])
        #expect(failure?.code == -32004)
    }

    @Test("displays are listed with the primary one first")
    func list() async throws {
        let answer = try await skill(InMemoryScreen([]), InMemoryPictures()).call("display.list")
        #expect(answer["total"] == 2)
        #expect(answer["displays"]?.arrayValue?.map { $0["name"] } == ["HDMI-1", "DP-1"])
        #expect(
            answer["displays"]?.arrayValue?.first == [
                "id": 0, "name": "HDMI-1", "x": 800, "y": 0, "width": 400, "height": 300, "primary": true,
                "isPrimary": true, "bounds": ["x": 800, "y": 0, "width": 400, "height": 300],
            ]
        )
    }

    @Test("without a tool to list displays the first one still is pictured, another is refused with the package")
    func noList() async throws {
        let pictures = InMemoryPictures()
        let missing = ToolError.missing(tool: "xrandr", package: "x11-xserver-utils")
        let screen = InMemoryScreen(pictures.picture(width: 40, height: 30), .failure(missing))
        let skill = skill(screen, pictures)
        #expect(try await skill.call("screen.capture")["width"] == 40)
        #expect(screen.captured == [nil])
        let failure = try await skill.refusal("display.list")
        #expect(failure?.code == -32006)
        #expect(failure?.message.contains("x11-xserver-utils") == true)
        #expect(try await skill.refusal("screen.capture", ["displayId": 1]) == failure)
    }

    @Test(
        "wishes no screen has are refused by the field's name, before anything is pictured",
        arguments: [
            (["displayId": 2], "displayId"), (["displayId": -1], "displayId"), (["displayId": "x"], "displayId"),
            (["format": "gif"], "format"), (["quality": 0], "quality"), (["quality": 101], "quality"),
            (["maxWidth": 0], "maxWidth"), (["maxWidth": 16_385], "maxWidth"), (["scale": 0], "scale"),
            (["scale": .number(1.5)], "scale"), (["compact": "yes"], "compact"),
        ] as [(JSONValue, String)]
    )
    func refused(params: JSONValue, field: String) async throws {
        let screen = InMemoryScreen([])
        let failure = try await skill(screen, InMemoryPictures()).refusal("display.screenshot", params)
        #expect(failure?.code == -32602)
        #expect(failure?.message.hasPrefix("The parameter \(field) must be") == true)
        #expect(screen.captured.isEmpty)
    }

    @Test("a phone that got a picture is listed as watching, one that got none is not")
    func watching() async throws {
        let pictures = InMemoryPictures()
        let none = ScreenSkill(
            screen: InMemoryScreen([], .failure(.noSession(purpose: "The screen"))),
            pictures: pictures,
            time: clock
        )
        await #expect(throws: RemoteFailure.self) { try await none.call("display.screenshot", ["displayId": 1]) }
        #expect(await none.activities().isEmpty)
        let some = skill(InMemoryScreen(pictures.picture(width: 400, height: 300)), pictures)
        _ = try await some.call("display.screenshot", [:])
        #expect(await some.activities().map(\.kind) == [.screen])
    }

    @Test("every method needs the display to be allowed, and those that show something are logged")
    func permissions() {
        let methods = skill(InMemoryScreen([]), InMemoryPictures()).methods
        #expect(
            methods.map(\.name) == [
                "display.screenshot", "screen.capture", "display.list", "display.watch", "display.unwatch",
            ]
        )
        #expect(methods.allSatisfy { $0.permission == Permission(.display) })
        #expect(methods.filter { $0.risk == .safe }.map(\.name) == ["display.unwatch"])
    }
}
