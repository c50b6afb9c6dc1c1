package import GRDB
package import Kernel
package import Logging
package import Storage

/// The surroundings that a feature of a computer is made with.
package struct CommandContext: Sendable {
    /// The role's database, with the feature's tables.
    package let database: any DatabaseWriter
    package let outlet: any DeviceOutlet
    /// Where a feature that has a door of its own puts who is connected there, so that the outlet reaches them.
    package let callers: OpenCallers
    /// The observer of activities that the owner should know of at once.
    package let observer: (any ActivityObserver)?
    /// Where it says something for people, and where the feature that tells phones hears it.
    package let announcements: Announcements
    /// The values that the owner set, by the settings' names.
    package let settings: [String: JSONValue]
    /// Tandem's.
    package let version: String
    package let time: any TimeSource
    package let logger: Logger

    package init(
        database: any DatabaseWriter,
        outlet: any DeviceOutlet,
        callers: OpenCallers = OpenCallers(),
        observer: (any ActivityObserver)?,
        announcements: Announcements = Announcements(),
        settings: [String: JSONValue] = [:],
        version: String,
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.database = database
        self.outlet = outlet
        self.callers = callers
        self.observer = observer
        self.announcements = announcements
        self.settings = settings
        self.version = version
        self.time = time
        self.logger = logger
    }
}

/// Something that the owner can set for a feature.
package struct FeatureSetting: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case flag, text, integer
    }

    /// The name in `config.json`, for example `clipboardHistory`.
    package let name: String
    package let kind: Kind
    /// One line for people: what it does.
    package let summary: String

    package init(_ name: String, _ kind: Kind, summary: String) {
        self.name = name
        self.kind = kind
        self.summary = summary
    }
}

/// A feature before it is made: what a composition lists. The system's services that it works with are inside.
package struct CommandFeatureMaker: Sendable {
    /// The settings that the owner can change for it in `config.json` and in the environment.
    package let settings: [FeatureSetting]
    /// The feature's tables.
    package let migrations: [Migration]
    package let make: @Sendable (CommandContext) throws -> any CommandFeature

    package init(
        settings: [FeatureSetting] = [],
        migrations: [Migration] = [],
        _ make: @escaping @Sendable (CommandContext) throws -> any CommandFeature
    ) {
        self.settings = settings
        self.migrations = migrations
        self.make = make
    }
}
