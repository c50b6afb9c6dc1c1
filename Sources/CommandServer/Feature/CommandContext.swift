package import Capabilities
package import GRDB
package import Kernel
package import Logging
package import Storage

/// The surroundings that a feature of a computer is made with.
package struct CommandContext: Sendable {
    /// Its database and its folder.
    package let storage: FeatureStorage
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
        storage: FeatureStorage,
        outlet: any DeviceOutlet,
        callers: OpenCallers = OpenCallers(),
        observer: (any ActivityObserver)?,
        announcements: Announcements,
        settings: [String: JSONValue] = [:],
        version: String,
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.storage = storage
        self.outlet = outlet
        self.callers = callers
        self.observer = observer
        self.announcements = announcements
        self.settings = settings
        self.version = version
        self.time = time
        self.logger = logger
    }

    /// The database with the feature's tables.
    package var database: any DatabaseWriter { storage.database }

    /// The part of it that a feature of any role is made with.
    package var common: FeatureContext {
        FeatureContext(storage: storage, settings: settings, version: version, time: time, logger: logger)
    }
}

/// A feature of a computer before it is made.
package typealias CommandFeatureMaker = FeatureMaker<CommandContext, any CommandFeature>
