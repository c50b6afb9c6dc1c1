import CVipsShim
import Kernel

/// Where libvips works: it keeps one error text for the whole process, so this queue is the process's too; and one large
/// picture in memory at a time is enough.
package enum PictureQueue {
    private static let work = BlockingWork("tandem.pictures", width: 1, urgency: .bulk)

    /// Runs `work`, which may call the shim, where blocking holds up no other task.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            Self.work.perform(for: WorkOwner.device) {
                defer { cvips_end_thread() }
                do throws(Failure) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Why the last call failed. Only inside ``run(_:)``.
    package static func takeError() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            guard let start = text.baseAddress else { return "" }
            cvips_take_error(start, text.count)
            return String(cString: start)
        }
    }
}
