package import Agents
import Commands
package import Kernel
package import ThreadIndex

// The modules that drive agents and index their threads know no devices; here it is said with what these are refused.

extension AgentError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .unknownThread, .unknownApproval, .folderMissing, .folderUnknown, .attachmentMissing:
            .code(FailureCode.notFound)
        case .unknownAgent, .nothingToSay, .optionNotOffered, .answerMissing, .textTooLong, .attachmentTooLarge:
            .code(FailureCode.badParameters)
        case .notInstalled, .notSignedIn, .cannotResume: .code(FailureCode.unsupported)
        case .busy, .tooMany: .code(FailureCode.busy)
        case .notStarted, .died, .refused, .timedOut, .storageFailed, .closed: .code(FailureCode.internalError)
        }
    }
}

extension ThreadIndexError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .unknownThread: .code(FailureCode.notFound)
        case .badCursor, .queryTooLong: .code(FailureCode.badParameters)
        case .unreadable: .code(FailureCode.quota)
        case .cacheFailed: .code(FailureCode.internalError)
        }
    }
}
