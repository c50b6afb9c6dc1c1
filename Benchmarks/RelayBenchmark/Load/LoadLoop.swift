import CBenchmarkIO
import Glibc

/// Serves many clients on this thread.
final class LoadLoop {
    private let poller: Int32
    private var clients: [Client] = []
    private var wantsWrite: [Bool] = []
    private var events = [benchmark_event](repeating: benchmark_event(), count: 256)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    private(set) var ended = 0

    init() throws {
        poller = benchmark_poller()
        guard poller >= 0 else { throw Client.failure("epoll_create1") }
    }

    deinit {
        close(poller)
        buffer.deallocate()
    }

    /// Serves one more client.
    ///
    /// - Returns: Its number here.
    func add(_ client: Client) throws -> Int {
        clients.append(client)
        wantsWrite.append(false)
        guard benchmark_watch(poller, client.socket, UInt64(clients.count - 1), 0, 1) == 0 else {
            throw Client.failure("epoll_ctl")
        }
        return clients.count - 1
    }

    /// Stops reading this client.
    func stall(_ number: Int) { _ = benchmark_unwatch(poller, clients[number].socket) }

    func send(_ number: Int, frames: Int) throws {
        try clients[number].send(frames: frames)
        try updateInterest(number)
    }

    func giveUp(_ number: Int) { clients[number].giveUp() }

    func isBehind(_ number: Int) -> Bool { clients[number].owed > 0 }

    private func updateInterest(_ number: Int) throws {
        let isBehind = clients[number].owed > 0
        guard isBehind != wantsWrite[number] else { return }
        wantsWrite[number] = isBehind
        guard benchmark_watch(poller, clients[number].socket, UInt64(number), isBehind ? 1 : 0, 0) == 0 else {
            throw Client.failure("epoll_ctl")
        }
    }

    /// Handles what is there, waiting for it at most that long.
    ///
    /// - Parameter arrived: Gets the number of a client and how many messages it was sent.
    @inline(__always)
    func turn(waitingMilliseconds: Int32, arrived: (_ client: Int, _ messages: Int) throws -> Void) throws {
        let count = events.withUnsafeMutableBufferPointer {
            benchmark_wait(poller, $0.baseAddress, Int32($0.count), waitingMilliseconds)
        }
        guard count >= 0 else { throw Client.failure("epoll_wait") }
        for index in 0..<Int(count) {
            let event = events[index]
            let number = Int(event.token)
            let client = clients[number]
            if event.can_read != 0 {
                guard let messages = try client.receive(into: buffer) else {
                    ended += 1
                    _ = benchmark_unwatch(poller, client.socket)
                    continue
                }
                if messages > 0 { try arrived(number, messages) }
            }
            if event.can_write != 0 {
                try client.flush()
                try updateInterest(number)
            }
        }
    }
}
