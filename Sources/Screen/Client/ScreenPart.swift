package import CommandClient
import Commands
import Kernel
import Pictures
import Synchronization

/// A phone's live views of one computer's displays.
package final class ScreenPart: ComputerPart {
    private let computer: ComputerContext
    private let views = Mutex<[ScreenViewID: LiveScreen]>([:])

    package init(_ computer: ComputerContext) { self.computer = computer }

    package var frameBytes: Set<UInt8> { [ScreenFrame.firstByte] }

    package func receive(frame bytes: [UInt8]) async {
        guard let frame = ScreenFrame(bytes) else { return }
        views.withLock { $0[frame.view] }?.take(frame)
    }

    package func lost() async { endAll(.lost) }
    package func restarted() async { endAll(.lost) }
    package func close() async { endAll(.lost) }

    /// Opens a view. Whoever reads it says with ``LiveScreen/shown(_:wantsAll:)`` what is shown, and at least every ten seconds that it is
    /// there; and closes it with ``LiveScreen/close()``.
    ///
    /// - Throws: `RemoteFailure` as the computer said, `unknownMethod` or `unsupported` where its screen can be pictured only; `RemoteError` without
    ///   an answer.
    package func open(display: Int, maxWidth: Int) async throws -> LiveScreen {
        guard let send = computer.sendFrame else {
            throw RemoteFailure(
                code: FailureCode.unknownMethod,
                message: "The computer shows its screen in single pictures only. Take pictures instead."
            )
        }
        let id = ScreenViewID(UInt64.random(in: .min ... .max))
        let view = LiveScreen(id, send: send) { [weak self, computer] isWanted in
            self?.views.withLock { _ = $0.removeValue(forKey: id) }
            guard isWanted else { return }
            // A computer that is away ends the view by itself.
            _ = try? await computer.call(ScreenMethods.unwatch.name, ScreenViewChoice(id).wire, .seconds(5), true)
        }
        // Its first frames may come before the answer.
        views.withLock { $0[id] = view }
        do {
            let query = ScreenViewQuery(view: id, displayID: display, maxWidth: maxWidth)
            let answer = try await computer.call(ScreenMethods.watch.name, query.wire, .seconds(20), false)
            view.begin(try ScreenViewOpened(wire: answer))
            return view
        } catch {
            await view.close()
            throw error
        }
    }

    private func endAll(_ end: LiveScreen.End) { for view in views.withLock({ Array($0.values) }) { view.end(end) } }
}

/// A live view that a phone has opened: what the computer sends of it, in order.
package final class LiveScreen: Sendable {
    package enum End: Hashable, Sendable {
        /// As the computer said.
        case computer(ScreenViewEnd)
        /// The computer is not reached any more, or is another program now.
        case lost
        /// The computer sent what no view has.
        case malformed
    }

    /// Bytes that wait for the reader: the computer sends no more before what came is shown.
    private static let waitingLimit = 24 << 20
    private static let frameLimit = 4096

    private struct State {
        var opened: ScreenViewOpened?
        var picture: UInt32 = 0
        var waiting = 0
        var end: End?
    }

    package let id: ScreenViewID
    private let send: @Sendable ([UInt8]) async throws -> Void
    private let closing: @Sendable (_ isWanted: Bool) async -> Void
    private let state = Mutex(State())
    private let (stream, feed) = AsyncStream.makeStream(
        of: ScreenFrame.self,
        bufferingPolicy: .bufferingOldest(LiveScreen.frameLimit)
    )

    init(
        _ id: ScreenViewID,
        send: @escaping @Sendable ([UInt8]) async throws -> Void,
        closing: @escaping @Sendable (_ isWanted: Bool) async -> Void
    ) {
        self.id = id
        self.send = send
        self.closing = closing
    }

    /// The sizes. Nil before the computer has answered.
    package var opened: ScreenViewOpened? { state.withLock(\.opened) }

    /// How it ended. Nil while it goes on.
    package var ended: End? { state.withLock(\.end) }

    /// Its parts and the ends of its pictures, for one reader; over once it has ended.
    package func frames() -> AsyncStream<ScreenFrame> { stream }

    /// The reader is done with a frame.
    package func taken(_ frame: ScreenFrame) {
        if case .part(_, let data) = frame.content { state.withLock { $0.waiting -= data.count } }
    }

    /// A picture is shown, or 0 for none; also the sign that the phone is there.
    ///
    /// - Throws: What the session says.
    package func shown(_ picture: UInt32, wantsAll: Bool = false) async throws {
        try await send(ScreenFrame(id, picture: picture, .shown(wantsAll: wantsAll)).bytes)
    }

    /// Closes it here and at the computer.
    package func close() async {
        let wasOpen = ended == nil
        end(.computer(.closed))
        await closing(wasOpen)
    }

    func begin(_ opened: ScreenViewOpened) { state.withLock { $0.opened = opened } }

    func end(_ end: End) {
        state.withLock { if $0.end == nil { $0.end = end } }
        feed.finish()
    }

    func take(_ frame: ScreenFrame) {
        switch frame.content {
        case .ended(let reason): return end(.computer(reason))
        case .shown: return end(.malformed)
        case .part(let area, let data):
            let isFine = state.withLock { state in
                // Before the answer the picture's size is not known: what it may be at most is.
                let width = state.opened?.dimensions.width ?? ScreenViewQuery.widths.upperBound
                let height = state.opened?.dimensions.height ?? 16_384
                state.waiting += data.count
                return area.x + area.width <= width && area.y + area.height <= height
                    && frame.picture == state.picture &+ 1 && state.waiting <= Self.waitingLimit
            }
            guard isFine else { return end(.malformed) }
        case .whole:
            let isFine = state.withLock { state in
                guard frame.picture == state.picture &+ 1 else { return false }
                state.picture = frame.picture
                return true
            }
            guard isFine else { return end(.malformed) }
        }
        if case .dropped = feed.yield(frame) { end(.malformed) }
    }
}
