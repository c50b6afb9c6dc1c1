import Kernel
import Logging

/// The alias under which phones find the digits on the screen.
extension PairingHost {
    /// The longest time that a code waits for its digits to be registered at the servers before it is shown.
    private static let aliasPatience = Duration.seconds(2)

    /// The alias under which the digits on the screen are found.
    struct HeldAlias {
        var code: PairingCode
        var task: Task<Void, Never>
        /// The registration at each server; empty before that is known.
        var standings: LatestValue<[Int: PairingAliasStanding]>
    }

    /// The status to show now, including the registration of the digits at the servers.
    var currentStatus: PairingHostStatus {
        var status = core.status(now: dependencies.time.date)
        if case .shown(let shown) = status.code, let alias, alias.code == shown.typed?.code {
            let standings = alias.standings.value
            if !standings.isEmpty { status.typedTrouble = standings.values.trouble }
        }
        return status
    }

    /// Holds the alias of the digits on the screen, and no other.
    func holdAlias(_ code: PairingCode?) {
        guard alias?.code != code else { return }
        alias?.task.cancel()
        alias?.standings.finish()
        alias = nil
        guard let code else { return }
        let standings = LatestValue<[Int: PairingAliasStanding]>([:])
        let task = Task { [weak self, gate = dependencies.aliasGate, time = dependencies.time] in
            await withDiscardingTaskGroup { [weak self] group in
                group.addTask { [weak self] in
                    for await _ in standings.values() { await self?.aliasChanged(code) }
                }
                group.addTask { [weak self] in
                    var backoff = Backoff.signaling
                    while !Task.isCancelled {
                        do {
                            try await gate.hold(
                                code,
                                reporting: { standing, gate in standings.update { $0[gate] = standing } },
                                handingOn: { [weak self] event, gate in
                                    // A request takes the code off the screen, which cancels this task, while the request
                                    // is still to be decided and written to disk.
                                    await withCancellationShield { [weak self] in
                                        await self?.receive(event, through: gate)
                                    }
                                }
                            )
                        } catch is CancellationError {
                            return
                        } catch {
                            self?.dependencies.logger.notice(
                                "typed codes cannot be received",
                                metadata: ["reason": "\(error)"]
                            )
                        }
                        guard await time.pause(for: backoff.next()) else { return }
                    }
                }
            }
        }
        alias = HeldAlias(code: code, task: task, standings: standings)
    }

    /// Publishes a changed registration of the digits on the screen.
    private func aliasChanged(_ code: PairingCode) {
        guard alias?.code == code else { return }
        publish()
    }

    /// Waits until the digits are registered at the servers, so that they are found however soon they are typed. A server that
    /// cannot be reached delays a code by two seconds.
    func waitForAlias() async throws {
        guard let standings = alias?.standings else { return }
        do {
            try await withTimeout(Self.aliasPatience, on: dependencies.time, throwing: AliasNotHeld()) {
                for await now in standings.values() where !now.isEmpty && !now.values.contains(.asking) { return }
            }
        } catch is AliasNotHeld {
            dependencies.logger.notice("a server does not answer: typed codes may not be found there")
        }
    }

    private struct AliasNotHeld: Error {}
}
