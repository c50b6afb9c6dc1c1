package import Generations

/// The two entries of a package that only its reader understands.
package struct PackageChecks: Sendable {
    /// Compares the manifest inside the package with the one that came before it.
    package let checkManifest: @Sendable ([UInt8]) throws -> Void
    /// Opens `security/master_key.bin`.
    package let openKey: @Sendable ([UInt8]) throws -> MasterKey

    package init(
        checkManifest: @escaping @Sendable ([UInt8]) throws -> Void,
        openKey: @escaping @Sendable ([UInt8]) throws -> MasterKey
    ) {
        self.checkManifest = checkManifest
        self.openKey = openKey
    }
}
