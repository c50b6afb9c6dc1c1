import Control
import Kernel
import Pairing
import Rights
import ServiceLifecycle
import TandemDesktop

/// Says on the terminal of `tandem up` that a phone asks for a right, with what its person can type, for as long as it runs.
struct RightDesk: Service {
    let desktop: Desktop
    let control: ControlTable
    /// Prints a text of several lines.
    var say: @Sendable (String) throws -> Void = { try Output.result($0) }

    func run() async throws {
        // A request that comes while the one before is shown is seen at the next look: one change waits.
        let changes = LatestValue(0)
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for topic in desktop.topics where topic.name == "asks" {
                        group.addTask { await topic.run { _ in changes.update { $0 += 1 } } }
                    }
                    group.addTask { try await show(changes) }
                    try await group.waitForAll()
                }
            }
        } catch is CancellationError {
            // The program ends.
        } catch {
            Output.complain("Requests for rights are not shown here any more; see: tandem devices asks. \(error)")
        }
        // Cancelled: the same end.
        try? await gracefulShutdown()
    }

    private func show(_ changes: LatestValue<Int>) async throws {
        var shown: Set<Shown> = []
        for await _ in changes.values() {
            let asks = try await control.call(DeviceControl.asks).asks
            let new = asks.filter { !shown.contains(Shown($0)) }
            shown = Set(asks.map(Shown.init))
            guard !new.isEmpty else { continue }
            do {
                try say("\n" + Devices.Asks.text(RightAskList(new)))
            } catch is ConsoleError {
                // Nothing takes text here any more, which is no reason to leave the phones that are connected.
                return
            }
        }
    }

    /// A request that was said: the same right asked for again is another one.
    private struct Shown: Hashable {
        let device: String
        let right: String
        let askedAt: Int64

        init(_ ask: RightAskList.Entry) {
            (device, right, askedAt) = (ask.device, ask.right.rawValue, ask.askedAt)
        }
    }
}
