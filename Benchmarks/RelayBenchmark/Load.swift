import Foundation
import NIOCore
import NIOPosix

/// Pairs of clients with so many frames in flight each, against one server.
struct Load {
    let port: Int
    let loop: any EventLoop

    /// Opens and registers clients, a few hundred at a time.
    func connect(_ ids: [String]) async throws -> [LoadConnection] {
        var connections: [LoadConnection] = []
        for batch in stride(from: 0, to: ids.count, by: 250).map({ ids[$0..<min($0 + 250, ids.count)] }) {
            let made = batch.map { LoadConnection(id: $0, ready: loop.makePromise()) }
            let opened = made.map { connection in
                ClientBootstrap(group: loop)
                    .channelOption(.socketOption(.tcp_nodelay), value: 1)
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 * 1024))
                    .channelInitializer { $0.pipeline.addHandler(connection) }
                    .connect(host: "127.0.0.1", port: port)
                    .flatMap { _ in connection.registered }
            }
            try await EventLoopFuture.andAllSucceed(opened, on: loop).get()
            connections += made
        }
        return connections
    }

    /// - Returns: Messages that arrived within `duration`, once it runs.
    func run(
        pairs: [(sender: LoadConnection, receiver: LoadConnection, to: String)],
        size: Int,
        window: Int,
        duration: Duration,
        measure: () throws -> Double
    ) async throws -> Result {
        let counter = Counter()
        try await loop.submit {
            for (sender, receiver, to) in pairs {
                let one = Self.message(to: to, size: size)
                var many = ByteBuffer()
                for _ in 0..<window { many.writeImmutableBuffer(one) }
                let length = one.readableBytes
                receiver.received = { count in
                    counter.count += count
                    guard counter.isRunning, let next = many.getSlice(at: 0, length: min(count, window) * length) else {
                        return
                    }
                    sender.write(next)
                }
                sender.write(many)
            }
        }.get()
        // Half a second for caches and buffers to settle.
        try await Task.sleep(for: .milliseconds(500))
        let (startCount, startCPU) = (try await loop.submit { counter.count }.get(), try measure())
        let start = ContinuousClock.now
        try await Task.sleep(for: duration)
        let (endCount, endCPU) = (try await loop.submit { counter.count }.get(), try measure())
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try await loop.submit { counter.isRunning = false }.get()
        // What is still in flight arrives and is not answered.
        try await Task.sleep(for: .milliseconds(300))
        return Result(frames: endCount - startCount, cpuSeconds: endCPU - startCPU, seconds: seconds)
    }

    struct Result {
        let frames: Int
        let cpuSeconds: Double
        let seconds: Double

        var framesPerCPUSecond: Double { Double(frames) / max(cpuSeconds, 0.01) }
    }

    /// Touched on the load's event loop only.
    private final class Counter: @unchecked Sendable {
        var count = 0
        var isRunning = true
    }

    /// A `message` frame of exactly `size` bytes of JSON.
    private static func message(to: String, size: Int) -> ByteBuffer {
        let head = #"{"type":"message","to":"\#(to)","payload":{"type":"bench","data":""#
        let filler = String(repeating: "x", count: max(0, size - head.utf8.count - 3))
        return LoadConnection.frame("\(head)\(filler)\"}}")
    }
}
