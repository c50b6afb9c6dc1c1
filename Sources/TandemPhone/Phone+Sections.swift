package import CommandClient
import Foundation
import Pairing
import Sealing
package import Sections
import Storage

extension Phone {
    /// The sections that a phone with its features has.
    package nonisolated var sections: SectionCatalogue {
        get throws(SectionError) { try .phone(with: configuration.features) }
    }

    /// The places that its sections are taken from. The phone rests before: see ``StandingKeeper``.
    package nonisolated var sectionSource: SectionExport.Source {
        let own = state.features.own.map { ($0.schema.name, $0.database) }
        let folder = state.folder
        return SectionExport.Source(
            database: state.database,
            own: Dictionary(own, uniquingKeysWith: { first, _ in first }),
            state: folder,
            // A phone in memory has no files of keys.
            keys: folder == nil
                ? ["identity": state.identity.stored, "device-id": Array(state.deviceID.utf8)] : [:],
            featureFolder: { [features = state.features] in try features.storage(of: $0, own: []).folder() }
        )
    }

    /// How many computers it is paired with.
    package nonisolated var pairedComputerCount: Int { desktops.all().count }

    /// The name by which other devices know it.
    package nonisolated var deviceName: String { configuration.device.name }

    /// The feature of a type, for one that moves its data; nil where this phone has none.
    package nonisolated func feature<Feature: PeerFeature>(_ type: Feature.Type) -> Feature? {
        features.all.lazy.compactMap { $0 as? Feature }.first
    }
}
