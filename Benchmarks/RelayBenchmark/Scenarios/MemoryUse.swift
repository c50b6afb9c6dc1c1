import CBenchmarkIO
import Glibc

/// What connections cost in memory, while nothing happens and after much has.
struct MemoryUse {
    struct Burst {
        let connections: Int
        /// Above what the server held before the connections, in bytes.
        let idle: Int
        let atOnce: Int
        let afterwards: Int
    }

    /// Resident bytes for each registered connection that does nothing.
    func idle(_ server: ServerProcess, connections: Int) throws -> Double {
        try warmUp(server)
        let before = try server.residentBytes()
        let clients = try Crowd.open(
            pairs: connections / 2,
            named: "idle",
            port: server.port,
            frameBytes: 256,
            window: 1
        )
        try settle()
        let after = try server.residentBytes()
        return withExtendedLifetime(clients) { Double(after - before) / Double(connections) }
    }

    /// Each sender sends its frames all at once; then nobody does anything for a while.
    func burst(_ server: ServerProcess, connections: Int, frames: Int, frameBytes: Int) throws -> Burst {
        try warmUp(server)
        let before = try server.residentBytes()
        let clients = try Crowd.open(
            pairs: connections / 2,
            named: "burst",
            port: server.port,
            frameBytes: frameBytes,
            window: frames
        )
        try settle()
        let idle = try server.residentBytes()
        let loop = try LoadLoop()
        for client in clients { _ = try loop.add(client) }
        for number in stride(from: 0, to: clients.count, by: 2) { try loop.send(number, frames: frames) }
        var arrived = 0
        var atOnce = idle
        var looked = benchmark_nanoseconds()
        let end = looked + 30_000_000_000
        while arrived < clients.count / 2 * frames {
            try loop.turn(waitingMilliseconds: 20) { number, messages in
                if !number.isMultiple(of: 2) { arrived += messages }
            }
            let now = benchmark_nanoseconds()
            guard now < end else { throw BenchmarkError.stuck(scenario: "bursts") }
            guard now - looked > 5_000_000 else { continue }
            looked = now
            atOnce = max(atOnce, try server.residentBytes())
        }
        try settle()
        let afterwards = try server.residentBytes()
        return Burst(
            connections: connections,
            idle: idle - before,
            atOnce: atOnce - before,
            afterwards: afterwards - before
        )
    }

    /// Code and pools that any traffic needs are not a connection's cost.
    private func warmUp(_ server: ServerProcess) throws {
        _ = try ClosedLoop(pairs: 32, window: 4, frameBytes: 256).measure(server, warmUp: 0, seconds: 0.5)
        try settle()
    }

    private func settle() throws {
        guard poll(nil, 0, 2_000) == 0 else { throw Client.failure("poll") }
    }
}
