import Foundation
package import GRDB
package import Kernel
package import Sealing

/// The state of a role: its keys, its id and its database, from a state folder or in memory.
package struct RoleState: Sendable {
    /// The device's keys, made when the folder was new.
    package let identity: Identity
    /// The id under which the device registers at servers. The same for as long as the folder is kept.
    package let deviceID: String
    /// Holds the tables of every store of the role.
    package let database: any DatabaseWriter
    /// The folder; nil in memory.
    package let folder: StateFolder?
    /// The storage of the role's features.
    package let features: FeatureStores
    /// Keeps a second process out for as long as this value lives.
    private let lock: FolderLock?

    /// Opens a state folder for this process.
    ///
    /// - Parameter makeID: The id of a device that has none yet; nil for a UUID.
    /// - Throws: What is wrong with the folder, its keys or its database.
    package init(_ folder: StateFolder, schema: Schema, makeID: ((Identity) -> String)? = nil) throws {
        lock = try FolderLock(folder)
        let identity = try Identity.loadOrCreate(in: folder)
        database = try StateDatabase.open(folder.databaseURL, schema: schema)
        deviceID = try makeID.map { make in try folder.deviceID { make(identity) } } ?? folder.deviceID()
        self.identity = identity
        self.folder = folder
        features = FeatureStores(folder, shared: database)
    }

    private init(identity: Identity, deviceID: String, database: any DatabaseWriter) {
        self.identity = identity
        self.deviceID = deviceID
        self.database = database
        folder = nil
        lock = nil
        features = FeatureStores(nil, shared: database)
    }

    /// Keeps everything as long as the value lives: a role that is made anew with it goes on where the one before ended.
    package static func inMemory(schema: Schema, makeID: (Identity) -> String) throws -> RoleState {
        let identity = Identity()
        return RoleState(
            identity: identity,
            deviceID: makeID(identity),
            database: try StateDatabase.inMemory(schema: schema)
        )
    }
}
