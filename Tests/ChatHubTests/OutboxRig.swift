import GRDB
import Logging
import Storage

@testable import ChatHub

/// A database of conversations with a backend's outbox.
enum OutboxRig {
    static let logger = Logger(label: "outbox-test", factory: { _ in SwiftLogNoOpLogHandler() })

    static func database() throws -> any DatabaseWriter {
        try StateDatabase.inMemory(
            schema: Schema("chat", [ChatSchema.migrations, TestObjects.migrations, OutboxTable.migrations])
        )
    }
}
