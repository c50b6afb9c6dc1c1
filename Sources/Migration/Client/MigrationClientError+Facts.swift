package import Kernel

extension MigrationClientError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .busy: .kind(.refused, reason: "migrateBusy")
        case .nothingUnderWay: .kind(.notFound, reason: "migrateNothing")
        case .notMovable: .kind(.refused, reason: "migrateNotMovable")
        case .doesNotRest: .kind(.refused, reason: "migrateDoesNotRest")
        case .fileExists(let path): .kind(.exists, reason: "migrateFileExists", ["path": .string(path)])
        case .cannotRead(let path): .kind(.notFound, reason: "migrateCannotRead", ["path": .string(path)])
        case .cannotWrite(let path): .kind(.refused, reason: "migrateCannotWrite", ["path": .string(path)])
        case .nothingToUndo: .kind(.notFound, reason: "migrateNothingToUndo")
        case .cannotStartAgain: .kind(.refused, reason: "migrateCannotStartAgain")
        case .nothingToStart: .kind(.refused, reason: "migrateNothingToStart")
        case .nothingReady: .kind(.refused, reason: "migrateNothingReady")
        case .beginAnew: .kind(.refused, reason: "migrateBeginAnew")
        case .notRestoredThere(let code): .kind(.refused, reason: "migrateNotRestored", ["code": .string(code)])
        case .notPutIntoPlace: .kind(.internal, reason: "migrateNotPutIntoPlace")
        }
    }

    package var description: String {
        switch self {
        case .busy:
            "A move is under way on this phone. Look at it with: tandem migrate status. End it with: tandem migrate cancel"
        case .nothingUnderWay:
            "No move is under way on this phone that this could be about. Begin one, or look with: tandem migrate status"
        case .notMovable:
            "This phone keeps its data in memory, or has no journal, so there is nothing to move. Start it with a state folder."
        case .doesNotRest:
            """
            This phone did not end its connections in time, so its data was not taken out. Start its program again, and then \
            begin again.
            """
        case .fileExists(let path):
            "\(path) is there already, and nothing is written over it. Give another name."
        case .cannotRead(let path):
            "\(path) cannot be read on this phone. Check the name, and whether the program may read it."
        case .cannotWrite(let path):
            "\(path) could not be written on this phone. Check the folder and the free space; nothing of the phone was changed."
        case .nothingToUndo:
            "This phone keeps no earlier data, so there is nothing to go back to. It is kept for seven days after a move."
        case .cannotStartAgain:
            "This phone's program cannot start itself again. End it, and start it again in the same way."
        case .nothingToStart:
            "Nothing on this phone waits for a start of its program. Look at the move with: tandem migrate status"
        case .nothingReady:
            "No data waits on this phone to be put into place. Restore a package first with: tandem migrate restore FILE"
        case .beginAnew:
            """
            This phone's data changed since its package was begun, so that package cannot be finished. Begin the move anew on \
            both phones.
            """
        case .notRestoredThere(let code):
            """
            The new phone could not use the data (\(code)), and kept what it had. This phone goes on once its program is \
            started again. See the new phone for what to do there.
            """
        case .notPutIntoPlace(let reason):
            "The data that came was not put into place on this phone, which has what it had: \(reason)"
        }
    }
}
