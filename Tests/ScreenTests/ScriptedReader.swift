import Dispatch
import Pictures
import Screen
import Synchronization

@testable import ScreenHost

/// A display of pixels that a test sets. Its JPEGs are the first pixel and the number of pixels, in a few bytes.
final class ScriptedReader: ScreenReader {
    private struct State {
        var pixels: [UInt32]
        var pointer: ScreenPointer?
        var isChanged = true
        var failure: ScreenReaderError?
        var isClosed = false
    }

    let size: PictureDimensions
    private let state: Mutex<State>
    private let changes = DispatchSemaphore(value: 0)

    init(width: Int, height: Int) {
        size = PictureDimensions(width: width, height: height)
        state = Mutex(State(pixels: Array(repeating: 0, count: width * height)))
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Fills a rectangle of the display.
    func fill(_ area: ScreenArea, _ pixel: UInt32) {
        state.withLock { state in
            for y in area.y..<area.y + area.height {
                for x in area.x..<area.x + area.width { state.pixels[y * size.width + x] = pixel }
            }
            state.isChanged = true
        }
        changes.signal()
    }

    func fail(_ failure: ScreenReaderError) {
        state.withLock { $0.failure = failure }
        changes.signal()
    }

    func wait(atMost milliseconds: Int32) throws -> Bool {
        if try look() { return true }
        _ = changes.wait(timeout: .now() + .milliseconds(Int(milliseconds)))
        return try look()
    }

    private func look() throws -> Bool {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.isChanged
        }
    }

    func look(_ take: (ScreenPiece) -> Void) throws -> ScreenPointer? {
        state.withLock { state in
            state.isChanged = false
            state.pixels.withUnsafeBufferPointer {
                let area = ScreenArea(x: 0, y: 0, width: size.width, height: size.height)
                take(ScreenPiece(area: area, pixels: $0, stride: size.width))
            }
            return state.pointer
        }
    }

    func jpeg(
        _ pixels: UnsafeBufferPointer<UInt32>,
        _ size: PictureDimensions,
        quality: Int,
        isSharp: Bool,
        within limit: Int
    ) throws -> [UInt8]? {
        [UInt8(truncatingIfNeeded: pixels[0]), isSharp ? 1 : 0, UInt8(truncatingIfNeeded: size.width)]
    }

    func close() { state.withLock { $0.isClosed = true } }
}

/// A screen with one display, which is read by ``ScriptedReader``s.
struct ReadableScreen: ScreenAccess {
    let reader: @Sendable () -> ScriptedReader

    func displays() async throws -> [Display] {
        [Display(id: 0, name: "DP-1", x: 0, y: 0, width: 640, height: 320, isPrimary: true)]
    }

    func capture(_ display: Display?) async throws -> [UInt8] { [] }
    func open(_ display: Display?) async throws -> any ScreenReader { reader() }
}
