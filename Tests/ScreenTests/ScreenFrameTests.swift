import CommandClient
import Kernel
import Pictures
import Testing

@testable import Commands
@testable import Screen
@testable import ScreenHost

@Suite("Frames and parts of live views")
struct ScreenFrameTests {
    private static let view = ScreenViewID(0x0102_0304_0506_0708)

    @Test(
        "every frame reads as it was written",
        arguments: [
            ScreenFrame.Content.part(ScreenArea(x: 1, y: 2, width: 300, height: 400), [0xFF, 0xD8, 3][...]),
            .whole, .shown(wantsAll: true), .shown(wantsAll: false), .ended(.replaced), .ended(.unknown(99)),
        ]
    )
    func frames(content: ScreenFrame.Content) {
        let frame = ScreenFrame(Self.view, picture: 70_000, content)
        let read = ScreenFrame(frame.bytes)
        #expect(read?.view == frame.view && read?.picture == frame.picture)
        #expect(read?.bytes == frame.bytes)
    }

    @Test("the bytes are those of the protocol")
    func bytes() {
        let part = ScreenFrame(Self.view, picture: 7, .part(ScreenArea(x: 1, y: 2, width: 3, height: 4), [9][...]))
        #expect(part.bytes == [5, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 7, 0, 1, 0, 2, 0, 3, 0, 4, 1, 9])
        #expect(ScreenFrame(Self.view, picture: 7, .ended(.notAllowed)).bytes.suffix(1) == [1])
    }

    @Test("anything else is no frame")
    func hostile() {
        let part = ScreenFrame(Self.view, picture: 7, .part(ScreenArea(x: 1, y: 2, width: 3, height: 4), [9][...]))
            .bytes
        for length in 0..<part.count { #expect(ScreenFrame(Array(part.prefix(length))) == nil) }
        func changed(_ index: Int, _ byte: UInt8) -> [UInt8] {
            var bytes = part
            bytes[index] = byte
            return bytes
        }
        // Another version, kind, format; a rectangle without width.
        for bytes in [changed(1, 2), changed(2, 5), changed(23, 2), changed(20, 0)] {
            #expect(ScreenFrame(bytes) == nil)
        }
        #expect(ScreenFrame(part + Array(repeating: 0, count: ScreenFrame.partLimit)) == nil)
        for text in ["", "1", "000000000000000g", "+000000000000001", "00000000000000001"] {
            #expect(ScreenViewID(text: text) == nil)
        }
        #expect(ScreenViewID(text: Self.view.text) == Self.view)
    }

    @Test("a phone takes no part beside the picture, no other picture's, and nothing behind the end")
    func client() {
        let area = ScreenArea(x: 0, y: 0, width: 10, height: 10)
        func view() -> LiveScreen {
            let view = LiveScreen(Self.view, send: { _ in }, closing: { _ in })
            let size = PictureDimensions(width: 10, height: 10)
            view.begin(ScreenViewOpened(dimensions: size, original: size))
            return view
        }
        func part(_ area: ScreenArea, picture: UInt32 = 1, bytes: Int = 1) -> ScreenFrame {
            ScreenFrame(Self.view, picture: picture, .part(area, Array(repeating: 0, count: bytes)[...]))
        }
        let good = view()
        good.take(part(area))
        good.take(ScreenFrame(Self.view, picture: 1, .whole))
        good.take(part(area, picture: 2))
        #expect(good.ended == nil)
        good.take(ScreenFrame(Self.view, picture: 0, .ended(.changed)))
        #expect(good.ended == .computer(.changed))
        let wrong = [
            part(ScreenArea(x: 1, y: 0, width: 10, height: 10)), part(area, picture: 2),
            ScreenFrame(Self.view, picture: 3, .whole), ScreenFrame(Self.view, picture: 1, .shown(wantsAll: true)),
        ]
        for frame in wrong {
            let view = view()
            view.take(frame)
            #expect(view.ended == .malformed)
        }
        let full = view()
        for _ in 0..<200 { full.take(part(area, bytes: ScreenFrame.partLimit)) }
        #expect(full.ended == .malformed)
    }

    @Test("a computer that takes no frames, as documented programs, has no live view and is not said to be away")
    func clear() async throws {
        let clear = ComputerContext(id: "pc", call: { _, _, _, _ in [:] }, sendFrame: nil)
        let failure = await #expect(throws: RemoteFailure.self) {
            _ = try await ScreenPart(clear).open(display: 0, maxWidth: 640)
        }
        #expect(failure?.code == FailureCode.unknownMethod)
    }

