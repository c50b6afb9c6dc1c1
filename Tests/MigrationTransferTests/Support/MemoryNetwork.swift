import MigrationTransfer
import Synchronization

/// Links between two phones in one process, with faults at the places that a test names.
final class MemoryNetwork: Sendable {
    enum Fault: Hashable, Sendable {
        case none
        /// The body is lost, and the link with it.
        case cutBefore
        /// The body arrives, and the link breaks behind it.
        case cutAfter
        /// One bit of the body is flipped.
        case flip
        /// Nothing arrives any more in this direction, and nobody is told.
        case swallow
    }

    /// One body on its way.
    struct Passage: Sendable {
        /// Counts the network's links from 0.
        var link: Int
        var isFromDialer: Bool
        /// Counts all bodies of the network, in both directions, from 0.
        var number: Int
        var bytes: Int
    }

    private struct State {
        var linkCount = 0
        var bodyCount = 0
        var isPulled = false
        var open: [MemoryLink] = []
        var waiting: [MemoryLink] = []
        var waiter: CheckedContinuation<MemoryLink?, Never>?
    }

    private let state = Mutex(State())
    private let fault: @Sendable (Passage) -> Fault

    init(fault: @escaping @Sendable (Passage) -> Fault = { _ in .none }) { self.fault = fault }

    var linkCount: Int { state.withLock(\.linkCount) }
    var bodyCount: Int { state.withLock(\.bodyCount) }
    var dialer: any MigrationLinks { MemoryDialer(network: self) }
    var acceptor: any MigrationLinks { MemoryAcceptor(network: self) }

    /// Breaks every link, and lets none be made until ``plug()``.
    func pull() {
        let links = state.withLock { state in
            state.isPulled = true
            defer { (state.open, state.waiting) = ([], []) }
            return state.open + state.waiting
        }
        for link in links { link.close() }
    }

    func plug() { state.withLock { $0.isPulled = false } }

    fileprivate func dial() throws -> MemoryLink {
        let (dialing, accepting, waiter) = try state.withLock { state in
            guard !state.isPulled else { throw MigrationTransferError.linkLost }
            let number = state.linkCount
            state.linkCount += 1
            let (dialing, accepting) = MemoryLink.pair { [weak self] isFromDialer, bytes in
                self?.judge(Passage(link: number, isFromDialer: isFromDialer, number: 0, bytes: bytes)) ?? .cutBefore
            }
            state.open = state.open.suffix(8) + [dialing, accepting]
            defer { state.waiter = nil }
            if state.waiter == nil { state.waiting.append(accepting) }
            return (dialing, accepting, state.waiter)
        }
        waiter?.resume(returning: accepting)
        return dialing
    }

    fileprivate func accept() async throws -> MemoryLink {
        let link = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (isReady, link) = state.withLock { state -> (Bool, MemoryLink?) in
                    if !state.waiting.isEmpty { return (true, state.waiting.removeFirst()) }
                    guard !Task.isCancelled else { return (true, nil) }
                    state.waiter = waiter
                    return (false, nil)
                }
                if isReady { waiter.resume(returning: link) }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(returning: nil)
        }
        guard let link, !Task.isCancelled else {
            link?.close()
            throw CancellationError()
        }
        return link
    }

    private func judge(_ passage: Passage) -> Fault {
        var numbered = passage
        numbered.number = state.withLock { state in
            defer { state.bodyCount += 1 }
            return state.bodyCount
        }
        return fault(numbered)
    }
}

private struct MemoryDialer: MigrationLinks {
    let network: MemoryNetwork
    var dials: Bool { true }
    func next() async throws -> any MigrationLink {
        await Task.yield()
        return try network.dial()
    }
}

private struct MemoryAcceptor: MigrationLinks {
    let network: MemoryNetwork
    var dials: Bool { false }
    func next() async throws -> any MigrationLink { try await network.accept() }
}
