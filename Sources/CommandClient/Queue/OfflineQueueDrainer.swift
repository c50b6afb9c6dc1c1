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
        let naps = OwnedTasks()
        let events = queue.events()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await reachable in reachability {
                    let isEdge = reachable && !isReachable.value
                    isReachable.set(reachable)
                    if isEdge { waker.yield() }
                }
                waker.finish()
            }
            group.addTask { [desktopID] in
                for await event in events {
                    if case .queued(let command) = event, command.desktopID == desktopID { waker.yield() }
                }
            }
            var backoff = Backoff(steps: [.seconds(5), .seconds(10), .seconds(30), .seconds(60)])
            for await _ in wakes where isReachable.value {
                guard await isDone() else {
                    // The computer is there and did not do it: not at once again.
                    let nap = backoff.next()
                    naps.add { [time] in
                        // Cancelled at the end, when no task listens any more.
                        try? await time.sleep(for: nap)
                        waker.yield()
                    }
                    continue
                }
                backoff.reset()
            }
            group.cancelAll()
        }
        await naps.end()
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
