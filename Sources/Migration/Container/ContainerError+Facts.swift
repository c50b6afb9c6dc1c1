public import Kernel

extension ContainerError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .notAPackage: .kind(.badRequest, reason: "notAPackage")
        case .unsupported: .kind(.badRequest, reason: "unsupportedPackage")
        case .unsupportedKDFParameters: .kind(.badRequest, reason: "unsupportedKDFParameters")
        case .wrongPassword: .kind(.refused, reason: "wrongPassword")
        case .sessionNeeded: .kind(.badRequest, reason: "sessionNeeded")
        case .damagedHeader, .damagedSegment, .damagedMasterKey: .kind(.badRequest, reason: "damagedPackage")
        case .truncated: .kind(.badRequest, reason: "truncatedPackage")
        case .trailingData: .kind(.badRequest, reason: "trailingData")
        case .tooLarge: .kind(.tooLarge, reason: "packageTooLarge")
        case .weakPassword: .kind(.badRequest, reason: "weakPassword")
        case .malformedManifest, .manifestsDiffer: .kind(.badRequest, reason: "damagedManifest")
        case .manifestTooLarge: .kind(.tooLarge, reason: "manifestTooLarge")
        case .needsAppUpdate: .kind(.badRequest, reason: "needsAppUpdate")
        case .schemaTooOld: .kind(.badRequest, reason: "schemaTooOld")
        case .schemaVersionsDiffer: .kind(.badRequest, reason: "schemaVersionsDiffer")
        case .missingEntry, .unexpectedEntry, .malformedRecords, .countMismatch, .damagedFile, .digestMismatch:
            .kind(.badRequest, reason: "damagedPackage")
        case .recordsTooLarge: .kind(.tooLarge, reason: "recordsTooLarge")
        case .sourceChanged: .kind(.refused, reason: "sourceChanged")
        case .invalidArgument: .kind(.internal)
        }
    }

    public var description: String {
        switch self {
        case .notAPackage: "This file is not a backup package. Choose the file whose name ends in .enc."
        case .unsupported(let field):
            "The package uses a \(field) that this version does not know. Update the app on this device."
        case .unsupportedKDFParameters:
            "The package asks for a password check outside the accepted limits. It may be damaged; make it again on the old device."
        case .wrongPassword: "The migration password is wrong. Type it as it was set on the old device."
        case .sessionNeeded:
            "This package was made for a direct transfer and cannot be opened alone. Start the transfer again."
        case .damagedHeader: "The package's header is damaged. Copy the package again from the old device."
        case .damagedSegment(let index):
            "The package is damaged in segment \(index). Copy it again from the old device."
        case .truncated: "The package is not complete. Copy it again from the old device."
        case .trailingData: "The package has bytes after its end. Copy it again from the old device."
        case .tooLarge: "The package is too large for its format."
        case .weakPassword:
            "The password is too easy to guess. Use at least \(MigrationPassword.minimumLength) characters, or let the app make one."
        case .invalidArgument(let name): "The package cannot be made or read: \(name) is out of range."
        case .malformedManifest:
            "The package's list of contents is damaged. Make the package again on the old device."
        case .manifestTooLarge:
            "The package's list of contents is too long. Make the package again on the old device."
        case .manifestsDiffer:
            "The package is not the one that the old device announced. Start the migration again on both devices."
        case .needsAppUpdate(let theirs, let ours):
            "The package has data of version \(theirs), and this device knows \(ours). Update the app on this device."
        case .schemaTooOld(let theirs, let minimum):
            "The package has data of version \(theirs), and this device reads from \(minimum) on. Update the app on the old device."
        case .schemaVersionsDiffer:
            "The old device announced other data than the package holds. Start the migration again on both devices."
        case .missingEntry(let name):
            "The package lacks \(name). Make the package again on the old device."
        case .unexpectedEntry(let name):
            "The package holds \(name), which has no place in it. Make the package again on the old device."
        case .malformedRecords(let name), .damagedFile(let name):
            "The package holds \(name) with damage. Make the package again on the old device."
        case .recordsTooLarge(let name):
            "The package has more in \(name) than a package may hold. Shorten the largest entries on the old device."
        case .countMismatch(let name):
            "The package holds another number of \(name) than it says. Make the package again on the old device."
        case .digestMismatch:
            "The package did not arrive as it was sent. Start the transfer again on both devices."
        case .sourceChanged:
            "The data changed while it was being packed. Start the transfer again on the old device."
        case .damagedMasterKey:
            "The key of the media in the package is damaged. Make the package again on the old device."
        }
    }
}
