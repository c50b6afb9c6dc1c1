import CommandServer
import Foundation
import Kernel
import Logging
import Pairing
import Storage
import Transport

/// The stores of a computer's core, all in its one database.
struct DesktopStores: Sendable {
    let phones: SQLitePairingStore<PairedPhone>
    let sessions: SQLiteSessionStore
    let guesses: SQLitePairingGuesses
    let audit: SQLiteAuditLog
    let nonces: SQLiteNonceStore
    let answers: SQLiteAnswerStore
    /// The skills with their risks, which the owner may have tightened in a file of the state folder.
    let registry: RemoteSkillRegistry

    /// - Throws: What is wrong with the database.
    init(_ state: RoleState, _ configuration: DesktopConfiguration, _ logger: Logger) throws {
        let database = state.database
        phones = try SQLitePairingStore<PairedPhone>(database, logger: logger)
        sessions = SQLiteSessionStore(database)
        guesses = try SQLitePairingGuesses(database)
        audit = SQLiteAuditLog(database, time: configuration.time, logger: logger)
        nonces = SQLiteNonceStore(database)
        answers = SQLiteAnswerStore(database)
        registry =
            state.folder.map { RemoteSkillRegistry.load(from: $0.url.appending(path: "skills.json"), logger: logger) }
            ?? .builtIn
    }
}

/// The ways to phones that are open, whatever door they came through.
struct DesktopReach: Sendable {
    let sessions: PeerSessions
    let clearDoor: ClearDoor
    let callers: OpenCallers
    let outlet: RecordedOutlet

    init(_ stores: DesktopStores, _ configuration: DesktopConfiguration, _ logger: Logger) {
        let phones = stores.phones
        sessions = PeerSessions(store: stores.sessions, time: configuration.time, logger: logger)
        clearDoor = ClearDoor(
            isKnown: { phones.record($0).map { !$0.isEndToEnd } ?? false },
            time: configuration.time,
            logger: logger
        )
        callers = OpenCallers()
        outlet = RecordedOutlet(phones: phones, sessions: sessions, clearDoor: clearDoor, callers: callers)
    }
}
