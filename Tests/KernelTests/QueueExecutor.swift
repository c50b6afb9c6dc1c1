import Dispatch

/// Runs tasks one after the other, in the order in which they became ready.
final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "tandem.tests.tasks")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
