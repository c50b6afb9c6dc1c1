public import Kernel

/// Why a phone may not be what its keys name, or stays what it is. The description is shown to the person.
public enum PhoneStandingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// - Parameter undoUntil: Milliseconds since 1970-01-01T00:00:00Z.
    case retired(newPhone: String, undoUntil: Int64)
    case handingOver(newPhone: String)
    /// The word is about another transfer.
    case otherTransfer
    /// The new phone has removed what it would go back to.
    case tooLate(newPhone: String)
    /// The phone goes on, but its program ended its sessions while it rested.
    case startAgain
    /// The file that says it cannot be read.
    case unreadable(path: String)

    public var description: String {
        switch self {
        case .retired(let newPhone, _):
            """
            This phone is retired: everything moved to \(newPhone), which your computers and chats know now. Nothing was \
            deleted here. To use this phone again, undo the move on \(newPhone) first, then type here: tandem migrate keep
            """
        case .handingOver(let newPhone):
            """
            This phone rests while its data moves to \(newPhone). Finish or cancel the move there. If \(newPhone) is \
            gone, type here: tandem migrate keep
            """
        case .otherTransfer:
            "The other phone spoke of another move than the one that this phone began. Nothing was changed. Begin again."
        case .tooLate(let newPhone):
            """
            The time to undo the move is over, so \(newPhone) stays the phone that your computers know. To use this phone, \
            move the data back from \(newPhone), or start it with an empty state folder.
            """
        case .startAgain:
            "This phone goes on, but its program rests since the move. Start the program again."
        case .unreadable(let path):
            """
            \(path) says whether this phone's data moved to another one, and cannot be read. Check the disk, or restore \
            the file from a backup; without it two phones might use the same keys.
            """
        }
    }
}

extension PhoneStandingError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .retired(let newPhone, let end):
            .kind(.refused, reason: "phoneRetired", ["newPhone": .string(newPhone), "undoUntil": .integer(end)])
        case .handingOver(let newPhone): .kind(.refused, reason: "phoneHandingOver", ["newPhone": .string(newPhone)])
        case .otherTransfer: .kind(.badRequest)
        case .tooLate(let newPhone): .kind(.expired, reason: "phoneKeptTooLate", ["newPhone": .string(newPhone)])
        case .startAgain: .kind(.refused, reason: "phoneStartAgain")
        case .unreadable: .kind(.internal)
        }
    }
}
