import Commands
import Conversations
package import Kernel

/// Why nothing is told of a thread. The description is shown to the person.
package enum ThreadsError: ClassifiedError, Hashable {
    case noSuchThread
    /// Several agents have a thread of this name.
    case ambiguous(id: String)
    case noSuchItem
    case tooManyThreads(limit: Int)
    case imageTooLarge(bytes: Int, limit: Int)
    case noImage
    /// Another program at the computer runs the agent in this thread.
    case runsElsewhere

    package var facts: FailureFacts {
        switch self {
        case .noSuchThread, .noSuchItem, .noImage: .code(FailureCode.notFound)
        case .ambiguous: .code(FailureCode.badParameters)
        case .tooManyThreads, .runsElsewhere: .code(FailureCode.busy)
        case .imageTooLarge: .code(FailureCode.quota)
        }
    }

    package var description: String {
        switch self {
        case .noSuchThread:
            "There is no such conversation at the computer, or not any more. Look at the list again."
        case .ambiguous(let id):
            "Several agents have a conversation called \(id). Name its agent too, for example codex."
        case .noSuchItem:
            "That part of the conversation is not there any more. Open the conversation again."
        case .tooManyThreads(let limit):
            "This device follows \(limit) conversations already. Close one of them."
        case .imageTooLarge(let bytes, let limit):
            "The picture has \(bytes >> 10) KiB; \(limit >> 10) KiB can be sent. Open it at the computer."
        case .runsElsewhere:
            "Another program at the computer is at work in this conversation. Answer there, or when it is done."
        case .noImage:
            "The history does not hold this picture."
        }
    }
}
