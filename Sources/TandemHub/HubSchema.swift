package import Capabilities
import SignalingServer
package import Storage

extension Schema {
    /// The tables of a hub with these features.
    package static func hub(with features: [ServedFeatureMaker] = []) -> Schema {
        Schema("hub", [SignalingDatabase.migrations, PageSessions.migrations] + features.map(\.manifest.migrations))
    }
}
