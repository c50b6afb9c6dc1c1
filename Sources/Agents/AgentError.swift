package import Conversations

/// Why an agent did not do what a person asked. The description is shown to the person: what happened, then what to do.
package enum AgentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No program of this agent is known, or its name is not in the settings.
    case unknownAgent(Agent)
    /// - Parameter how: The instructions, a whole sentence.
    case notInstalled(name: String, how: String)
    /// The program runs and wants the person to sign in first.
    case notSignedIn(name: String, text: String)
    /// The program could not be started at all.
    case notStarted(name: String, reason: String)
    /// The program ended by itself or wrote what cannot be read.
    case died(name: String, how: String, lastWords: String)
    /// The program refuses for the moment, also after several tries.
    case busy(name: String)
    /// The program answered with an error of its own.
    case refused(name: String, reason: String)
    case timedOut(name: String, after: Duration)
    case unknownThread(ThreadReference)
    /// The agent cannot open a thread again that it has not open.
    case cannotResume(name: String)
    /// The folder of the thread is not known, so that the agent would not find it.
    case folderUnknown(ThreadReference)
    case folderMissing(String)
    case attachmentMissing(String)
    case attachmentTooLarge(name: String, limit: Int)
    case storageFailed(String)
    case nothingToSay
    case textTooLong(limit: Int)
    case tooMany(what: String, limit: Int)
    case unknownApproval
    case optionNotOffered(String)
    /// A question that must be answered was not, or not in its form.
    case answerMissing(question: String)
    /// ``AgentSessions/close()`` was called.
    case closed

    package var description: String {
        switch self {
        case .unknownAgent(let agent):
            "This computer knows no agent called \(agent). Look at `threads agents` for those it has."
        case .notInstalled(let name, let how): "\(name) is not installed on this computer. \(how)"
        case .notSignedIn(let name, let text):
            "\(name) is not signed in\(text.isEmpty ? "" : " (\(text))"). Sign in with it in a terminal of this computer, then try again."
        case .notStarted(let name, let reason):
            "\(name) could not be started: \(reason). Start it in a terminal to see why."
        case .died(let name, let how, let words):
            "\(name) \(how)\(words.isEmpty ? "" : "; it last said: \(words)"). Post to the thread to start it again."
        case .busy(let name): "\(name) has too much to do at the moment. Try again in a minute."
        case .refused(let name, let reason): "\(name) refused: \(reason). Change what it objects to, then try again."
        case .timedOut(let name, let duration):
            "\(name) did not answer within \(duration.components.seconds) seconds. Try again; if it stays so, start it in a terminal to see why."
        case .unknownThread(let thread):
            "\(thread.agent) has no thread \(thread.id) here. List the threads again."
        case .cannotResume(let name):
            "\(name) cannot open a thread of an earlier run again. Start a new thread with it."
        case .folderUnknown(let thread):
            "The folder of thread \(thread.id) is not known, so its agent would not find it. Open it once on the computer itself."
        case .folderMissing(let folder):
            "There is no folder \(folder) on this computer. Choose one that exists."
        case .attachmentMissing(let path):
            "There is no file \(path) on this computer, or it may not be read. Attach another one."
        case .attachmentTooLarge(let name, let limit):
            "\(name) is larger than the \(limit >> 20) MiB of an attachment. Copy it to the computer, then name its path."
        case .storageFailed(let reason):
            "The attachment could not be kept: \(reason). Make room on the computer's disk."
        case .nothingToSay: "There is nothing to post. Write a text or attach a file."
        case .textTooLong(let limit): "The text is longer than \(limit >> 10) KiB. Attach it as a file."
        case .tooMany(let what, let limit): "There are already \(limit) \(what). Wait until one has ended, or stop one."
        case .unknownApproval: "This request of an agent is over or was never made. Look at what waits now."
        case .optionNotOffered(let option):
            "The agent does not offer the answer \(option). Choose one of those it offers."
        case .answerMissing(let question):
            "The question is not answered in its form. Answer it, or decline: \(question)"
        case .closed: "This computer's agents are being ended. Try again when Tandem runs."
        }
    }
}
