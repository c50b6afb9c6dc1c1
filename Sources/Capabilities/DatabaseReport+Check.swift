package import Foundation
package import GRDB
import Kernel
package import Storage

extension DatabaseReport {
    package static let checkName = "Database"

    /// The check for the person who looks after this machine.
    package func doctorCheck(of path: String) -> DoctorCheck {
        var problem: String?
        var reason = "databaseWhole"
        var values: [String: JSONValue] = ["path": .string(path)]
        if let damage = damage.first {
            reason = "databaseDamaged"
            values["damage"] = .string(damage)
            problem = "\(path) is damaged (\(damage)). Check the disk, and restore the file from a backup."
        } else if !unknown.isEmpty {
            reason = "databaseNewer"
            problem = "\(StateDatabaseError.newer(path: path, identifiers: unknown))"
        }
        return DoctorCheck(
            name: Self.checkName,
            works: problem == nil,
            isNeeded: true,
            detail: problem ?? "\(path) is whole"
        )
        .saying(reason, values)
    }
}

extension StateDatabase {
    /// The check of a running role's database: whether it is whole and of this version.
    package static func doctorCheck(of database: any DatabaseReader, schema: Schema, at url: URL) async -> DoctorCheck {
        do {
            return try await check(database, schema: schema).doctorCheck(of: url.path)
        } catch {
            return DoctorCheck(name: DatabaseReport.checkName, isNeeded: true, failure: error)
        }
    }
}

extension FeatureStores {
    /// The checks of the databases that features have of their own.
    package func checks() async -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        for own in own {
            guard let url = own.url else { continue }
            checks.append(await StateDatabase.doctorCheck(of: own.database, schema: own.schema, at: url))
        }
        return checks
    }
}
