/// The checksums of a whole package, in lower-case hexadecimal digits. They tell accidents; that nobody changed the package is proved by its
/// segments.
public struct PackageDigests: Codable, Hashable, Sendable {
    /// Of the archive in it.
    public let zipSHA256: String
    /// Of the package as it travels.
    public let encSHA256: String

    public init(zipSHA256: String, encSHA256: String) {
        self.zipSHA256 = zipSHA256
        self.encSHA256 = encSHA256
    }

    /// - Parameter announced: An empty text is one that was not known.
    /// - Throws: ``ContainerError/digestMismatch(_:)``.
    public func check(announced: PackageDigests) throws(ContainerError) {
        guard announced.encSHA256.isEmpty || announced.encSHA256.lowercased() == encSHA256 else {
            throw .digestMismatch("encSHA256")
        }
        guard announced.zipSHA256.isEmpty || announced.zipSHA256.lowercased() == zipSHA256 else {
            throw .digestMismatch("zipSHA256")
        }
    }
}
