import BenchmarkReport
import CommandClient
import CommandServer
import Commands
import Foundation
import Kernel
import Logging
import SystemInfo
import SystemInfoHost
import TandemPhone

/// Round trips of a command: through client and router alone, and through the whole sealed session, by processor time of both ends.
struct Commands {
    private let bench: RemoteBenchmark
    private let computer: Computer

    init(_ bench: RemoteBenchmark, _ computer: Computer) {
        self.bench = bench
        self.computer = computer
    }

    func rows() async throws -> [Row] {
        var (alone, sealed) = (Sample(), Sample())
        for _ in 0..<bench.rounds {
            alone.values.append(try await withoutSession(100_000))
            sealed.values.append(try await throughSession(20_000))
        }
        return [
            Row(
                "commands, client to router and back, per CPU-second",
                ours: alone.median.fixed(),
                goal: "≥ 20,000",
                isMet: alone.median >= 20_000
            ),
            Row("… through the sealed session over sockets, both ends", ours: sealed.median.fixed()),
        ]
    }

    /// Everything but what carries it: envelopes are written and parsed, the gate is asked, the method runs, the answer is remembered.
    private func withoutSession(_ count: Int) async throws -> Double {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let router = CommandRouter(
            methods: PingSkill(version: "1").methods,
            logger: logger,
            gate: CommandGate(rights: [PeerFeatureMaker].standard.rights)
        )
        let caller = Caller(id: "did:key:phone", name: "phone", proof: .session, rights: [.systemInformation])
        let (stream, post) = AsyncStream.makeStream(of: [UInt8].self)
        let client = RemoteCommandClient(mobileDID: "did:key:phone") { post.yield($0.canonicalBytes) }
        let desktop = Task {
            for await bytes in stream {
                let request = try CommandRequest(envelope: JSONValue(parsing: bytes))
                let answer = await router.answer(request, from: caller)
                let envelope = try JSONValue(parsing: answer.envelope(form: request.form).canonicalBytes)
                _ = await client.receive(envelope)
            }
        }
        defer { desktop.cancel() }
        let start = try Program.processorSeconds(getpid())
        try await invoke(count, atATime: 32) { _ = try await client.invoke("system.ping") }
        return Double(count) / (try Program.processorSeconds(getpid()) - start)
    }

    private func throughSession(_ count: Int) async throws -> Double {
        func used() throws -> Double {
            try Program.processorSeconds(getpid()) + Program.processorSeconds(computer.process)
        }
        let start = try used()
        try await invoke(count, atATime: 32) { _ = try await computer.call("system.ping", [:]) }
        return Double(count) / (try used() - start)
    }

    private func invoke(_ count: Int, atATime width: Int, _ work: @escaping @Sendable () async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width { group.addTask { for _ in 0..<count / width { try await work() } } }
            try await group.waitForAll()
        }
    }
}
