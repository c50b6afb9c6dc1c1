public import Kernel

/// Why a manifest is not believed.
public enum ManifestError: Error, Hashable, Sendable {
    /// Not JSON of the documented shape.
    case malformed
    case tooLarge(limit: Int)
    /// The copy that came before the package says something else than the one inside.
    case copiesDiffer
    case unsupportedHash(String)
}

extension ManifestError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .malformed, .copiesDiffer: .kind(.badRequest, reason: "damagedManifest")
        case .tooLarge: .kind(.tooLarge, reason: "manifestTooLarge")
        case .unsupportedHash: .kind(.badRequest, reason: "unsupportedPackage")
        }
    }

    public var description: String {
        switch self {
        case .malformed: "The package's list of contents is damaged. Make the package again on the old device."
        case .tooLarge: "The package's list of contents is too long. Make the package again on the old device."
        case .copiesDiffer:
            "The package is not the one that the old device announced. Start the migration again on both devices."
        case .unsupportedHash:
            "The package uses a checksum that this version does not know. Update the app on this device."
        }
    }
}
