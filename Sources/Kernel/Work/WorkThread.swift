import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread of the system's, beside those that tasks share.
enum WorkThread {
    fileprivate final class Start: Sendable {
        let name: String
        let urgency: BlockingWork.Urgency
        let body: @Sendable () -> Void

        init(name: String, urgency: BlockingWork.Urgency, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.urgency = urgency
            self.body = body
        }

        func run() {
            // Both only help; a thread without them does the same.
            Thread.current.name = name
            #if canImport(Darwin)
                if urgency == .bulk { pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0) }
            #else
                // Linux gives each thread a niceness of its own.
                if urgency == .bulk { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
            #endif
            body()
        }
    }

    /// - Returns: False where the system gives no thread.
    static func start(_ name: String, urgency: BlockingWork.Urgency, _ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(name: name, urgency: urgency, body: body))
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else {
            start.release()
            return false
        }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            var thread: pthread_t?
            let result = pthread_create(&thread, &attributes, { runWorkThread($0) }, start.toOpaque())
        #else
            var thread = pthread_t()
            let result = pthread_create(&thread, &attributes, { runWorkThread($0) }, start.toOpaque())
        #endif
        guard result == 0 else {
            start.release()
            return false
        }
        return true
    }
}

private func runWorkThread(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let start { Unmanaged<WorkThread.Start>.fromOpaque(start).takeRetainedValue().run() }
    return nil
}
