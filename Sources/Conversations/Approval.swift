/// A request for something that an agent may do only when a person says so, or a question of the agent. Every text was written by an agent:
/// hostile to terminals and pages.
public struct Approval: Hashable, Sendable, Identifiable {
    /// The subject of a request. An open set: one that is not known is shown as the agent wrote it, and can be declined.
    public enum Subject: Hashable, Sendable {
        /// A command to run.
        case command(Command)
        /// Files to change.
        case fileChange(FileChange)
        /// The use of another tool, such as one of an MCP server.
        case tool(ToolCall)
        /// More rights for a while, such as a network or a folder: the lines for the person.
        case permissions([String])
        /// Questions whose answers are words of the person.
        case questions([Question])
        /// A request of a kind that is not known here, as JSON text.
        case unknown(method: String, raw: ItemText)
    }

    /// A command that waits.
    public struct Command: Hashable, Sendable {
        /// The line as it would be typed. Never cut: a line that is longer than ``ItemText/limit`` is an unknown request.
        public var line: String
        /// Where it would run.
        public var folder: String?

        public init(line: String, folder: String? = nil) {
            self.line = line
            self.folder = folder
        }
    }

    /// One question of an agent.
    public struct Question: Hashable, Sendable, Identifiable {
        /// The agent's name of it, for the answer.
        public var id: String
        /// At most 2,000 characters.
        public var text: String
        /// The topic of the question, in a word or two.
        public var header: String?
        /// Answers that the agent offers; empty where only words of the person will do.
        public var choices: [String]
        /// The agent's notes on choices, by the choices' words. Choices without an entry say enough themselves.
        public var details: [String: ChoiceDetail]
        /// More than one choice may be taken.
        public var allowsSeveral: Bool
        /// The person may answer with words of their own.
        public var allowsText: Bool
        /// Whether the answer shall not be shown as it is typed.
        public var isSecret: Bool

        public init(
            id: String,
            text: String,
            header: String? = nil,
            choices: [String] = [],
            details: [String: ChoiceDetail] = [:],
            allowsSeveral: Bool = false,
            allowsText: Bool = true,
            isSecret: Bool = false
        ) {
            self.id = id
            self.text = text
            self.header = header
            self.choices = choices
            self.details = details
            self.allowsSeveral = allowsSeveral
            self.allowsText = allowsText
            self.isSecret = isSecret
        }
    }

    /// Details by which a person decides on a choice.
    public struct ChoiceDetail: Hashable, Sendable {
        /// Bytes of a preview.
        package static let previewLimit = 8 << 10

        /// One line: at most 1,000 characters.
        public var text: String?
        /// Several lines, such as a drawing: at most 8 KiB.
        public var preview: ItemText?

        public init(text: String? = nil, preview: ItemText? = nil) {
            self.text = text
            self.preview = preview
        }
    }

    /// One answer that can be given.
    public struct Option: Hashable, Sendable, Identifiable {
        /// The effect of an answer. An open set.
        public enum Kind: RawRepresentable, Hashable, Sendable {
            case allowOnce, allowForSession, decline
            /// Declines and stops the turn.
            case cancel
            /// Sends the answers to questions.
            case submit
            case other(String)

            private static let known = [allowOnce, allowForSession, decline, cancel, submit]

            public init(rawValue: String) {
                self = Self.known.first { $0.rawValue == rawValue } ?? .other(ShortText.line(rawValue, limit: 40))
            }

            public var rawValue: String {
                switch self {
                case .allowOnce: "allow_once"
                case .allowForSession: "allow_session"
                case .decline: "decline"
                case .cancel: "cancel"
                case .submit: "submit"
                case .other(let word): word
                }
            }
        }

        /// Names the option in the answer.
        public var id: String
        /// The agent's own words; nil where the kind says enough.
        public var name: String?
        public var kind: Kind

        public init(id: String, name: String? = nil, kind: Kind) {
            self.id = id
            self.name = name
            self.kind = kind
        }
    }

    /// Answers that one request offers at most, the declining one included.
    package static let optionLimit = 20

    /// Random, of this computer.
    public var id: String
    /// The thread that stands until this is answered.
    public var thread: ThreadReference
    /// When the agent asked, in milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64
    /// The action to be allowed, or the questions to be answered.
    public var subject: Subject
    /// Why, in the agent's words.
    public var reason: String?
    /// The answers that can be given, the most careful allowing one first. Never empty: there is always one that declines.
    public var options: [Option]

    public init(
        id: String,
        thread: ThreadReference,
        milliseconds: Int64,
        subject: Subject,
        reason: String? = nil,
        options: [Option]
    ) {
        self.id = id
        self.thread = thread
        self.milliseconds = milliseconds
        self.subject = subject
        self.reason = reason
        self.options = options
    }
}

/// A person's answer to an approval.
public struct ApprovalAnswer: Hashable, Sendable {
    /// The id of one of ``Approval/options``.
    public var optionID: String
    /// The person's reason, told to the agent with a refusal where it takes one: at most 2,000 characters.
    public var reason: String?
    /// The answers to questions, by the questions' ids.
    public var answers: [String: [String]]

    public init(optionID: String, reason: String? = nil, answers: [String: [String]] = [:]) {
        self.optionID = optionID
        self.reason = reason
        self.answers = answers
    }
}
