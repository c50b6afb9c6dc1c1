package import MigrationContainer

/// What a package promises before it comes.
package struct RestorePlan: Sendable {
    /// The copy that came before the package, authenticated. The package's own copy is compared with it.
    package let manifest: Manifest
    /// What a later run has to be sent to go on with, for example the hash of the container's header and the transfer's id. 1 byte to 1 KiB.
    package let binding: [UInt8]
    /// Bytes of the package's archive.
    package let archiveBytes: UInt64
    /// Whether the disk gets back the package's bytes of files that are staged, so that it has no file twice for long.
    package let isGivenBack: Bool

    package init(manifest: Manifest, binding: [UInt8], archiveBytes: UInt64, isGivenBack: Bool = false) {
        self.manifest = manifest
        self.binding = binding
        self.archiveBytes = archiveBytes
        self.isGivenBack = isGivenBack
    }
}
