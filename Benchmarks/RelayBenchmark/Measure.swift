import ArgumentParser
import Foundation
import NIOCore
import NIOPosix

/// Both servers in alternation, the same load, ratios of what the kernel counted.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measure both relays and print ratios.")

    @Option(help: "Where the Node relay is.")
    var nodeRelay = "Benchmarks/node-relay.js"
    @Option(help: "Seconds for each measurement.")
    var seconds = 4
    @Option(help: "Rounds; the median counts.")
    var rounds = 3
    @Option(help: "Pairs of clients.")
    var pairs = 64
    @Option(help: "Idle connections for the memory measurement; both processes need as many descriptors.")
    var idle = 10_000
    @Option(help: "The processor core of the servers. Run this command on another: taskset -c 1 …")
    var core = 0

    private struct Scenario {
        let name: String
        let size: Int
        let window: Int
        /// The ratio to the Node relay that is the goal.
        let goal: Double?
    }

    private static let scenarios = [
        Scenario(name: "256 B, W=1", size: 256, window: 1, goal: 1.4),
        Scenario(name: "256 B, W=4", size: 256, window: 4, goal: 3.5),
        Scenario(name: "256 B, W=16", size: 256, window: 16, goal: 8),
        Scenario(name: "64 KiB, W=4", size: 65_536, window: 4, goal: nil),
    ]

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        print("frames per second of server CPU, \(pairs) pairs, median of \(rounds) rounds of \(seconds) s")
        print("| load | tandem | node-ws | ratio | goal |\n|---|---|---|---|---|")
        for scenario in Self.scenarios {
            var ours: [Double] = []
            var theirs: [Double] = []
            for _ in 0..<rounds {
                ours.append(try await rate(scenario, try tandem(), loop))
                theirs.append(try await rate(scenario, try node(), loop))
            }
            let (mine, other) = (median(ours), median(theirs))
            let goal = scenario.goal.map { "\($0)x" } ?? "1 GB/CPU-s"
            let bytes = scenario.size > 10_000 ? String(format: " (%.2f GB)", mine * Double(scenario.size) / 1e9) : ""
            print(
                String(
                    format: "| \(scenario.name) | %.0f\(bytes) | %.0f | %.1fx | \(goal) |",
                    mine,
                    other,
                    mine / other
                )
            )
        }
        print("\nresident bytes for each of \(idle) idle, registered connections")
        print(
            "tandem \(try await idleBytes(try tandem(), loop)), node-ws \(try await idleBytes(try node(), loop)), goal 4096"
        )
        try await group.shutdownGracefully()
    }

    private func tandem() throws -> ServerProcess {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try ServerProcess(name: "tandem", core: core, command: [path, "serve"])
    }

    private func node() throws -> ServerProcess {
        try ServerProcess(
            name: "node-ws",
            core: core,
            command: ["/usr/bin/node", nodeRelay],
            environment: ["NODE_PATH": "/usr/share/nodejs"]
        )
    }

    private func rate(_ scenario: Scenario, _ server: ServerProcess, _ loop: any EventLoop) async throws -> Double {
        defer { server.stop() }
        let load = Load(port: server.port, loop: loop)
        // Ids as long as a DID.
        let ids = (0..<pairs * 2).map { "did:key:z6Mk" + String(format: "%044d", $0) }
        let connections = try await load.connect(ids)
        var pairs: [(sender: LoadConnection, receiver: LoadConnection, to: String)] = []
        for first in stride(from: 0, to: connections.count, by: 2) {
            pairs.append((connections[first], connections[first + 1], ids[first + 1]))
        }
        let result = try await load.run(
            pairs: pairs,
            size: scenario.size,
            window: scenario.window,
            duration: .seconds(seconds),
            measure: { try server.cpuSeconds() }
        )
        try await loop.submit { for connection in connections { connection.close() } }.get()
        return result.framesPerCPUSecond
    }

    private func idleBytes(_ server: ServerProcess, _ loop: any EventLoop) async throws -> Int {
        defer { server.stop() }
        let load = Load(port: server.port, loop: loop)
        // What the first connections cost once is not what each costs.
        let first = try await load.connect((0..<100).map { "first-\($0)" })
        let before = try server.residentBytes()
        let connections = try await load.connect((0..<idle).map { "did:key:z6Mk" + String(format: "%044d", $0) })
        let after = try server.residentBytes()
        try await loop.submit { for connection in first + connections { connection.close() } }.get()
        return (after - before) / idle
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
