/// A named and versioned part of a device's other data, which a package takes as entries below `sections/NAME/`. What is in it is for whoever
/// wrote it to read: the package only proves that it came as it was.
public struct BackupSection: Codable, Hashable, Sendable {
    /// Small letters, digits and hyphens, at most 64.
    public let name: String
    /// Above 0. A device that knows only lower ones refuses the package before it takes anything of it.
    public let version: Int
    /// Its files in the order in which they are read, each a path below the section's folder.
    public let paths: [String]

    public init(name: String, version: Int, paths: [String]) {
        self.name = name
        self.version = version
        self.paths = paths
    }

    /// The name of the folder of all sections in a package.
    static let folder = "sections/"

    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
