package import Capabilities
import Foundation
import Kernel
import Storage

extension Desktop {
    /// Whether this computer's own database is whole; nil where it is kept in memory.
    func databaseCheck() async -> DoctorCheck? {
        guard let url = state.folder?.databaseURL else { return nil }
        let schema = Schema.desktop(with: configuration.features, serving: configuration.served)
        return await StateDatabase.doctorCheck(of: state.database, schema: schema, at: url)
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
