import Kernel
import NIOCore
import NIOPosix
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's resolver. Its call blocks and cannot be ended, so it has threads of its own, and a bound on how many are stuck.
package final class SystemResolver: AddressResolver {
    /// Lookups under way at a time, also such as their caller gave up.
    static let largestCount = 16

    private let work = BlockingWork("tandem.names", width: SystemResolver.largestCount)
    private let running = Mutex(0)

    package init() {}

    package func addresses(of host: String) async throws(PushError) -> [String] {
        let mayBegin = running.withLock { running in
            guard running < Self.largestCount else { return false }
            running += 1
            return true
        }
        guard mayBegin else { throw .tooManyWaiting }
        let found = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: [String].self)
        work.perform { [self] in
            let addresses = Self.lookUp(host)
            running.withLock { $0 -= 1 }
            found.succeed(addresses)
        }
        do {
            return try await withTaskCancellationHandler {
                try await found.futureResult.get()
            } onCancel: {
                found.fail(CancellationError())
            }
        } catch {
            throw .cancelled
        }
    }

    private static func lookUp(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_flags = AI_ADDRCONFIG
        // One answer for each address instead of one for each kind of socket.
        #if canImport(Glibc)
            hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var entry = list
        while let current = entry, found.count < 64 {
            entry = current.pointee.ai_next
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(text.count)
            let code = getnameinfo(
                current.pointee.ai_addr,
                current.pointee.ai_addrlen,
                &text,
                length,
                nil,
                0,
                NI_NUMERICHOST
            )
            guard code == 0 else { continue }
            found.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        return found
    }
}
