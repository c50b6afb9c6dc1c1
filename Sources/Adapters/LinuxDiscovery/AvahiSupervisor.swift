import Dispatch
import Kernel
import Transport

/// Keeps a session with avahi-daemon, opening another one when one ends.
struct AvahiSupervisor: Sendable {
    let time: any TimeSource

    /// Runs until the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - role: Makes what each session is for; given what to call when the session cannot go on.
    ///   - report: Told why there is no session at the moment.
    func run(
        role: @escaping @Sendable (_ fail: @escaping @Sendable (DiscoveryError) -> Void) -> any AvahiRole,
        report: @Sendable (DiscoveryError) -> Void
    ) async {
        // Opening and closing wait for the bus and for a thread: not on the threads that run tasks.
        let queue = DispatchQueue(label: "tandem.discovery")
        var backoff = Backoff(steps: [.seconds(1), .seconds(2), .seconds(5), .seconds(15), .seconds(30)])
        while !Task.isCancelled {
            let (failures, reader) = AsyncStream.makeStream(
                of: DiscoveryError.self,
                bufferingPolicy: .bufferingOldest(1)
            )
            let opening: Result<AvahiSession, DiscoveryError> = await withCheckedContinuation { continuation in
                queue.async {
                    let session = AvahiSession(role: role { reader.yield($0) }, fail: { reader.yield($0) })
                    do throws(DiscoveryError) {
                        try session.open()
                        continuation.resume(returning: .success(session))
                    } catch {
                        session.close()
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
            switch opening {
            case .success(let session):
                backoff.reset()
                let failure = await failures.first { _ in true }
                await withCheckedContinuation { continuation in
                    queue.async {
                        session.close()
                        continuation.resume()
                    }
                }
                if let failure { report(failure) }
            case .failure(let error):
                report(error)
            }
            // The sleep ends early only by cancellation, and then the loop ends.
            try? await time.sleep(for: backoff.next())
        }
    }
}