    @Test("a view has its own frames alone, and ends with the way to the computer")
    func opened() async throws {
        let sent = LatestValue<[[UInt8]]>([])
        let answer = LatestValue<ScreenViewID?>(nil)
        let computer = ComputerContext(
            id: "pc",
            call: { method, params, _, _ in
                if method == "display.watch" {
                    answer.set(params["viewId"]?.stringValue.flatMap { ScreenViewID(text: $0) })
                    return ["width": 4, "height": 2, "originalWidth": 8, "originalHeight": 4]
                }
                return ["success": true]
            },
            sendFrame: { frame in sent.update { $0.append(frame) } }
        )
        let part = ScreenPart(computer)
        let view = try await part.open(display: 0, maxWidth: 640)
        let id = try #require(answer.value)
        #expect(view.opened?.dimensions == PictureDimensions(width: 4, height: 2))
        await part.receive(frame: ScreenFrame(ScreenViewID(id.number &+ 1), picture: 9, .whole).bytes)
        await part.receive(frame: [5, 1, 9])
        let area = ScreenArea(x: 0, y: 0, width: 4, height: 2)
        await part.receive(frame: ScreenFrame(id, picture: 1, .part(area, [0xFF][...])).bytes)
        await part.receive(frame: ScreenFrame(id, picture: 1, .whole).bytes)
        try await view.shown(1, wantsAll: true)
        #expect(sent.value == [ScreenFrame(id, picture: 1, .shown(wantsAll: true)).bytes])
        await part.lost()
        var count = 0
        for await _ in view.frames() { count += 1 }
        #expect(count == 2)
        #expect(view.ended == .lost)
        await view.close()
        await part.receive(frame: ScreenFrame(id, picture: 2, .whole).bytes)
    }

    @Test("marked cells become few rectangles that cover exactly them")
    func areas() {
        var cells = ScreenCells(width: 64 * 6, height: 32 * 6)
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1), (4, 1), (3, 5)] { cells.mark(column, row) }
        let areas = Set(cells.areas)
        #expect(
            areas == [
                ScreenArea(x: 0, y: 0, width: 2, height: 2), ScreenArea(x: 4, y: 1, width: 1, height: 1),
                ScreenArea(x: 3, y: 5, width: 1, height: 1),
            ]
        )
        var many = ScreenCells(width: 64 * 20, height: 32 * 20)
        for row in 0..<20 { for column in stride(from: row % 2, to: 20, by: 2) { many.mark(column, row) } }
        #expect(many.areas == [ScreenArea(x: 0, y: 0, width: 20, height: 20)])
        var outside = ScreenCells(width: 64, height: 32)
        outside.mark(ScreenArea(x: -50, y: -50, width: 10, height: 10))
        outside.mark(ScreenArea(x: 500, y: 0, width: 10, height: 10))
        #expect(outside.isEmpty)
    }

    @Test("a smaller picture has the mean of what each of its pixels covers, and the pointer on it")
    func scaled() {
        var canvas = ScreenCanvas(PictureDimensions(width: 6, height: 3), maxWidth: 4)
        #expect(canvas.size == PictureDimensions(width: 4, height: 2))
        // 1.5 columns and 1.5 rows in each.
        let row: [UInt32] = [0x000000, 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF, 0xFFFFFF]
        let pixels = row + row + row
        func take() {
            pixels.withUnsafeBufferPointer {
                canvas.take(ScreenPiece(area: ScreenArea(x: 0, y: 0, width: 6, height: 3), pixels: $0, stride: 6))
            }
        }
        take()
        #expect(!canvas.changed.isEmpty)
        let whole = ScreenArea(x: 0, y: 0, width: 4, height: 2)
        let small = canvas.read(whole) { Array($0) }
        #expect(small[0] >> 16 >= 0x54 && small[0] >> 16 <= 0x56 && small[0] & 0xFFFF == 0)
        #expect(small[3] == 0xFFFFFF)
        canvas.changesTaken()
        take()
        #expect(canvas.changed.isEmpty)
        canvas.place(
            ScreenPointer(
                area: ScreenArea(x: 4, y: -1, width: 2, height: 4),
                pixels: Array(repeating: 0xFF00_00FF, count: 8)
            )
        )
        #expect(!canvas.changed.isEmpty)
        #expect(canvas.read(whole) { $0[3] } == 0x0000FF)
        canvas.place(nil)
        #expect(canvas.read(whole) { Array($0) } == small)
    }
}
