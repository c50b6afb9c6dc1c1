import Kernel
import Logging

/// The alias under which phones find the digits on the screen.
extension PairingHost {
    /// How long a code waits for its digits to be known at the servers before it is shown all the same.
    private static let aliasPatience = Duration.seconds(2)

    /// The alias under which the digits on the screen are found.
    struct HeldAlias {
        var code: PairingCode
        var task: Task<Void, Never>
        /// Whether every server has answered.
        var isHeld: LatestValue<Bool>
    }

    /// Holds the alias of the digits on the screen, and no other.
    func holdAlias(_ code: PairingCode?) {
        guard alias?.code != code else { return }
        alias?.task.cancel()
        alias?.isHeld.finish()
        alias = nil
        guard let code else { return }
        let isHeld = LatestValue(false)
        let task = Task {
            [weak self, gate = dependencies.aliasGate, time = dependencies.time, logger = dependencies.logger] in
            var backoff = Backoff.signaling
            while !Task.isCancelled {
                do {
                    try await gate.hold(code, isHeld: { isHeld.set(true) }) { [weak self] event, gate in
                        // A request takes the code off the screen, which cancels this task; what it asked for is still to
                        // be decided and written down.
                        await withCancellationShield { [weak self] in await self?.receive(event, through: gate) }
                    }
                } catch is CancellationError {
                    return
                } catch {
                    logger.notice("typed codes cannot be received", metadata: ["reason": "\(error)"])
                }
                guard await time.pause(for: backoff.next()) else { return }
            }
        }
        alias = HeldAlias(code: code, task: task, isHeld: isHeld)
    }

    /// Waits until the digits are known at the servers, so that they are found however soon they are typed; a server that
    /// cannot be reached holds a code up for two seconds.
    func waitForAlias() async throws {
        guard let isHeld = alias?.isHeld else { return }
        do {
            try await withTimeout(Self.aliasPatience, on: dependencies.time, throwing: AliasNotHeld()) {
                for await isHeld in isHeld.values() where isHeld { return }
            }
        } catch is AliasNotHeld {
            dependencies.logger.notice("a server does not answer: typed codes may not be found there")
        }
    }

    private struct AliasNotHeld: Error {}
}
