import CommandServer
import Foundation
import Kernel
import Logging
import Pairing
import Storage
import Transport

/// The base that each part of a computer is built on: its state, its own keys, its owner's settings, and the core's stores and ways to phones.
struct DesktopBase: Sendable {
    let state: RoleState
    let own: OwnDevice
    let configuration: DesktopConfiguration
    let stores: DesktopStores
    let reach: DesktopReach
    let logger: Logger

    /// - Throws: What is wrong with the database.
    init(_ state: RoleState, _ configuration: DesktopConfiguration, _ logger: Logger) throws {
        self.state = state
        own = OwnDevice(identity: state.identity, deviceID: state.deviceID, info: configuration.device)
        self.configuration = configuration
        stores = try DesktopStores(state, configuration, logger)
        reach = DesktopReach(stores, configuration, logger)
        self.logger = logger
    }

    /// What takes the sessions of phones that are paired, or are being paired.
    func listener(admitting records: PhoneRecords, _ pairing: PairingHost) -> SessionListener {
        SessionListener(
            identity: state.identity,
            store: stores.sessions,
            authorizer: PairedPhonesAuthorizer(phones: records.store, pairing: pairing, time: configuration.time),
            timing: configuration.timing,
            time: configuration.time,
            logger: logger
        )
    }
}

/// The stores of a computer's core, all in its one database.
struct DesktopStores: Sendable {
    let phones: SQLitePairingStore<PairedPhone>
    let deadlines: RightDeadlines
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
        deadlines = RightDeadlines(time: configuration.time)
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
        outlet = RecordedOutlet(
            phones: phones,
            sessions: sessions,
            clearDoor: clearDoor,
            callers: callers,
            deadlines: stores.deadlines
        )
    }
}
