import GRDB
import PortForwardingHost

/// Ports of a computer on which the same programs always listen.
struct RecordingPorts: ListeningPorts {
    /// Ports for every phone, of which a program listens on one, and one for another phone alone.
    static func save(in database: any DatabaseWriter) throws {
        try database.write { database in
            for (port, phone, name) in [(3000, "", "Shop"), (8080, "", ""), (9000, "another", "")] {
                try database.execute(
                    sql: "INSERT INTO portGrant (port, phone, name) VALUES (?, ?, ?)",
                    arguments: [port, phone, name]
                )
            }
        }
    }

    func listening() -> [ListeningPort] { [ListeningPort(port: 3000, program: "node")] }
    func isOfTandem(_ port: Int) -> Bool { false }
}
