public import Kernel

extension RestoreError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
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
        case .badName, .duplicateFile, .outOfOrder, .badKey: .kind(.badRequest, reason: "damagedPackage")
        case .keyDoesNotFit: .kind(.badRequest, reason: "keyDoesNotFit")
        case .recordsLost, .databaseNotClosed, .reportLost: .kind(.internal)
        }
    }

    public var description: String {
        switch self {
        case .diskFull(let needed, let free):
            """
            This device needs \(ByteSize(Int64(clamping: needed))) more for the data, and \(ByteSize(Int64(clamping: free))) are free. Free some \
            space, then go on: what came is kept.
            """
        case .impossibleSize: "The package says sizes that cannot be true. Make it again on the old device."
        case .otherPackage: "Another package came to this device in part. Finish that one, or cancel it first."
        case .busy: "This device is at work on the same data. Try again in a moment."
        case .notReady: "Nothing is ready to take the place of the data on this device. Restore a package first."
        case .badName, .duplicateFile:
            "A file in the package has a name that this device cannot keep. Make the package again on the old device."
        case .outOfOrder, .badKey:
            "The package is not made as it has to be, so nothing was replaced. Make it again on the old device."
        case .keyDoesNotFit:
            """
            The pictures in the package do not open with the key that came with them, so nothing was replaced. Make the package again on \
            the old device.
            """
        case .recordsLost, .databaseNotClosed:
            "The new data could not be put together on this device, so nothing was replaced. Try again, and report it if it fails again."
        case .reportLost:
            "The report on the restored data is gone from the state folder. The data itself is not touched by that."
        }
    }
}
