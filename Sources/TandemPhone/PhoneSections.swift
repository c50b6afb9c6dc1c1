import Capabilities
package import CommandClient
import GRDB
import Pairing
package import Sections
import Storage
import Transport

/// The phone's own parts of its data, beside those that its features declare.
enum PhoneSections {
    /// The keys by which computers and hubs know the phone. The new phone has them from the commit on, and the old one is retired.
    static let identity = SectionDeclaration("identity", keys: ["identity", "device-id"])

    static let computers = SectionDeclaration(
        "computers",
        migrations: SQLitePairingStore<PairedDesktop>.migrations,
        tables: ["pairedDesktop"]
    )

    /// Where sessions stand, and messages on their way: a computer hands each of its own out once, also to the new phone.
    static let sessions = SectionDeclaration(
        "sessions",
        migrations: SQLiteSessionStore.migrations,
        tables: ["sessionPeer", "sessionOutbound", "sessionKept"]
    ) { database in
        // Tickets resume a session that the old phone may have gone on with. Its numbers went on, too, where the data is from a file of some time
        // ago: a computer drops a number that it had before without a word, and takes any greater one.
        try database.run(
            """
            UPDATE sessionPeer SET ticketID = NULL, ticketSecret = NULL,
                lastOutbound = MAX(0, MIN(lastOutbound, 1 << 62)) + 4294967296
            """
        )
    }

    static let queue = SectionDeclaration(
        "queue",
        migrations: SQLiteOfflineCommandStore.migrations,
        tables: ["offlineCommand"]
    )

    /// What the owner set for the role: its hub, its name, its features.
    static let settings = SectionDeclaration("settings", keys: [], files: ["config.json"])

    static let all = [identity, computers, sessions, queue, settings]

    /// The browsers that are signed in to the page of the phone that takes a package: the person may be in the middle of its wizard.
    static let deviceTables = ["page_session", "page_binding"]

    static let leftBehind = [
        LeftBehind(.file("lock"), because: "It keeps a second process out of this folder."),
        LeftBehind(.file("control.sock"), because: "The socket of the process that runs here."),
        LeftBehind(.file("last-run"), because: "How the last run of the program ended on this device."),
        LeftBehind(.file(StandingKeeper.fileName), because: "Whether this very phone is retired."),
    ]
}

extension SectionCatalogue {
    /// The sections of a phone with these features.
    ///
    /// - Throws: `SectionError` where two have one name.
    package static func phone(with features: [PeerFeatureMaker]) throws(SectionError) -> SectionCatalogue {
        var entries = PhoneSections.all.map { Entry(.role, $0) }
        var own: [String: Schema] = [:]
        for manifest in features.map(\.manifest) {
            let owner = manifest.sectionOwner
            entries += manifest.sections.map { Entry(owner, $0) }
            if !manifest.ownMigrations.isEmpty { own[manifest.name] = Schema(manifest.name, [manifest.ownMigrations]) }
        }
        return try SectionCatalogue(
            entries,
            schema: .phone(with: features),
            ownSchemas: own,
            deviceTables: PhoneSections.deviceTables
        )
    }
}

extension SectionCoverage {
    /// The coverage of a phone with these features.
    package static func phone(with features: [PeerFeatureMaker]) throws(SectionError) -> SectionCoverage {
        var left: [SectionOwner: [LeftBehind]] = [.role: PhoneSections.leftBehind]
        for manifest in features.map(\.manifest) { left[manifest.sectionOwner] = manifest.leftBehind }
        return SectionCoverage(try .phone(with: features), leaving: left)
    }
}

extension FeatureManifest {
    fileprivate var sectionOwner: SectionOwner { .feature(name, hasOwnDatabase: !ownMigrations.isEmpty) }
}
