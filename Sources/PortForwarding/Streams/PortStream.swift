import DequeModule
package import Kernel
import Synchronization

/// One forwarded connection at either end: puts what arrives in order, keeps to the window that the other end gave, and gives as much as the local end
/// takes. So neither end keeps more than ``PortLimits/window`` of it in each direction.
package final class PortStream: Sendable {
    /// Sends a frame of this connection to the other end; waits while the session is full.
    package typealias Send = @Sendable (PortFrame) async throws -> Void

    /// How far the opening came.
    package enum Opening: Hashable, Sendable {
        case waiting
        case opened
        case refused(code: Int, reason: String)
    }

    /// What went through, for people.
    package struct Counts: Hashable, Sendable {
        /// Bytes that arrived from the other end.
        package var arrived: Int64 = 0
        /// Bytes that were sent there.
        package var sent: Int64 = 0
    }

    /// How it was cut.
    package struct Cut: Hashable, Sendable {
        package var reason: PortReset
        /// This end cut it, so that the other one has to be told.
        package var isOwn: Bool
    }

    private struct State {
        // What arrives.
        /// Pieces behind one that is missing, by their offsets.
        var early: [Int64: [UInt8]] = [:]
        /// The bytes in them.
        var earlyBytes = 0
        var ready: Deque<[UInt8]> = []
        /// Everything before this has arrived.
        var arrived: Int64 = 0
        /// Where the other end's bytes end.
        var end: Int64?
        /// What the local end has taken.
        var written: Int64 = 0
        /// How far the other end may send.
        var granted = Int64(PortLimits.window)

        // What leaves.
        var sent: Int64 = 0
        /// How far this end may send.
        var credit: Int64 = 0

        var opening = Opening.waiting
        var cut: Cut?
        var touched: ContinuousClock.Instant
        /// The local end, while it runs.
        var local: (any PortEnd)?

        /// Puts a piece behind those that are ready. Crumbs are put together: each would cost more than its bytes.
        mutating func append(_ piece: [UInt8]) {
            arrived += Int64(piece.count)
            if let last = ready.indices.last, ready[last].count + piece.count <= PortLimits.frameBytes {
                ready[last] += piece
            } else {
                ready.append(piece)
            }
        }
    }

    package let id: PortStreamID
    /// The computer's port.
    package let port: Int
    private let time: any TimeSource
    private let state: Mutex<State>
    private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let (credits, credit) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let openings = LatestValue(Opening.waiting)

    package init(_ id: PortStreamID, port: Int, time: any TimeSource = .system) {
        self.id = id
        self.port = port
        self.time = time
        state = Mutex(State(touched: time.now))
    }

    package var counts: Counts { state.withLock { Counts(arrived: $0.arrived, sent: $0.sent) } }

    /// When something came or went last.
    package var touchedAt: ContinuousClock.Instant { state.withLock(\.touched) }

    /// The bytes that are kept here because the local end has not taken them.
    package var waitingBytes: Int {
        state.withLock { Int($0.arrived - $0.written) + $0.earlyBytes }
    }

    // MARK: The other end

    /// The other end lets this one send up to `offset`, from the first time on.
    package func open(upTo offset: Int64) {
        state.withLock { state in
            state.credit = max(state.credit, offset)
            state.opening = .opened
        }
        openings.set(.opened)
        credit.yield()
    }

    /// The frame by which this end tells that it still has the connection: what it let the other end send before.
    package var holding: PortFrame { PortFrame(id, offset: state.withLock(\.granted), .window) }

    /// Takes a frame of this connection. Returns at once.
    package func take(_ frame: PortFrame) {
        state.withLock { $0.touched = time.now }
        switch frame.content {
        case .opened: open(upTo: frame.offset)
        case .data(let data): take(data, at: frame.offset)
        case .end:
            let isFine = state.withLock { state in
                guard state.end ?? frame.offset == frame.offset, frame.offset <= state.granted,
                    frame.offset >= state.arrived
                else { return false }
                state.end = frame.offset
                return true
            }
            settle(isFine)
        case .window:
            state.withLock { $0.credit = max($0.credit, frame.offset) }
            credit.yield()
        case .reset(let reason): end(reason, isOwn: false)
        case .refused(let code, let reason):
            openings.set(.refused(code: code, reason: reason))
            end(.closed, isOwn: false)
        case .open: end(.badFrame)
        }
    }

    private func take(_ data: ArraySlice<UInt8>, at offset: Int64) {
        let isFine = state.withLock { state in
            // A repeat, or something behind the window or the end, is never sent: the numbers of the session see to that.
            guard offset >= state.arrived, state.early[offset] == nil, offset + Int64(data.count) <= state.granted,
                state.end.map({ offset + Int64(data.count) <= $0 }) ?? true,
                // Pieces that do not overlap fit between what has arrived and what may be sent.
                Int64(state.earlyBytes + data.count) <= state.granted - state.arrived
            else { return false }
            guard offset > state.arrived else {
                state.append(Array(data))
                while let next = state.early.removeValue(forKey: state.arrived) {
                    state.earlyBytes -= next.count
                    state.append(next)
                }
                return true
            }
            guard state.early.count < PortLimits.earlyPieces else { return false }
            state.early[offset] = Array(data)
            state.earlyBytes += data.count
            return true
        }
        settle(isFine)
    }

    private func settle(_ isFine: Bool) {
        guard isFine else { return end(.badFrame) }
        arrival.yield()
    }

    /// Ends it at once in both directions.
    ///
    /// - Parameter isOwn: Whether this end cuts it, so that the other one has to be told.
    package func end(_ reason: PortReset, isOwn: Bool = true) {
        let local = state.withLock { state -> (any PortEnd)? in
            if state.cut == nil { state.cut = Cut(reason: reason, isOwn: isOwn) }
            return state.local
        }
        local?.close(broken: true)
        openings.update { if $0 == .waiting { $0 = .refused(code: 0, reason: reason.sentence) } }
        arrival.finish()
        credit.finish()
    }

    /// How the opening went, once that is known.
    package func opened() async -> Opening {
        for await opening in openings.values() where opening != .waiting { return opening }
        return .refused(code: 0, reason: PortReset.closed.sentence)
    }

    // MARK: The local end

    /// Moves bytes until both directions have ended or it is cut, which a cancelled task does. Closes the local end.
    ///
    /// - Returns: How it was cut, for the caller to tell the other end; nil for an orderly end.
    package func run(_ local: any PortEnd, send: @escaping Send) async -> Cut? {
        state.withLock { $0.local = local }
        // Cut before it began.
        if state.withLock({ $0.cut != nil }) { local.close(broken: true) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.guarding { try await self.write(to: local, send) } }
            group.addTask { await self.guarding { try await self.read(from: local, send) } }
        }
        let cut = state.withLock { state in
            state.local = nil
            return state.cut
        }
        local.close(broken: cut != nil)
        return cut
    }

    /// Cuts the connection where one direction breaks, and where the task is cancelled.
    private func guarding(_ body: @Sendable () async throws -> Void) async {
        await withTaskCancellationHandler {
            do { try await body() } catch { end(.closed) }
        } onCancel: {
            end(.closed)
        }
    }

    private func write(to local: any PortEnd, _ send: Send) async throws {
        var isOver = false
        while !isOver {
            while let piece = state.withLock({ $0.ready.popFirst() }) {
                try await local.write(piece)
                let grant = state.withLock { state -> Int64? in
                    state.written += Int64(piece.count)
                    state.touched = time.now
                    let wanted = state.written + Int64(PortLimits.window)
                    // Told in steps: a frame for each piece would double their number.
                    guard wanted - state.granted >= Int64(PortLimits.window / 4), state.end == nil else { return nil }
                    state.granted = wanted
                    return wanted
                }
                if let grant { try await send(PortFrame(id, offset: grant, .window)) }
            }
            isOver = state.withLock { $0.end == $0.written }
            if isOver { break }
            guard await next(arrivals) else { throw PortError.ended(.closed) }
        }
        try await local.finish()
    }

    private func read(from local: any PortEnd, _ send: Send) async throws {
        while let bytes = try await local.read() {
            var rest = bytes[...]
            while !rest.isEmpty {
                let (room, offset) = state.withLock { ($0.credit - $0.sent, $0.sent) }
                guard room > 0 else {
                    guard await next(credits) else { throw PortError.ended(.closed) }
                    continue
                }
                let piece = rest.prefix(min(PortLimits.frameBytes, Int(room)))
                rest = rest.dropFirst(piece.count)
                state.withLock { state in
                    state.sent += Int64(piece.count)
                    state.touched = time.now
                }
                try await send(PortFrame(id, offset: offset, .data(piece)))
            }
        }
        try await send(PortFrame(id, offset: state.withLock(\.sent), .end))
    }

    /// Waits for the next change.
    ///
    /// - Returns: False once the connection is cut.
    private func next(_ changes: AsyncStream<Void>) async -> Bool {
        for await _ in changes { return true }
        return false
    }
}
