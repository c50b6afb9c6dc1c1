import Dispatch
import Foundation
import Synchronization

/// The reading half of a connection whose writing half has ended. An event loop takes a socket that both sides have ended for a broken one, and drops
/// what was not read of it; so from there on it is read without the loop, by its own descriptor.
final class ReadingHalf: Sendable {
    private static let queue = DispatchQueue(label: "tandem.ports")

    private let descriptor: Int32
    private let isClosed = Mutex(false)

    /// - Parameter socket: Stays its owner's, and may be closed.
    init(of socket: Int32) throws {
        descriptor = dup(socket)
        guard descriptor >= 0 else { throw PortError.ended(.closed) }
    }

    deinit { _ = Foundation.close(descriptor) }

    /// Says that nothing more is written.
    func endWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// One reader at a time.
    ///
    /// - Returns: Nil at the peer's end.
    func read() async throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: PortLimits.frameBytes)
        while true {
            guard !isClosed.withLock(\.self) else { throw PortError.ended(.closed) }
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 { return nil }
            switch errno {
            case EINTR: continue
            case EAGAIN: await readable()
            default: throw PortError.ended(.closed)
            }
        }
    }

    /// Wakes the reader. The descriptor itself is closed when nobody has this any more, so that no other file gets its number meanwhile.
    ///
    /// - Parameter broken: Whether the peer shall see that it was cut.
    func close(broken: Bool) {
        isClosed.withLock { $0 = true }
        if broken {
            var linger = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        }
        _ = shutdown(descriptor, Int32(SHUT_RD))
    }

    private func readable() async {
        // Only the closures below use it, one after the other.
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        await withCheckedContinuation { continuation in
            source.setEventHandler { source.cancel() }
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }
}
