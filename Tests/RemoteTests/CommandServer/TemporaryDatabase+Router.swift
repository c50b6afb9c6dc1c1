import CommandServer
import FeatureTesting
import GRDB
import Storage

extension TemporaryDatabase {
    /// The tables of the router's stores.
    private static let routerSchema: Schema = [
        SQLiteAuditLog.migrations, SQLiteNonceStore.migrations, SQLiteAnswerStore.migrations,
    ]

    init() throws { try self.init(Self.routerSchema) }

    /// For what does not test files.
    static func inMemory() throws -> DatabaseQueue { try StateDatabase.inMemory(schema: routerSchema) }
}
