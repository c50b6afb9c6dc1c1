import GRDB
import Logging
import Remote

/// Everything a phone can ask of this computer.
struct DesktopSkills {
    let methods: [RemoteMethod]
    private let terminal: TerminalSkill?
    private let files: FileSkill?

    /// - Throws: When a journal cannot be read.
    init(
        configuration: DesktopConfiguration,
        database: any DatabaseWriter,
        outlet: PhoneOutlet,
        logger: Logger
    ) throws {
        let tools = configuration.tools
        terminal = tools.terminals.map { TerminalSkill(factory: $0, sink: outlet) }
        files = try tools.files.map { access in
            try FileSkill(
                access: access,
                journal: SQLiteUploadJournal(database, logger: logger),
                frames: outlet,
                logger: logger
            )
        }
        let skills: [(any RemoteSkill)?] = [terminal, files]
        methods =
            [SystemMethods.ping(version: configuration.version)] + skills.compactMap(\.self).flatMap(\.methods)
    }

    /// Takes a binary message of a session. Returns at once.
    func receive(frame: [UInt8], from caller: Caller) {
        files?.receive(frame: frame, from: caller)
    }

    /// Ends what they started.
    func shutDown() async {
        await terminal?.shutDown()
        await files?.close()
    }
}
