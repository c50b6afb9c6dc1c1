import Remote

/// Everything a phone can ask of this computer, and the way back for what happens meanwhile.
struct DesktopSkills {
    let methods: [RemoteMethod]

    init(configuration: DesktopConfiguration, events: any RemoteEventSink) {
        methods = [SystemMethods.ping(version: configuration.version)]
    }
}
