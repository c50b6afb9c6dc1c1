public import GRDB

/// One step of a schema. It runs once for each database, in a transaction of its own.
public struct Migration: Sendable {
    /// A family and a number, such as `session-1`. Each database that took the step keeps the identifier, so neither the identifier nor
    /// the step changes once a version was published; a change of the tables is a new step.
    public let identifier: String
    let body: @Sendable (Database) throws -> Void

    /// - Parameter body: Runs in the step's transaction; what it throws undoes the step and keeps the role from starting.
    public init(_ identifier: String, _ body: @escaping @Sendable (Database) throws -> Void) {
        self.identifier = identifier
        self.body = body
    }

    /// - Parameter sql: One or several statements.
    public init(_ identifier: String, sql: String) {
        self.init(identifier) { try $0.execute(sql: sql) }
    }

    /// An identifier without its number: what the steps of one store have in common.
    static func family(of identifier: String) -> String {
        guard let dash = identifier.lastIndex(of: "-") else { return identifier }
        return String(identifier[..<dash])
    }
}
