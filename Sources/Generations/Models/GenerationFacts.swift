import Foundation

/// `meta.json` of a generation. It is written when the generation is complete: a folder without it never was.
package struct GenerationFacts: Hashable, Codable, Sendable {
    static let byteLimit = 64 << 10

    /// The version of this layout.
    package var format: Int
    package var generation: GenerationID
    /// Since 1970-01-01T00:00:00Z, by this device's clock.
    package var createdAtMilliseconds: Int64
    /// The id of the package that it was restored from; nil for data that began on this device.
    package var restoredFrom: String?

    enum CodingKeys: String, CodingKey {
        case format
        case generation
        case createdAtMilliseconds
        case restoredFrom
    }

    init(generation: GenerationID, createdAtMilliseconds: Int64, restoredFrom: String?) {
        format = 1
        self.generation = generation
        self.createdAtMilliseconds = createdAtMilliseconds
        self.restoredFrom = restoredFrom
    }
}
