package import CommandServer
import Pairing
import SignalingServer
package import Storage
import Transport

extension Schema {
    /// The tables of a computer with these features.
    package static func desktop(with features: [CommandFeatureMaker]) -> Schema {
        Schema(
            "desktop",
            [
                SQLitePairingStore<PairedPhone>.migrations, SQLiteSessionStore.migrations,
                SignalingDatabase.migrations, SQLitePairingGuesses.migrations, SQLiteAuditLog.migrations,
                SQLiteNonceStore.migrations, SQLiteAnswerStore.migrations, PageSessions.migrations,
            ] + features.map(\.migrations)
        )
    }
}
