import MigrationTransfer
import Synchronization

/// One end of a link in memory.
final class MemoryLink: MigrationLink {
    typealias Judge = @Sendable (_ isFromDialer: Bool, _ bytes: Int) -> MemoryNetwork.Fault

    /// One direction: from one end to the other.
    private final class Lane: Sendable {
        struct State {
            var bodies: [[UInt8]] = []
            var bytesHeard: UInt64 = 0
            var isClosed = false
            var isSwallowing = false
            var waiter: CheckedContinuation<[UInt8]?, Never>?
        }

        let state = Mutex(State())

        func put(_ body: [UInt8]) {
            let waiter = state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
                guard !state.isSwallowing, !state.isClosed else { return nil }
                state.bytesHeard += UInt64(body.count)
                defer { state.waiter = nil }
                if state.waiter == nil { state.bodies.append(body) }
                return state.waiter
            }
            waiter?.resume(returning: body)
        }

        /// What was put before still arrives.
        func close() {
            state.withLock { state in
                state.isClosed = true
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(returning: nil)
        }

        func take() async -> [UInt8]? {
            await withCheckedContinuation { waiter in
                let (isReady, body) = state.withLock { state -> (Bool, [UInt8]?) in
                    if !state.bodies.isEmpty { return (true, state.bodies.removeFirst()) }
                    guard !state.isClosed else { return (true, nil) }
                    state.waiter = waiter
                    return (false, nil)
                }
                if isReady { waiter.resume(returning: body) }
            }
        }
    }

    private let inward: Lane
    private let outward: Lane
    private let isDialer: Bool
    private let judge: Judge
    private let isClosed = Mutex(false)
    private let limit = Mutex(MigrationFrame.maximumBytesBeforeProof)

    private init(_ inward: Lane, _ outward: Lane, isDialer: Bool, judge: @escaping Judge) {
        self.inward = inward
        self.outward = outward
        self.isDialer = isDialer
        self.judge = judge
    }

    static func pair(judge: @escaping Judge) -> (dialing: MemoryLink, accepting: MemoryLink) {
        let (one, other) = (Lane(), Lane())
        return (
            MemoryLink(one, other, isDialer: true, judge: judge),
            MemoryLink(other, one, isDialer: false, judge: judge)
        )
    }

    var bytesHeard: UInt64 { inward.state.withLock(\.bytesHeard) }

    func allowBodies(ofBytes limit: Int) { self.limit.withLock { $0 = limit } }

    func send(_ body: [UInt8]) async throws(MigrationTransferError) {
        await Task.yield()
        guard !isClosed.withLock({ $0 }), !outward.state.withLock(\.isClosed) else { throw .linkLost }
        switch judge(isDialer, body.count) {
        case .none: outward.put(body)
        case .cutBefore:
            close()
            throw .linkLost
        case .cutAfter:
            outward.put(body)
            close()
        case .flip:
            var damaged = body
            damaged[damaged.count / 2] ^= 1
            outward.put(damaged)
        case .swallow: outward.state.withLock { $0.isSwallowing = true }
        }
    }

    func receive() async throws(MigrationTransferError) -> [UInt8]? {
        let body = await withTaskCancellationHandler {
            await inward.take()
        } onCancel: {
            close()
        }
        let limit = limit.withLock { $0 }
        if let body, body.count > limit { throw .messageTooLarge(bytes: body.count, limit: limit) }
        return body
    }

    func close() {
        isClosed.withLock { $0 = true }
        inward.close()
        outward.close()
    }
}
