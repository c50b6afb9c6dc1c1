public import Kernel

extension RestoreError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .needsAppUpdate(let theirs, let ours):
            .kind(
                .refused,
                reason: "needsAppUpdate",
                ["theirs": .integer(Int64(theirs)), "ours": .integer(Int64(ours))]
            )
        case .tooOld(let theirs, let oldest):
            .kind(
                .refused,
                reason: "schemaTooOld",
                ["theirs": .integer(Int64(theirs)), "oldest": .integer(Int64(oldest))]
            )
        case .diskFull(let needed, let free):
            .kind(
                .full,
                reason: "diskFull",
                ["needed": .integer(Int64(clamping: needed)), "free": .integer(Int64(clamping: free))]
            )
        case .impossibleSize: .kind(.tooLarge, reason: "impossibleSize")
        case .otherPackage: .kind(.exists, reason: "otherPackage")
        case .busy: .kind(.refused, reason: "restoreBusy")
        case .notReady: .kind(.refused, reason: "restoreNotReady")
        case .badName, .duplicateEntry, .wrongSize, .damagedFile, .unlistedFile, .missingEntry, .countMismatch,
            .mediaMismatch:
            .kind(.badRequest, reason: "damagedPackage")
        case .tooLarge: .kind(.tooLarge, reason: "damagedPackage")
        case .keyDoesNotFit: .kind(.badRequest, reason: "keyDoesNotFit")
        case .databaseNotClosed: .kind(.internal)
        }
    }

    public var description: String {
        switch self {
        case .needsAppUpdate:
            "The data comes from a newer version of the app. Update the app on this device, then start again."
        case .tooOld:
            "The data comes from a version of the app that is too old. Update the app on the old device, then start again."
        case .diskFull(let needed, let free):
            """
            The data needs \(ByteSize(Int64(clamping: needed))) on this device, and \(ByteSize(Int64(clamping: free))) are free. Free some \
            space, then go on: nothing that came is lost.
            """
        case .impossibleSize: "The package says sizes that no disk has. Make it again on the old device."
        case .otherPackage: "Another package came to this device in part. Finish that one, or cancel it first."
        case .busy: "This device is busy with the same data. Try again in a moment."
        case .notReady: "The data is not complete yet, so nothing was replaced. Wait until all of it came."
        case .badName, .duplicateEntry, .unlistedFile:
            "The package has files in it that do not belong there. Make it again on the old device."
        case .wrongSize, .damagedFile, .tooLarge:
            "A file in the package is damaged, so nothing was replaced. Send the data again from the old device."
        case .missingEntry, .countMismatch, .mediaMismatch:
            "The package is not complete, so nothing was replaced. Make it again on the old device."
        case .keyDoesNotFit:
            "The pictures in the package do not open with its key, so nothing was replaced. Make it again on the old device."
        case .databaseNotClosed:
            "The new data could not be finished on this device, so nothing was replaced. Try again, and report it if it happens again."
        }
    }
}
