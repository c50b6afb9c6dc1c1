import Foundation
import NotificationsTesting
import Testing

/// The long run is `bin/endure-notifications --simulated`.
@Suite("Notifications: delivery", .timeLimit(.minutes(10)))
struct DeliverySimulationTests {
    private static let events = 1000

    @Test(
        "each is shown exactly once on each of two phones, and read alike on three devices, through loss, repeats, disorder and restarts of all",
        arguments: [1, 2, 3, 4] as [UInt64]
    )
    func exactlyOnce(seed: UInt64) async throws {
        let simulation = try NotificationSimulation(seed: seed)
        let result = try await simulation.run(Self.events)
        #expect(result.mistakes.isEmpty, "\(result.mistakes.count): \(result.mistakes.prefix(8))")
        #expect(result.events >= Self.events)
        // A run in which nothing happened would prove nothing.
        #expect(result.computerRestarts > Self.events / 250)
        #expect(result.relayRestarts > Self.events / 250)
        #expect(result.phoneRestarts > Self.events / 250)
        #expect(result.lost * 4 > result.messages)
        #expect(result.due > Self.events)
        #expect(result.inPlace > 0)
    }
}
