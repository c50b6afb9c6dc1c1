import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connected TCP socket whose calls block. For threads of ``BlockingWork``, never for tasks.
///
/// The number is closed when nobody holds the socket any more, so no call can meet a number that the system gave away meanwhile; ``end()``
/// only shuts the connection down, which wakes every call that blocks on it.
package final class BulkSocket: Sendable {
    private let number: Int32
    private let isEnded = Mutex(false)
    private let progress = Mutex(Progress())

    /// What is known of whether the connection stands still.
    private struct Progress {
        var patience = BulkLimits.stallTime
        /// When anything moved last, in either direction.
        var movedAt = ContinuousClock.now
        /// The bytes that were on their way to the peer when a call looked last; nil before the first look.
        var unsent: Int32?
    }

    /// How often in its patience a call that waits looks whether anything moves: a connection that stands still is given up at most this part
    /// of its patience late.
    private static let looks = 5

    /// Takes over a connected socket, whose calls wait for at most ``BulkLimits/stallTime`` while nothing moves from now on.
    package init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let flags = fcntl(number, F_GETFL)
        if flags >= 0 { _ = fcntl(number, F_SETFL, flags & ~O_NONBLOCK) }
        // Without delay: a short record, such as the last, would wait for an acknowledgement.
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
            setOption(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
        setPatience(BulkLimits.stallTime)
    }

    deinit { close(number) }

    /// Connects to a numeric address. Blocks for at most `patience`.
    ///
    /// - Throws: ``BulkError/unreachable(reason:)``.
    package static func connect(
        to address: String,
        port: UInt16,
        patience: Duration = BulkLimits.dialTime
    ) throws(BulkError) -> BulkSocket {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let place = found?.pointee else {
            throw .unreachable(reason: "its address is no address")
        }
        defer { freeaddrinfo(found) }
        let number = socket(place.ai_family, place.ai_socktype, place.ai_protocol)
        guard number >= 0 else { throw .unreachable(reason: String(cString: strerror(errno))) }
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        let failure = connect(number, place, patience)
        guard failure == 0 else {
            close(number)
            throw .unreachable(reason: String(cString: strerror(failure)))
        }
        return BulkSocket(number)
    }

    /// - Returns: 0, or the reason as an `errno`.
    private static func connect(_ number: Int32, _ place: addrinfo, _ patience: Duration) -> Int32 {
        #if canImport(Glibc)
            let result = Glibc.connect(number, place.ai_addr, place.ai_addrlen)
        #else
            let result = Darwin.connect(number, place.ai_addr, place.ai_addrlen)
        #endif
        if result == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        let end = ContinuousClock.now + patience
        while true {
            let left = end - ContinuousClock.now
            guard left > .zero else { return ETIMEDOUT }
            var waited = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            let ready = poll(&waited, 1, Int32(clamping: Int(left / .milliseconds(1)) + 1))
            if ready < 0, errno == EINTR { continue }
            if ready == 0 { return ETIMEDOUT }
            if ready < 0 { return errno }
            var failure: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(number, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 else { return errno }
            return failure
        }
    }

    /// How long nothing may move in either direction while a call waits.
    package func setPatience(_ patience: Duration) {
        progress.withLock { $0.patience = patience }
        let (seconds, attoseconds) = (patience / Self.looks).components
        var limit = timeval()
        limit.tv_sec = .init(seconds)
        limit.tv_usec = .init(attoseconds / 1_000_000_000_000)
        setOption(SOL_SOCKET, SO_RCVTIMEO, limit)
        setOption(SOL_SOCKET, SO_SNDTIMEO, limit)
    }

    /// Reads exactly `count` bytes. Blocks.
    ///
    /// - Parameter limit: Ends the reading also of a peer that sends a byte now and then; nil where only standing still ends it.
    /// - Throws: ``BulkError/truncated``, ``BulkError/stalled``, ``BulkError/closed``.
    package func read(_ count: Int, within limit: Duration? = nil) throws(BulkError) -> [UInt8] {
        let end = limit.map { ContinuousClock.now + $0 }
        var failure: BulkError?
        // What the caller did meanwhile is nobody's standing still.
        noteMove()
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = recv(number, buffer.baseAddress.map { $0 + filled }, count - filled, 0)
                let error = errno
                if got < 0, error == EINTR { continue }
                if got < 0, Self.isWait(error), isMoving(), end.map({ ContinuousClock.now < $0 }) ?? true { continue }
                guard got > 0 else {
                    failure = reason(result: got, error)
                    return
                }
                filled += got
                noteMove()
                if let end, filled < count, ContinuousClock.now >= end {
                    failure = .stalled
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Hands all bytes to the system. Blocks.
    ///
    /// - Throws: ``BulkError/truncated``, ``BulkError/stalled``, ``BulkError/closed``.
    package func write(_ bytes: [UInt8]) throws(BulkError) {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var failure: BulkError?
        bytes.withUnsafeBytes { buffer in
            var written = 0
            noteMove()
            while written < buffer.count {
                let count = send(number, buffer.baseAddress.map { $0 + written }, buffer.count - written, flags)
                let error = errno
                if count < 0, error == EINTR { continue }
                if count < 0, Self.isWait(error), isMoving() { continue }
                guard count > 0 else {
                    failure = reason(result: count, error)
                    return
                }
                written += count
                noteMove()
            }
        }
        if let failure { throw failure }
    }

    /// Ends the connection; calls that block on it return at once. From any thread.
    package func end() {
        isEnded.withLock { $0 = true }
        _ = shutdown(number, Int32(SHUT_RDWR))
    }

    private func reason(result: Int, _ error: Int32) -> BulkError {
        if isEnded.withLock({ $0 }) { return .closed }
        return result < 0 && Self.isWait(error) ? .stalled : .truncated
    }

    private static func isWait(_ error: Int32) -> Bool { error == EAGAIN || error == EWOULDBLOCK }

    private func noteMove() { progress.withLock { $0.movedAt = .now } }

    /// A call waited in vain: whether the connection stands still for less than it may. On a slow link one direction stands still while the other
    /// works, and what was handed to the system long ago is still on its way.
    private func isMoving() -> Bool {
        if isEnded.withLock({ $0 }) { return false }
        var left: Int32 = 0
        #if canImport(Glibc)
            let isKnown = ioctl(number, UInt(TIOCOUTQ), &left) == 0
        #else
            var size = socklen_t(MemoryLayout<Int32>.size)
            let isKnown = getsockopt(number, SOL_SOCKET, SO_NWRITE, &left, &size) == 0
        #endif
        return progress.withLock { progress in
            if isKnown {
                if let before = progress.unsent, left < before { progress.movedAt = .now }
                progress.unsent = left
            }
            return ContinuousClock.now - progress.movedAt < progress.patience
        }
    }

    private func setOption<Value>(_ level: Int32, _ name: Int32, _ value: Value) {
        // Each only helps, or bounds a wait that the peer's own end bounds as well.
        withUnsafeBytes(of: value) { _ = setsockopt(number, level, name, $0.baseAddress, socklen_t($0.count)) }
    }
}
