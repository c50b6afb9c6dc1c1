import Capabilities
import CommandServer
import Commands
import FeatureTesting
import Kernel
import KernelTesting
import Pictures
import Screen
import ScreenHost
import Testing

@Suite("Screen as a phone sees it", .timeLimit(.minutes(5)))
struct ScreenClientTests {
    private let clock = ManualClock()

    private func client(_ screen: InMemoryScreen, _ pictures: InMemoryPictures) -> ScreenClient {
        ScreenClient(ScriptedPeer(ScreenSkill(screen: screen, pictures: pictures, time: clock)))
    }

    @Test("displays and pictures come as the computer has them")
    func pictures() async throws {
        let pictures = InMemoryPictures()
        let screen = InMemoryScreen(pictures.picture(width: 400, height: 300))
        let client = client(screen, pictures)
        #expect(try await client.displays() == InMemoryScreen.twoDisplays)
        let picture = try await client.screenshot()
        #expect(picture.bytes == screen.picture)
        #expect(picture.format == .png)
        #expect(picture.dimensions == PictureDimensions(width: 400, height: 300))
        #expect(!picture.isScaled && !picture.isConverted)
        let small = try await client.screenshot(ScreenshotQuery(displayID: 1, format: .jpeg, maxWidth: 100))
        #expect(small.format == .jpeg)
        #expect(small.displayID == 1)
        #expect(small.dimensions.width == 100)
        #expect(small.original.width == 400)
        #expect(small.isScaled)
        #expect(screen.captured == ["HDMI-1", "DP-1"])
    }

    @Test("a display that is not there is refused with the parameter's name")
    func refused() async throws {
        let client = client(InMemoryScreen([]), InMemoryPictures())
        let failure = await #expect(throws: RemoteFailure.self) {
            try await client.screenshot(ScreenshotQuery(displayID: 7))
        }
        #expect(failure?.code == FailureCode.badParameters)
        #expect(failure?.message.contains("displayId") == true)
    }

    @Test("the owner's checks are handed on")
    func checks() async {
        let check = DoctorCheck(name: "Screen", works: true, detail: "read")
        let skill = ScreenSkill(screen: InMemoryScreen([]), pictures: InMemoryPictures(), checks: { [check] })
        #expect(await skill.checks() == [check])
    }

    @Test(
        "parameters read what they write",
        arguments: [
            ScreenshotQuery(), ScreenshotQuery(isCompact: false),
            ScreenshotQuery(displayID: 3, format: .jpeg, quality: 5, maxWidth: 640, scale: 0.5),
        ]
    )
    func queries(query: ScreenshotQuery) throws {
        #expect(try ScreenshotQuery(wire: RemoteParameters(query.wire)) == query)
    }

    @Test("other programs' parameters are read: jpg, and all left out")
    func otherQueries() throws {
        #expect(try ScreenshotQuery(wire: RemoteParameters([:])) == ScreenshotQuery(isCompact: false))
        #expect(try ScreenshotQuery(wire: RemoteParameters(["format": "JPG"])).format == .jpeg)
    }

    @Test("a picture is found under each of its names, and its size beside it or in a member of its own")
    func otherAnswers() throws {
        let png = InMemoryPictures().picture(width: 4, height: 2)
        let base64 = "iVBORw0KGgoABAACAAAAAAAAAAA="
        let wires: [JSONValue] = [
            ["imageBase64": .string(base64), "width": 4, "height": 2],
            ["data": .string(base64), "dimensions": ["width": 4, "height": 2]],
            ["dataUrl": .string("data:image/png;base64,\(base64)"), "width": 4, "height": 2],
        ]
        for wire in wires {
            let picture = try Screenshot(wire: wire)
            #expect(picture.bytes == png)
            #expect(picture.format == .png)
            #expect(picture.dimensions == PictureDimensions(width: 4, height: 2))
            #expect(!picture.isScaled)
            #expect(try Screenshot(wire: picture.wire).bytes == png)
        }
    }

    @Test(
        "an answer without a picture, or without a list, is not taken for one",
        arguments: [
            .null, [], [:], "x", ["imageBase64": ""], ["imageBase64": 7], ["data": "no base64!"], ["displays": 7],
        ] as [JSONValue]
    )
    func hostile(answer: JSONValue) async {
        let client = ScreenClient(ScriptedPeer(answering: answer))
        await #expect(throws: RemoteError.malformedResult) { try await client.screenshot() }
        await #expect(throws: RemoteError.malformedResult) { try await client.displays() }
    }

    @Test("displays whose members are no sizes have none, and one without a number is left out")
    func hostileDisplays() throws {
        let list: JSONValue = [
            ["id": 0, "width": -5, "height": .number(1e300), "x": .number(1e300), "bounds": 7], ["name": "none"], 7,
        ]
        #expect(
            try Displays(wire: ["displays": list]).displays
                == [Display(id: 0, name: "", x: 0, y: 0, width: 0, height: 0, isPrimary: true)]
        )
    }
}
