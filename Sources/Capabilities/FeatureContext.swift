public import GRDB
public import Kernel
public import Logging
public import Storage

/// The surroundings that a feature of any role is made with.
public struct FeatureContext: Sendable {
    /// Its database and its folder.
    public let storage: FeatureStorage
    /// The values that the owner set, by the settings' names.
    public let settings: [String: JSONValue]
    /// Tandem's.
    public let version: String
    /// The clock for waits and dates.
    public let time: any TimeSource
    public let logger: Logger

    public init(
        storage: FeatureStorage,
        settings: [String: JSONValue] = [:],
        version: String,
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.storage = storage
        self.settings = settings
        self.version = version
        self.time = time
        self.logger = logger
    }
    /// The database with the feature's tables.
    public var database: any DatabaseWriter { storage.database }
}
