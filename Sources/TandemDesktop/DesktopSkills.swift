import Remote

/// Everything a phone can ask of this computer.
struct DesktopSkills {
    let methods: [RemoteMethod]
    private let terminal: TerminalSkill?

    init(configuration: DesktopConfiguration, events: any RemoteEventSink) {
        let tools = configuration.tools
        terminal = tools.terminals.map { TerminalSkill(factory: $0, sink: events) }
        let skills: [(any RemoteSkill)?] = [terminal]
        methods =
            [SystemMethods.ping(version: configuration.version)] + skills.compactMap(\.self).flatMap(\.methods)
    }

    /// Ends what they started.
    func shutDown() async {
        await terminal?.shutDown()
    }
}
