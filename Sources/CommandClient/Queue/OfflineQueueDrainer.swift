package import Kernel
package import Logging

/// Sends one computer's waiting commands whenever it comes within reach, and what is queued while it is.
package struct OfflineQueueDrainer: Sendable {
    private let queue: OfflineCommandQueue
    private let desktopID: String
    private let time: any TimeSource
    private let logger: Logger
    private let invoke: OfflineCommandQueue.Invoke

    package init(
        queue: OfflineCommandQueue,
        desktopID: String,
        time: any TimeSource = .system,
        logger: Logger,
        invoke: @escaping OfflineCommandQueue.Invoke
    ) {
        self.queue = queue
        self.desktopID = desktopID
        self.time = time
        self.logger = logger
        self.invoke = invoke
    }

    /// Works until the stream ends or the task is cancelled.
    ///
    /// - Parameter reachability: Whether a command would arrive now; each change from false to true starts a run.
    package func run<Reachability: AsyncSequence & Sendable>(reachability: Reachability) async
    where Reachability.Element == Bool, Reachability.Failure == Never {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isReachable = LatestValue(false)
        // Counts what ends the rest after a run that failed: that the computer came within reach, or that the rest is over.
        let beginnings = LatestValue(0)
        let events = queue.events()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await reachable in reachability {
                    let isEdge = reachable && !isReachable.value
                    isReachable.set(reachable)
                    guard isEdge else { continue }
                    beginnings.update { $0 += 1 }
                    waker.yield()
                }
                waker.finish()
            }
            group.addTask { [desktopID] in
                for await event in events {
                    if case .queued(let command) = event, command.desktopID == desktopID { waker.yield() }
                }
            }
            var backoff = Backoff(steps: [.seconds(5), .seconds(10), .seconds(30), .seconds(60)])
            var timer = DeadlineTimer()
            var failed: Int?
            for await _ in wakes where isReachable.value {
                let beginning = beginnings.value
                // Its rest is not over. Another command that is queued meanwhile waits behind the first.
                guard beginning != failed else { continue }
                timer.cancel()
                guard await isDone() else {
                    // The computer is there and did not do it: not at once again.
                    failed = beginning
                    timer.set(to: time.now + backoff.next(), on: time) { _ in
                        beginnings.update { $0 += 1 }
                        waker.yield()
                    }
                    continue
                }
                failed = nil
                backoff.reset()
            }
            timer.cancel()
            group.cancelAll()
        }
    }

    /// False when something waits that should be tried again later.
    private func isDone() async -> Bool {
        do {
            guard let result = try await queue.drain(for: desktopID, using: invoke) else { return true }
            if result.succeeded + result.failed > 0 {
                logger.notice(
                    "waiting commands sent",
                    metadata: ["succeeded": "\(result.succeeded)", "failed": "\(result.failed)"]
                )
            }
            return !result.isInterrupted
        } catch is CancellationError {
            return true
        } catch {
            logger.error("waiting commands not sent", metadata: ["reason": "\(error)"])
            return false
        }
    }
}
