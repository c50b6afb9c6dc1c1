import Accounts
import AccountsHub
import Capabilities
import Metrics
import Sealing
import SignalingServer
import Testing

@Suite("Metrics of accounts", .timeLimit(.minutes(1)))
struct MetricsTests {
    @Test("each metric of accounts has its own line in /metrics, and each line a metric")
    func described() async throws {
        let lines = AccountsFeature.maker.manifest.metrics
        let metrics = PrometheusMetrics(describedBy: lines)
        try await withMetricsFactory(metrics) {
            let rig = try AccountsRig()
            let session = try await rig.register("ada")
            #expect(try await rig.login("ada", password: "wrong horse battery").status == 403)
            #expect(try await rig.login("ada").status == 200)
            let other = try await rig.register("bob")
            let gone = try await rig.post(.delete, DeleteAccountRequest(name: "bob"), token: other.accessToken)
            #expect(gone.status == 200 && session.userID != other.userID)
        }
        let text = metrics.text()
        for (name, line) in lines {
            #expect(text.contains("# HELP \(name) \(line)\n# TYPE \(name) "), "\(name) is not counted or not described")
        }
        #expect(text.split(separator: "\n").count { $0.hasPrefix("# TYPE ") } == lines.count)
    }
}
