import Kernel

/// The name of a generation's folder: `gen-` and 16 hexadecimal digits.
package struct GenerationID: Hashable, Sendable, CustomStringConvertible {
    static let prefix = "gen-"

    package let name: String

    /// Nil for a text that is no such name.
    package init?(_ name: String) {
        guard name.utf8.count == 20, name.hasPrefix(Self.prefix),
            name.utf8.dropFirst(4).allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.name = name
    }

    /// A new name.
    init(random: any RandomPort) { name = Self.prefix + Hexadecimal.encode(random.bytes(8)) }

    package var description: String { name }
}

extension GenerationID: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = GenerationID(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no name of a generation")
            )
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
