import CommandServer
import Foundation
import Kernel
import Pictures
import Rights
import Screen
import Synchronization

/// One phone's live view of one display: sends what changes as long as the phone says that it shows it.
final class LiveView: Sendable {
    /// Pictures that are on their way and not shown at most: a slow way gets fewer and newer ones, not a queue.
    static let window: UInt32 = 2
    /// The least time from one picture to the next.
    static let interval = Duration.milliseconds(40)
    /// A picture that takes longer to be shown came by a slow way.
    private static let slowness = Duration.milliseconds(700)

    private struct State {
        var shown: UInt32 = 0
        var wantsAll = false
        var isSlow = false
        /// The pictures that were sent and are not shown, with when they were.
        var underWay: [UInt32: ContinuousClock.Instant] = [:]
        var heard: ContinuousClock.Instant
        var end: ScreenViewEnd?
        var task: Task<Void, Never>?
    }

    let id: ScreenViewID
    let device: String
    let since: Date
    let dimensions: PictureDimensions
    private let reader: any ScreenReader
    private let lane: BlockingLane
    private let time: any TimeSource
    private let painter: Mutex<ScreenPainter>
    private let state: Mutex<State>
    private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        _ id: ScreenViewID,
        of device: String,
        _ reader: any ScreenReader,
        maxWidth: Int,
        lane: BlockingLane,
        time: any TimeSource
    ) {
        self.id = id
        self.device = device
        self.reader = reader
        self.lane = lane
        self.time = time
        since = time.date
        let painter = ScreenPainter(reader, maxWidth: maxWidth, time: time)
        dimensions = painter.size
        self.painter = Mutex(painter)
        state = Mutex(State(heard: time.now))
    }

    /// When the phone last said that it is there.
    var heardAt: ContinuousClock.Instant { state.withLock(\.heard) }

    /// The phone shows a picture. One that was not sent says only that the phone is there.
    func shown(_ picture: UInt32, wantsAll: Bool) {
        state.withLock { state in
            state.heard = time.now
            state.wantsAll = state.wantsAll || wantsAll
            if let sent = state.underWay[picture] {
                state.isSlow = time.now - sent > Self.slowness
                state.shown = max(state.shown, picture)
                state.underWay = state.underWay.filter { $0.key > picture }
            }
        }
        wake.yield()
    }

    /// Ends it: nothing is sent any more when this returns, but what is with the session already.
    func end(_ reason: ScreenViewEnd) {
        let task = state.withLock { state in
            if state.end == nil { state.end = reason }
            return state.task
        }
        task?.cancel()
        wake.finish()
    }

    /// The task that ``run(_:)`` runs in, which an end cancels.
    func runs(in task: Task<Void, Never>?) {
        let isOver = state.withLock { state in
            state.task = task
            return state.end != nil
        }
        if isOver || task == nil { end(.closed) }
    }

    /// Sends pictures until it ends, then closes the reader.
    ///
    /// - Parameter send: Waits while the phone takes no more.
    /// - Returns: Why it ended.
    func run(_ send: @Sendable (ScreenFrame) async throws -> Void) async -> ScreenViewEnd {
        do {
            try await sendPictures(send)
        } catch ScreenReaderError.changed {
            end(.changed)
        } catch is ScreenReaderError {
            end(.failed)
        } catch {
            end(.closed)  // the phone is gone, or may not be sent this any more
        }
        await close()
        return state.withLock { $0.end ?? .closed }
    }

    /// Behind what is still read.
    private func close() async {
        await withCheckedContinuation { continuation in
            lane.perform { [reader] in
                reader.close()
                continuation.resume()
            }
        }
    }

    private func sendPictures(_ send: @Sendable (ScreenFrame) async throws -> Void) async throws {
        var picture: UInt32 = 0
        while await hasRoom(after: picture) {
            let start = time.now
            let (isSlow, isWhole, maySharpen) = state.withLock { state in
                defer { state.wantsAll = false }
                return (state.isSlow, state.wantsAll, state.underWay.isEmpty)
            }
            let parts = try await lane.run { [self] in
                try painter.withLock { try $0.paint(isWhole: isWhole, isSlow: isSlow, maySharpen: maySharpen) }
            }
            if parts.isEmpty {
                // What is drawn anew and looks the same is looked at no more often.
                guard await rest(since: start) else { return }
                continue
            }
            picture &+= 1
            state.withLock { $0.underWay[picture] = time.now }
            for part in parts {
                try checkGoesOn()
                try await send(ScreenFrame(id, picture: picture, .part(part.area, part.jpeg[...])))
            }
            try checkGoesOn()
            try await send(ScreenFrame(id, picture: picture, .whole))
            guard await rest(since: start) else { return }
        }
    }

    /// - Returns: False where the task was cancelled.
    private func rest(since start: ContinuousClock.Instant) async -> Bool {
        let rest = Self.interval - (time.now - start)
        return rest > .zero ? await time.pause(for: rest) : true
    }

    private func checkGoesOn() throws { if state.withLock({ $0.end != nil }) { throw CancellationError() } }

    /// Waits until so few pictures are under way that one more may be.
    ///
    /// - Returns: False once it has ended.
    private func hasRoom(after picture: UInt32) async -> Bool {
        func hasIt() -> Bool? {
            state.withLock { state in
                if state.end != nil { return false }
                return picture - state.shown < Self.window ? true : nil
            }
        }
        if let answer = hasIt() { return answer }
        for await _ in wakes { if let answer = hasIt() { return answer } }
        return false
    }
}
