import AccountsHub
import Capabilities
import ChatHub
import Foundation
import Metrics
import SignalingServer
import Testing

@Suite("Metrics of chat", .timeLimit(.minutes(1)))
struct MetricsTests {
    private static let lines = ChatHubFeature.maker.manifest.metrics

    @Test("what is counted of messages has its own line in /metrics")
    func described() async throws {
        let metrics = PrometheusMetrics(describedBy: Self.lines)
        try await withMetricsFactory(metrics) {
            let rig = try ChatRig()
            for _ in 1...2 { try await rig.say("hello", id: "one", from: 7, to: 8) }
        }
        let text = metrics.text()
        for name in ["chat_messages_stored_total", "chat_messages_repeated_total", "chat_store_seconds"] {
            let line = try #require(Self.lines[name])
            #expect(text.contains("# HELP \(name) \(line)\n# TYPE \(name) "), "\(name)")
        }
        #expect(text.contains("\nchat_messages_repeated_total 1\n"))
    }

    @Test("each metric that the code names has a line, each line a metric, and people's accounts theirs beside them")
    func complete() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Chat/Hub")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var named: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8)
            for match in code.matches(of: /(Counter|Gauge|Timer)\(\s*label: "(chat_[a-z_]+)"/) {
                let ending = ["Counter": "_total", "Timer": "_seconds"][String(match.1)] ?? ""
                named.insert(match.2 + ending)
            }
        }
        #expect(!named.isEmpty)
        #expect(named == Set(Self.lines.keys).subtracting(AccountsFeature.metrics.keys))
        #expect(AccountsFeature.metrics.allSatisfy { Self.lines[$0.key] == $0.value })
        for (name, line) in Self.lines {
            #expect(!line.isEmpty && !line.contains { $0.isNewline || $0 == "\\" }, "\(name)")
        }
    }
}
