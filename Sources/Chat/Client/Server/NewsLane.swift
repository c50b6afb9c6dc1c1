import DequeModule
import Synchronization

/// What a hub pushed and the repository has not taken yet, in order: bounded, for one writer and one reader. Where it is full the writer waits, so
/// that the socket is not read and the hub waits, too.
final class NewsLane: Sendable {
    private struct State {
        var waiting: Deque<(news: ChatServerNews, bytes: Int)> = []
        var bytes = 0
        var isFinished = false
        var reader: CheckedContinuation<Void, Never>?
        var writer: CheckedContinuation<Void, Never>?
    }

    private let countLimit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - countLimit: News that wait at most; the one that goes over it is taken still.
    ///   - byteLimit: The same in bytes of their frames.
    init(countLimit: Int = 64, byteLimit: Int = 4 << 20) {
        self.countLimit = max(1, countLimit)
        self.byteLimit = max(1, byteLimit)
    }

    private func isFull(_ state: State) -> Bool { state.waiting.count >= countLimit || state.bytes >= byteLimit }

    /// Takes one thing, at once.
    ///
    /// - Parameter bytes: Of the frame that it came in.
    /// - Returns: Whether there is room for another; if not, ``room()`` waits for it.
    func put(_ news: ChatServerNews, bytes: Int) -> Bool {
        let (reader, hasRoom) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !state.isFinished else { return (nil, true) }
            state.waiting.append((news, bytes))
            state.bytes += bytes
            defer { state.reader = nil }
            return (state.reader, !isFull(state))
        }
        reader?.resume()
        return hasRoom
    }

    /// Returns when there is room, or the lane has ended.
    func room() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isFinished || !isFull(state) { return true }
                state.writer = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// The next thing; nil once the lane has ended and everything in it was taken.
    func next() async -> ChatServerNews? {
        while true {
            let (first, writer, isFinished) = state.withLock { state in
                guard let first = state.waiting.popFirst() else {
                    return (ChatServerNews?.none, CheckedContinuation<Void, Never>?.none, state.isFinished)
                }
                state.bytes -= first.bytes
                // At a half, so that the two do not wake each other for every single thing.
                let hasRoom = state.waiting.count <= countLimit / 2 && state.bytes <= byteLimit / 2
                defer { if hasRoom { state.writer = nil } }
                return (first.news, hasRoom ? state.writer : nil, false)
            }
            writer?.resume()
            if let first { return first }
            if isFinished { return nil }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.isFinished || !state.waiting.isEmpty { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// Nothing more comes.
    ///
    /// - Parameter dropping: Whether what waits is thrown away, too.
    func finish(dropping: Bool = false) {
        let (reader, writer) = state.withLock { state in
            state.isFinished = true
            if dropping {
                state.waiting = []
                state.bytes = 0
            }
            defer { (state.reader, state.writer) = (nil, nil) }
            return (state.reader, state.writer)
        }
        reader?.resume()
        writer?.resume()
    }
}
