import CLinux
import Dispatch
import Glibc
public import Logging
public import Transport

/// Hears of new and lost addresses from the kernel, by a netlink socket.
public struct LinuxNetworkWatch: NetworkWatch {
    private let logger: Logger

    public init(logger: Logger = Logger(label: "tandem.network")) {
        self.logger = logger
    }

    /// Where the kernel gives no such socket it tells nothing, and the log says so.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let descriptor = tandem_watch_addresses()
        guard descriptor >= 0 else {
            logger.notice(
                "changes of addresses are noticed late",
                metadata: ["reason": "\(String(cString: strerror(-descriptor)))"]
            )
            return stream
        }
        // Set up here and only cancelled later, which dispatch allows from any thread.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor,
            queue: DispatchQueue(label: "tandem.network")
        )
        source.setEventHandler { [logger] in
            switch tandem_addresses_changed(descriptor) {
            case 0: break
            case 1...: continuation.yield()
            case let code:
                logger.notice(
                    "changes of addresses are noticed late",
                    metadata: ["reason": "\(String(cString: strerror(-code)))"]
                )
                source.cancel()
            }
        }
        source.setCancelHandler { close(descriptor) }
        continuation.onTermination = { _ in source.cancel() }
        source.resume()
        return stream
    }
}
