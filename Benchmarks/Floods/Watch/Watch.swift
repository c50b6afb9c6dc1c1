import Foundation
import Synchronization

/// Does something again and again on a thread of its own, until it is stopped.
final class Watch: Sendable {
    private let isStopped = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(every seconds: Double, _ turn: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while !isStopped.load(ordering: .relaxed) {
                turn()
                usleep(UInt32(seconds * 1_000_000))
            }
            hasEnded.signal()
        }
    }

    /// Returns once the last turn is over.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        hasEnded.wait()
    }
}
