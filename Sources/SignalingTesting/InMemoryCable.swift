import KernelTesting
import Synchronization
public import Transport

/// The connection between the two ends of an in-memory link. Frames pass at once, unless a fault or ``hold()`` keeps them.
/// Deterministic for a seed and an order of sending.
public final class InMemoryCable: Sendable {
    /// One of the pair's two links.
    public enum End: Hashable, Sendable {
        case first, second

        /// The link at the far end.
        public var other: End { self == .first ? .second : .first }
    }

    private struct State {
        var faults = LinkFaults.none
        var generator: SeededGenerator
        var isCut = false
        var isSilent = false
        var isHolding = false
        var held: [(frame: LinkFrame, to: End)] = []
        var late: [End: LinkFrame] = [:]
        var sentCount: [End: Int] = [:]
        var tap: (@Sendable (LinkFrame, End) -> Void)?
    }

    /// The number of frames that wait for a reader; more than any test sends without reading.
    private static let capacity = 8192

    private let state: Mutex<State>
    private let streams: [End: (AsyncStream<LinkFrame>, AsyncStream<LinkFrame>.Continuation)]

    init(seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
        var streams: [End: (AsyncStream<LinkFrame>, AsyncStream<LinkFrame>.Continuation)] = [:]
        for end in [End.first, .second] {
            streams[end] = AsyncStream.makeStream(
                of: LinkFrame.self,
                bufferingPolicy: .bufferingOldest(Self.capacity)
            )
        }
        self.streams = streams
    }

    /// The faults for frames that either end sends from now on.
    public var faults: LinkFaults {
        get { state.withLock(\.faults) }
        set { state.withLock { $0.faults = newValue } }
    }

    /// Whether every frame is lost without either end noticing.
    public var isSilent: Bool {
        get { state.withLock(\.isSilent) }
        set { state.withLock { $0.isSilent = newValue } }
    }

    /// Whether ``cut()`` was called, or an end closed its link.
    public var isCut: Bool { state.withLock(\.isCut) }

    /// The number of frames that an end sent so far, delivered or not.
    public func sentCount(from end: End) -> Int { state.withLock { $0.sentCount[end] ?? 0 } }

    /// Sets a function that sees every frame as it is sent.
    public func setTap(_ tap: @escaping @Sendable (LinkFrame, End) -> Void) {
        state.withLock { $0.tap = tap }
    }

    /// Holds frames from now on until ``release(_:)``.
    public func hold() { state.withLock { $0.isHolding = true } }

    /// Lets the next `count` held frames through, all of them and all later ones when nil.
    public func release(_ count: Int? = nil) {
        let frames = state.withLock { state in
            let released = Array(state.held.prefix(count ?? state.held.count))
            state.held.removeFirst(released.count)
            if count == nil { state.isHolding = false }
            return released
        }
        for (frame, end) in frames { streams[end]?.1.yield(frame) }
    }

    /// The number of held frames.
    public var heldCount: Int { state.withLock { $0.held.count } }

    /// Puts a frame in as if the other end had sent it: a repeat, or a forgery.
    public func inject(_ frame: LinkFrame, to end: End) { streams[end]?.1.yield(frame) }

    /// Cuts the link for both ends.
    public func cut() {
        state.withLock { $0.isCut = true }
        for (_, continuation) in streams.values { continuation.finish() }
    }

    func frames(at end: End) -> AsyncStream<LinkFrame> {
        guard let stream = streams[end]?.0 else { return AsyncStream { $0.finish() } }
        return stream
    }

    func send(_ frame: LinkFrame, from end: End) throws {
        let target = end.other
        let (passing, tap) = try state.withLock { state -> ([LinkFrame], (@Sendable (LinkFrame, End) -> Void)?) in
            guard !state.isCut else { throw SessionError.linkDown }
            state.sentCount[end, default: 0] += 1
            return (Self.pass(frame, to: target, &state), state.tap)
        }
        tap?(frame, end)
        for frame in passing { streams[target]?.1.yield(frame) }
    }

    private static func pass(_ frame: LinkFrame, to target: End, _ state: inout State) -> [LinkFrame] {
        let faults = state.faults
        guard !state.isSilent, !state.generator.chance(faults.drop) else { return [] }
        var frames = [frame]
        if state.generator.chance(faults.duplicate) { frames.append(frame) }
        if let late = state.late.removeValue(forKey: target) {
            frames.append(late)
        } else if state.generator.chance(faults.reorder) {
            state.late[target] = frames.removeLast()
        }
        guard !state.isHolding else {
            state.held += frames.map { ($0, target) }
            return []
        }
        return frames
    }
}
