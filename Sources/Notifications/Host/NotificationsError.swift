import CommandServer
import Commands
import Kernel
import Notifications

/// Why something about notifications was not done. The description is shown to the person.
enum NotificationsError: Error, Hashable {
    case unknown(id: String)
    case hasNoPicture
    /// The program or desktop that showed it takes no presses from elsewhere, or it was closed.
    case cannotAct(reason: String)
    case noSuchAction
    case takesNoReply
    case tooManyPrograms(limit: Int)
    /// No module of this computer sends pushes.
    case cannotPush
    case badRegistration(reason: String)
    /// The private key of a registration would go over the wire for anybody to read.
    case pushInTheClear
}

extension NotificationsError: ClassifiedError {
    var facts: FailureFacts {
        switch self {
        case .unknown, .hasNoPicture: .code(FailureCode.notFound)
        case .noSuchAction, .takesNoReply, .badRegistration: .code(FailureCode.badParameters)
        case .cannotAct, .cannotPush, .pushInTheClear: .code(FailureCode.unsupported)
        case .tooManyPrograms: .code(FailureCode.quota)
        }
    }

    var description: String {
        switch self {
        case .unknown: "There is no such notification any more. Refresh the list."
        case .hasNoPicture: "This notification has no picture."
        case .cannotAct(let reason), .badRegistration(let reason): reason
        case .noSuchAction: "The parameter action must be the id of one of this notification's buttons."
        case .takesNoReply: "The parameter text must be left out: this notification takes no answer."
        case .tooManyPrograms(let limit):
            "Notifications of \(limit) programs are switched off already. Let some of them through first."
        case .pushInTheClear:
            "This phone does not seal, so anybody on the way would read the key that signs its pushes. Pair it with a program that seals."
        case .cannotPush: "This computer cannot send pushes. Update Tandem on it."
        }
    }
}
