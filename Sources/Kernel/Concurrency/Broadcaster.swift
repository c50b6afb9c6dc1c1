public import Synchronization

/// Hands every event to every reader. Each reader has its own bounded buffer: one that falls behind
/// loses its own oldest events and no other reader's, so this carries progress and state. What must not be
/// lost is written to a store first and announced here.
public final class Broadcaster<Element: Sendable>: Sendable {
    @usableFromInline
    enum Reader {
        case stream(AsyncStream<Element>.Continuation, wants: (@Sendable (Element) -> Bool)?)
        case observer(@Sendable (Element) -> Void)
    }

    @usableFromInline
    struct State {
        @usableFromInline var readers: [UInt64: Reader] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
    }

    @usableFromInline let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: Events kept for a reader that is not reading, at least 1.
    public init(capacity: Int = 256) {
        self.capacity = max(1, capacity)
    }

    /// Events from now on. The stream ends when ``finish()`` is called or its reader is cancelled.
    ///
    /// - Parameter wants: Leaves out what the reader would only throw away, so that it is not woken for it. Called by the sender.
    public func subscribe(where wants: (@Sendable (Element) -> Bool)? = nil) -> AsyncStream<Element> {
        let (stream, reader) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
        let id: UInt64? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = .stream(reader, wants: wants)
            return state.nextReader
        }
        guard let id else {
            reader.finish()
            return stream
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Compiled into the caller's module, since a frame passes several of these: without knowing its type each costs a microsecond.
    @inlinable
    public func send(_ element: Element) {
        // Yielding outside the lock: a reader's termination handler takes it too.
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers {
            switch reader {
            case .stream(let stream, let wants): if wants?(element) ?? true { stream.yield(element) }
            case .observer(let take): take(element)
            }
        }
    }

    /// Hands events over in the sender's turn, instead of waking a reader for each.
    ///
    /// - Parameter take: Returns at once: it holds up the sender and every other reader.
    /// - Returns: Ends it. An event that is being sent meanwhile may still come.
    public func observe(_ take: @escaping @Sendable (Element) -> Void) -> @Sendable () -> Void {
        let id: UInt64? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = .observer(take)
            return state.nextReader
        }
        return { [weak self] in
            guard let id else { return }
            // Let go outside the lock, since it may be the last to hold something.
            _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
        }
    }

    /// Ends every reader's stream, and every later one at once.
    public func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for case .stream(let stream, _) in readers { stream.finish() }
    }
}
