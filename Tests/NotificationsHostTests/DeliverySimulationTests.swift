import Foundation
import Testing

@Suite("Notifications: delivery", .timeLimit(.minutes(60)))
struct DeliverySimulationTests {
    /// Notifications of one run: `TANDEM_NOTIFICATION_EVENTS=100000` for the long one.
    private static let events =
        ProcessInfo.processInfo.environment["TANDEM_NOTIFICATION_EVENTS"].flatMap { Int($0) } ?? 2000

    @Test(
        "each is shown exactly once on each of three phones, and read alike on all, through loss, repeats, disorder and restarts",
        arguments: [1, 2, 3, 4] as [UInt64]
    )
    func exactlyOnce(seed: UInt64) async throws {
        let simulation = try DeliverySimulation(seed: seed)
        try await simulation.run(Self.events)
        let mistakes = try await simulation.mistakes()
        #expect(mistakes.isEmpty, "\(mistakes.count): \(mistakes.prefix(8))")
        #expect(await simulation.restarts > Self.events / 40)
        #expect(await simulation.showings.count > Self.events)
        await simulation.close()
    }
}
