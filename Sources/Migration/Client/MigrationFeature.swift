package import Capabilities
package import CommandClient
package import Control
import Foundation
import Journal
import Kernel
import Logging
package import MigrationContainer
import MigrationRestore
package import MigrationTransfer
import Sections
import Storage

/// A phone's move to another phone, and to this one: packages in files and between two phones, what was restored, and the way back. It goes on while
/// the phone rests, since it is what the phone rests for.
package final class MigrationFeature: PeerFeature {
    /// The maker that a composition lists to have this feature. The phone needs a journal, too.
    ///
    /// - Parameters:
    ///   - phone: Opened by the composition once the phone is made.
    ///   - cost: Of a new package's password key.
    ///   - startAgain: Nil where only its owner starts the phone's program, as in an app or a test.
    package static func maker(
        of phone: MigratingPhone,
        timing: MigrationTiming = MigrationTiming(),
        cost: ScryptCost = .usual,
        startingAgain startAgain: StartAgain? = nil
    ) -> PeerFeatureMaker {
        PeerFeatureMaker(FeatureManifest(MigrationPlaces.featureName, leaving: leftBehind)) {
            MigrationFeature(try $0.storage.state.map { try MigrationPlaces($0) }, $0, phone, timing, cost, startAgain)
        }
    }

    private static let leftBehind =
        MigrationPlaces.folders.map { LeftBehind(.folder($0), because: "A move that is under way on this very phone.") }
        + [LeftBehind(.keys(prefix: MigrationPlaces.keyPrefix), because: "Keys of a move, which end with it.")]

    /// The wizard; nil for a phone whose state is in memory, which has nothing to move.
    package let controller: MigrationUIFlowController?
    private let site: MigrationSite?

    private init(
        _ places: MigrationPlaces?,
        _ context: PeerContext,
        _ phone: MigratingPhone,
        _ timing: MigrationTiming,
        _ cost: ScryptCost,
        _ startAgain: StartAgain?
    ) {
        site = places.map {
            MigrationSite(
                phone: phone,
                places: $0,
                time: context.time,
                version: context.version,
                logger: context.logger,
                timing: timing,
                cost: cost,
                startAgain: startAgain
            )
        }
        controller = site.map { MigrationUIFlowController($0) }
    }

    package var worksAtRest: Bool { true }

    package var topics: [ControlTopic] {
        [
            ControlTopic(MigrationControl.topic) { [controller] tell in
                guard let controller else { return }
                for await _ in controller.state.values() { tell([:]) }
            }
        ]
    }

    /// - Throws: ``MigrationClientError/notMovable`` from each route of a phone in memory.
    private func withController<Value>(
        _ body: (MigrationUIFlowController) async throws -> Value
    ) async throws -> Value {
        guard let controller else { throw MigrationClientError.notMovable }
        return try await body(controller)
    }

    package var controlRoutes: [ControlRoute] {
        [
            ControlRoute(MigrationControl.state) { _ in try await self.withController { try await $0.current() } },
            ControlRoute(MigrationControl.watch) { _, report in
                try await self.withController { try await $0.watch(report) }
            },
            ControlRoute(MigrationControl.export) { asked in
                try await self.withController { try await $0.export(asked) }
            },
            ControlRoute(MigrationControl.restore) { asked in
                try await self.withController { try await $0.restore(asked) }
            },
            ControlRoute(MigrationControl.send) { asked in try await self.withController { try await $0.send(asked) } },
            ControlRoute(MigrationControl.receive) { asked in
                try await self.withController { try await $0.receive(asked) }
            },
            ControlRoute(MigrationControl.enter) { entry in try await self.withController { try await $0.enter(entry) }
            },
            ControlRoute(MigrationControl.agree) { agreement in
                try await self.withController { try await $0.agree(agreement) }
            },
            ControlRoute(MigrationControl.pause) { _ in try await self.withController { try await $0.pause() } },
            ControlRoute(MigrationControl.resume) { _ in try await self.withController { try await $0.resume() } },
            ControlRoute(MigrationControl.cancel) { _ in try await self.withController { try await $0.cancel() } },
            ControlRoute(MigrationControl.rollback) { _ in try await self.withController { try await $0.rollback() } },
            ControlRoute(MigrationControl.restart) { _ in try await self.withController { try await $0.restart() } },
        ]
    }

    /// What the last start of the program could not put into place; nothing where all is well.
    package func checks() async -> [DoctorCheck] {
        guard let site else { return [] }
        let outcome = try? await site.work.run { [places = site.places] in
            MigrationPlaces.read(StartOutcome.self, from: places.outcome)
        }
        guard let reason = outcome?.failure else { return [] }
        return [DoctorCheck(name: "move", failure: MigrationClientError.notPutIntoPlace(reason: reason))]
    }

    /// Tells an old phone what became of its data, and removes replaced data whose time is over, now and each hour.
    package func run() async {
        guard let site, let controller else { return }
        await site.phone.untilOpen()
        await controller.tidy()
        await withDiscardingTaskGroup { group in
            group.addTask {
                do {
                    try await controller.tellOldPhone()
                } catch {
                    site.logger.info(
                        "the old phone was not told that its data is here",
                        metadata: ["reason": "\(error)"]
                    )
                }
            }
            group.addTask {
                repeat {
                    do {
                        _ = try await site.restoring().applyRetention()
                    } catch {
                        site.logger.warning("replaced data stays", metadata: ["reason": "\(error)"])
                    }
                } while await site.time.pause(for: .seconds(3600))
            }
        }
    }

    package func close() async { await controller?.close() }
}
