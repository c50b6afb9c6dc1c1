public import Kernel

/// The two copies of a package's manifest: the inner one is an entry of the archive whose size and hash it cannot hold, so it has 0 and
/// an empty text there; the outer one travels before the package and has the real values.
public enum ManifestCopies {
    /// Bytes of a manifest: 10,000 files are listed in it, longer lists in a file of their own.
    static let maximumByteCount = 8 << 20

    /// Reads one copy.
    ///
    /// - Throws: ``ContainerError/manifestTooLarge(limit:)``, ``ContainerError/malformedManifest``, ``ContainerError/unsupported(_:)``.
    public static func read(_ bytes: [UInt8]) throws(ContainerError) -> JSONValue {
        guard bytes.count <= maximumByteCount else { throw .manifestTooLarge(limit: maximumByteCount) }
        guard let manifest = try? JSONValue(parsing: bytes), case .object(let members) = manifest,
            case .object(let integrity)? = members["integrity"],
            case .string(let algorithm)? = integrity["hashAlgorithm"]
        else { throw .malformedManifest }
        guard algorithm == "SHA256" else { throw .unsupported("checksum") }
        return manifest
    }

    /// Compares the copies in every key but the two that only the outer one can hold; what an old writer put there inside is ignored.
    ///
    /// - Throws: ``ContainerError/manifestsDiffer``, ``ContainerError/malformedManifest``.
    public static func check(outer: JSONValue, inner: JSONValue) throws(ContainerError) {
        guard try withoutArchive(outer) == withoutArchive(inner) else { throw .manifestsDiffer }
    }

    /// The inner copy that belongs to an outer one.
    public static func inner(of outer: JSONValue) throws(ContainerError) -> JSONValue { try withoutArchive(outer) }

    private static func withoutArchive(_ manifest: JSONValue) throws(ContainerError) -> JSONValue {
        guard case .object(var members) = manifest, case .object(var integrity)? = members["integrity"] else {
            throw .malformedManifest
        }
        integrity["zipSize"] = .integer(0)
        integrity["zipSHA256"] = .string("")
        members["integrity"] = .object(integrity)
        return .object(members)
    }
}
