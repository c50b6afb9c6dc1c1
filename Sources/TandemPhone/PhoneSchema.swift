import Capabilities
package import CommandClient
import Pairing
package import Storage
import Transport

extension Schema {
    /// The tables of a phone with these features.
    package static func phone(with features: [PeerFeatureMaker]) -> Schema {
        Schema(
            "phone",
            [
                SQLitePairingStore<PairedDesktop>.migrations, SQLiteSessionStore.migrations,
                SQLiteOfflineCommandStore.migrations, PageSessions.migrations,
            ] + features.map(\.manifest.migrations)
        )
    }
}
