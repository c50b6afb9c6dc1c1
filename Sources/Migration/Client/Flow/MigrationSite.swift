import Foundation
import Journal
import Kernel
import Logging
import MigrationContainer
import MigrationJournal
import MigrationRestore
import MigrationTransfer
import TandemPhone

/// Everything of this phone that a move works with.
struct MigrationSite: Sendable {
    let phone: MigratingPhone
    let places: MigrationPlaces
    let time: any TimeSource
    let version: String
    let logger: Logger
    let timing: MigrationTiming
    let cost: ScryptCost
    /// Nil where only its owner starts the phone's program.
    let startAgain: StartAgain?
    let crypto = MigrationCryptoService()
    let work = BlockingWork("tandem.migrate", width: 4, urgency: .bulk)

    /// - Throws: ``MigrationClientError/notMovable``.
    func restoring() throws -> MigrationRestoreService {
        MigrationRestoreService(
            store: try phone.journal.generations,
            database: JournalDatabases(),
            live: JournalAtStart(phone: phone, work: work),
            time: time,
            work: work
        )
    }

    func profile(_ role: MigrationRole) throws -> MigrationProfile {
        MigrationProfile(
            role: role,
            schemaVersion: MigrationSchema.current,
            minSchemaVersion: MigrationSchema.minimum,
            appVersion: version,
            deviceName: try phone.phone.deviceName
        )
    }

    // MARK: Keys of the proof

    /// - Parameter name: One of ``MigrationPlaces``.
    func keys(_ name: String) async throws -> MigrationKeys? {
        try await work.run { [places] in
            try places.state.readKey(name).flatMap { try? JSONDecoder().decode(MigrationKeys.self, from: Data($0)) }
        }
    }

    func keep(_ keys: MigrationKeys, as name: String) async throws {
        try await work.finish { [places] in
            try MigrationPlaces.remove(places.state.keysURL.appending(path: name))
            try places.state.writeKey(name, Array(try JSONEncoder().encode(keys)))
        }
    }

    /// Removes what is kept of what is sent: rows of the phone's data, the plan and the keys.
    func clearOutgoing(withKeys: Bool = true) async throws {
        try await work.finish { [places] in
            try MigrationPlaces.remove(places.outgoing)
            guard withKeys else { return }
            try MigrationPlaces.remove(places.state.keysURL.appending(path: MigrationPlaces.outgoingKeys))
        }
    }

    func clearIncoming() async throws {
        try await work.finish { [places] in
            try MigrationPlaces.remove(places.incoming)
            try MigrationPlaces.remove(places.state.keysURL.appending(path: MigrationPlaces.incomingKeys))
        }
    }
}
