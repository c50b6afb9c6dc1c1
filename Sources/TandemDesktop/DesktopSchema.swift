package import Capabilities
package import CommandServer
import Pairing
import SignalingServer
package import Storage
import Transport

extension Schema {
    /// The tables of a computer with these features.
    ///
    /// - Parameter served: Its features that bring nothing for phones.
    package static func desktop(
        with features: [CommandFeatureMaker],
        serving served: [ServedFeatureMaker] = []
    ) -> Schema {
        Schema(
            "desktop",
            [
                SQLitePairingStore<PairedPhone>.migrations, SQLiteSessionStore.migrations,
                SignalingDatabase.migrations, SQLitePairingGuesses.migrations, SQLiteAuditLog.migrations,
                SQLiteNonceStore.migrations, SQLiteAnswerStore.migrations, PageSessions.migrations,
            ] + features.map(\.manifest.migrations) + served.map(\.manifest.migrations)
        )
    }
}
