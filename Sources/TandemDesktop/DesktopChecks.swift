package import CommandServer
import Foundation
import Kernel
package import Storage

extension Desktop {
    /// Whether this computer's own database is whole; nil where it is kept in memory.
    func databaseCheck() async -> DoctorCheck? {
        guard let url = state.folder?.databaseURL else { return nil }
        do {
            let schema = Schema.desktop(with: configuration.features)
            return try await StateDatabase.check(state.database, schema: schema).doctorCheck(of: url.path)
        } catch {
            return DoctorCheck(name: DatabaseReport.checkName, isNeeded: true, failure: error)
        }
    }
}

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

extension DesktopStatus {
    /// A hub that was set and is not reached means that phones elsewhere do not reach this computer.
    package var connectionChecks: [DoctorCheck] {
        servers.map { server in
            let reason = server.reason ?? "no connection; look at the desktop's log"
            let words = [server.name == "hub" ? hub : nil, server.registered ? "registered" : reason]
            let check = DoctorCheck(
                name: "Connection to \(server.name)",
                works: server.registered,
                isNeeded: true,
                detail: words.compactMap(\.self).joined(separator: ": ")
            )
            // Why a server is not reached is that connection's own sentence.
            return server.registered ? check.saying("registered") : check
        }
    }
}
