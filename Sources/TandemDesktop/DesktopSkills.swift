import ClipboardHost
import CommandServer
import Commands
import FilesHost
import GRDB
import Logging
import ScreenHost
import SystemInfoHost
import TerminalHost

/// Everything a phone can ask of this computer.
struct DesktopSkills {
    let methods: [RemoteMethod]
    /// Those that keep things going for phones.
    let keepers: [any ActivityKeeper]
    private let terminal: TerminalSkill?
    private let files: FileSkill?
    private let clipboard: ClipboardSkill?

    /// - Throws: When a journal cannot be read.
    init(
        configuration: DesktopConfiguration,
        database: any DatabaseWriter,
        outlet: PhoneOutlet,
        observer: any ActivityObserver,
        logger: Logger
    ) throws {
        let tools = configuration.tools
        terminal = tools.terminals.map { TerminalSkill(factory: $0, sink: outlet, observer: observer) }
        files = try tools.files.map { access in
            try FileSkill(
                access: access,
                journal: SQLiteUploadJournal(database, logger: logger),
                frames: outlet,
                logger: logger
            )
        }
        clipboard = tools.desktop.map {
            ClipboardSkill(clipboard: $0.clipboard, pictures: $0.pictures, sink: outlet, observer: observer)
        }
        let screen = tools.desktop.map {
            ScreenSkill(screen: $0.screen, pictures: $0.pictures, observer: observer)
        }
        let system = tools.system.map { SystemSkill(information: $0, version: configuration.version) }
        let skills: [(any RemoteSkill)?] = [terminal, files, clipboard, screen, system]
        let keepers: [(any ActivityKeeper)?] = [terminal, files, clipboard, screen]
        self.keepers = keepers.compactMap(\.self)
        var methods = skills.compactMap(\.self).flatMap(\.methods)
        // The system's skill brings it too.
        if system == nil { methods.append(SystemMethods.ping(version: configuration.version)) }
        self.methods = methods
    }

    /// Takes a binary message of a session. Returns at once.
    func receive(frame: [UInt8], from caller: Caller) {
        files?.receive(frame: frame, from: caller)
    }

    /// Ends what they started.
    func shutDown() async {
        await terminal?.shutDown()
        await files?.close()
        await clipboard?.shutDown()
    }
}
