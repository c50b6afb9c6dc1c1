import Capabilities
import Clipboard
import CommandServer
import FeatureTesting
import Files
import Foundation
import Kernel
import KernelTesting
import NotificationsHost
import PortForwardingHost
import PowerHost
import RemoteInput
import Rights
import Screen
import Storage
import Synchronization
import SystemInfo
import Terminal
import ThreadsHost

@testable import ClipboardHost
@testable import FilesHost
@testable import RemoteInputHost
@testable import SavedCommandsHost
@testable import ScreenHost
@testable import SystemInfoHost
@testable import TerminalHost

/// Every feature of a computer: what is listed here is tried at every door, with every written and every fuzzed request.
enum Features {
    /// The features over services in memory, with names and dates that are the same each time.
    static func all(_ services: MethodServices) -> [CommandFeatureMaker] {
        [
            terminal(services), .files(services.files, pictures: LetterPhotos()), clipboard(services), screen(services),
            system(services), threads(services), notifications(services), savedCommands(services),
            PowerSkill.maker(RecordingPower(log: services.log)), input(services), ports(services),
        ].map { $0.noting(in: services.log) }
    }

    private static func terminal(_ services: MethodServices) -> CommandFeatureMaker {
        let sessions = Atomic<Int>(0)
        return CommandFeatureMaker(TerminalSkill.manifest) { context in
            TerminalSkill(
                factory: services.terminals,
                outlet: context.outlet,
                time: services.clock,
                makeID: { "s-\(sessions.add(1, ordering: .relaxed).newValue)" }
            )
        }
    }

    private static func ports(_ services: MethodServices) -> CommandFeatureMaker {
        CommandFeatureMaker(PortsSkill.manifest) { context in
            try RecordingPorts.save(in: context.database)
            return PortsSkill(
                context.database,
                listening: RecordingPorts(),
                outlet: context.outlet,
                time: services.clock,
                logger: context.logger
            )
        }
    }

    private static func clipboard(_ services: MethodServices) -> CommandFeatureMaker {
        CommandFeatureMaker(ClipboardSkill.manifest) { context in
            ClipboardSkill(
                clipboard: RecordingClipboard(text: "Grüße", log: services.log),
                pictures: InMemoryPictures(),
                outlet: context.outlet,
                keepsHistory: true,
                time: services.clock
            )
        }
    }

    private static func screen(_ services: MethodServices) -> CommandFeatureMaker {
        let pictures = InMemoryPictures()
        return CommandFeatureMaker(ScreenSkill.manifest) { _ in
            ScreenSkill(
                screen: RecordingScreen(pictures.picture(width: 4, height: 2), log: services.log),
                pictures: pictures,
                time: services.clock
            )
        }
    }

    private static func system(_ services: MethodServices) -> CommandFeatureMaker {
        let immediate = ImmediateClock(date: services.clock.date)
        return CommandFeatureMaker(SystemSkill.manifest) { context in
            SystemSkill(
                information: RecordingSystem(log: services.log),
                version: context.version,
                time: immediate,
                page: {
                    PageBundle(
                        version: "5.0.3",
                        hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                    )
                }
            )
        }
    }

    private static func threads(_ services: MethodServices) -> CommandFeatureMaker {
        CommandFeatureMaker(ThreadsSkill.manifest) { context in
            ThreadsSkill(
                library: RecordingThreads(log: services.log),
                control: RecordingAgents(log: services.log),
                outlet: context.outlet,
                time: services.clock,
                logger: context.logger
            )
        }
    }

    private static func notifications(_ services: MethodServices) -> CommandFeatureMaker {
        NotificationsSkill.maker { _ in
            .init(
                source: services.notifications,
                pusher: RecordingPusher(log: services.log),
                timeZone: { .gmt }
            )
        }
    }

    private static func savedCommands(_ services: MethodServices) -> CommandFeatureMaker {
        CommandFeatureMaker(SavedCommandsSkill.manifest) { context in
            try RecordingLauncher.save(in: context.database)
            let skill = try SavedCommandsSkill(
                store: SavedCommandStore(database: context.database, logger: context.logger),
                launcher: RecordingLauncher(log: services.log),
                outlet: context.outlet,
                time: services.clock,
                logger: context.logger
            )
            services.savedCommands.made(skill)
            return skill
        }
    }

    private static func input(_ services: MethodServices) -> CommandFeatureMaker {
        let sessions = Atomic<Int>(0)
        return CommandFeatureMaker(RemoteInputSkill.manifest) { context in
            RemoteInputSkill(
                access: RecordingInput(log: services.log),
                outlet: context.outlet,
                time: services.clock,
                folder: { try context.storage.folder() },
                logger: context.logger,
                makeID: { "i-\(sessions.add(1, ordering: .relaxed).newValue)" }
            )
        }
    }
}
