import GRDB
import Storage

/// The tables of sign-in, in memory.
enum PageSceneDatabase {
    static func make() throws -> DatabaseQueue { try StateDatabase.inMemory(schema: [PageSessions.migrations]) }
}
