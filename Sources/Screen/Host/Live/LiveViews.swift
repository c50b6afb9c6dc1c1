import CommandServer
import Commands
import Foundation
import Kernel
import Pictures
import Rights
import Screen
import Synchronization

/// The live views of phones. Source: `docs/protocol.md`, "Screen".
final class LiveViews: Sendable {
    /// Views of one phone; the next one takes the place of the oldest.
    static let deviceLimit = 2
    /// Views of all phones: each looks at the screen by itself.
    static let limit = 4
    /// A phone that says nothing for so long is not looking.
    static let silence = Duration.seconds(20)
    private static let lookInterval = Duration.seconds(5)

    private struct State {
        var views: [ScreenViewID: LiveView] = [:]
        var opening = 0
        var isWatching = false
    }

    private let outlet: any DeviceOutlet
    private let time: any TimeSource
    private let state = Mutex(State())
    private let tasks = OwnedTasks()
    private let work = BlockingWork("tandem.screen", width: LiveViews.limit)

    init(outlet: any DeviceOutlet, time: any TimeSource) {
        self.outlet = outlet
        self.time = time
    }

    /// Every view's phone, with when it began.
    var devices: [(device: String, since: Date)] {
        state.withLock { $0.views.values.map { (device: $0.device, since: $0.since) } }
    }

    /// - Parameter reader: Opens the display.
    /// - Throws: ``ScreenError``, and what `reader` throws.
    func open(
        _ query: ScreenViewQuery,
        for device: String,
        _ reader: @Sendable () async throws -> any ScreenReader
    ) async throws -> ScreenViewOpened {
        let replaced = state.withLock { state in
            state.views.values.filter { $0.device == device }.sorted { $0.since < $1.since }
                .dropLast(Self.deviceLimit - 1)
        }
        for view in replaced { end(view, .replaced) }
        try state.withLock { state throws(ScreenError) in
            guard state.views.count + state.opening < Self.limit, state.views[query.view] == nil else {
                throw .tooManyViews(limit: Self.limit)
            }
            state.opening += 1
        }
        defer { state.withLock { $0.opening -= 1 } }
        let reader = try await reader()
        let view = LiveView(
            query.view,
            of: device,
            reader,
            maxWidth: query.maxWidth,
            lane: BlockingLane(on: work),
            time: time
        )
        // Its phone may have opened another one by this name meanwhile, which stays what can be ended.
        let isOnly = state.withLock { state in
            guard !Task.isCancelled, state.views[view.id] == nil else { return false }
            state.views[view.id] = view
            return true
        }
        guard isOnly else {
            reader.close()
            throw CancellationError()
        }
        view.runs(in: tasks.add { await self.run(view) })
        watch()
        return ScreenViewOpened(dimensions: view.dimensions, original: reader.size)
    }

    private func run(_ view: LiveView) async {
        let reason = await view.run { [outlet] frame in
            try await outlet.send(frame: frame.bytes, needing: .display, to: view.device)
        }
        forget(view)
        // In a task of its own: this one is cancelled by then.
        tasks.add { [outlet] in
            // A phone that is gone looks at nothing either.
            try? await outlet.send(
                frame: ScreenFrame(view.id, picture: 0, .ended(reason)).bytes,
                needing: nil,
                to: view.device
            )
        }
    }

    private func forget(_ view: LiveView) {
        state.withLock { if $0.views[view.id] === view { $0.views[view.id] = nil } }
    }

    private func end(_ view: LiveView, _ reason: ScreenViewEnd) {
        forget(view)
        view.end(reason)
    }

    /// Ends those that `isMeant` names.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    func end(_ reason: ScreenViewEnd, where isMeant: (LiveView) -> Bool) -> Bool {
        let ending = state.withLock { $0.views.values.filter(isMeant) }
        for view in ending { end(view, reason) }
        return !ending.isEmpty
    }

    /// A frame as the method whose binary form it is. Nil for what only a computer says, and for what is none.
    func request(_ bytes: [UInt8]) -> FrameRequest? {
        guard let frame = ScreenFrame(bytes), case .shown(let wantsAll) = frame.content else { return nil }
        return FrameRequest(
            ScreenMethods.shown.declaration,
            cost: 0,
            run: { [weak self] caller in
                guard let self else { return nil }
                if let view = state.withLock({ $0.views[frame.view] }), view.device == caller.id {
                    view.shown(frame.picture, wantsAll: wantsAll)
                    return nil
                }
                return FrameAnswer(ScreenFrame(frame.view, picture: 0, .ended(.unknownView)).bytes, needing: .display)
            },
            refusal: { failure in
                guard failure.code == FailureCode.notAllowed else { return nil }
                return ScreenFrame(frame.view, picture: 0, .ended(.notAllowed)).bytes
            }
        )
    }

    /// Ends the views of phones that say nothing any more, as long as there are any.
    private func watch() {
        let begins = state.withLock { state in
            defer { state.isWatching = true }
            return !state.isWatching
        }
        guard begins else { return }
        tasks.add { [self] in
            while await time.pause(for: Self.lookInterval) {
                let oldest = time.now - Self.silence
                end(.silence) { $0.heardAt < oldest }
                let goesOn = state.withLock { state in
                    state.isWatching = !state.views.isEmpty
                    return state.isWatching
                }
                guard goesOn else { return }
            }
        }
    }

    func close() async {
        end(.closed) { _ in true }
        await tasks.end()
    }
}
