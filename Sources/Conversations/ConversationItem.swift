/// One thing that happened in a thread, the same for every agent.
public struct ConversationItem: Hashable, Sendable, Identifiable {
    /// Stays the same however often the thread is read: the agent's own id of the record, or its place in the file.
    public var id: String
    /// Milliseconds since 1970-01-01T00:00:00Z; nil where the agent noted no time.
    public var milliseconds: Int64?
    /// The offset of the first byte of its line in the plain text of the file; in a file that is one JSON object, the record's number.
    public var position: Int64
    /// Parts of one answer have the same one. A later part of a text may arrive after the first was read.
    public var messageID: String?
    public var content: Content

    public init(
        id: String,
        milliseconds: Int64? = nil,
        position: Int64,
        messageID: String? = nil,
        content: Content
    ) {
        self.id = id
        self.milliseconds = milliseconds
        self.position = position
        self.messageID = messageID
        self.content = content
    }

    /// The content of an item. Every text is hostile to terminals and pages.
    public enum Content: Hashable, Sendable {
        case userMessage(ItemText)
        case agentMessage(ItemText)
        case reasoning(ItemText)
        case toolCall(ToolCall)
        case toolOutput(ToolOutput)
        case fileChange(FileChange)
        case plan(Plan)
        /// A summary that replaced the earlier items for the model; the person may still read those.
        case compaction(ItemText)
        case image(ImageLeftOut)
        case notice(Notice)
        /// A record of a kind that is not known here.
        case unknown(type: String)
    }
}

/// A tool that the agent asked for.
public struct ToolCall: Hashable, Sendable {
    /// Joins it with its output.
    public var callID: String?
    /// The tool's name.
    public var name: String
    /// JSON text, or what the tool takes instead.
    public var arguments: ItemText

    public init(callID: String? = nil, name: String, arguments: ItemText) {
        self.callID = callID
        self.name = name
        self.arguments = arguments
    }
}

/// The output of a tool.
public struct ToolOutput: Hashable, Sendable {
    /// Joins it with its call.
    public var callID: String?
    public var text: ItemText
    /// How it ended.
    public var outcome: ToolOutcome

    public init(callID: String? = nil, text: ItemText, outcome: ToolOutcome) {
        self.callID = callID
        self.text = text
        self.outcome = outcome
    }
}

/// How a tool ended.
public enum ToolOutcome: Hashable, Sendable {
    case succeeded
    /// Failed, with the exit code of a command where one is known.
    case failed(code: Int64?)
    /// The agent did not note it.
    case unknown
}

/// Files that the agent changes.
public struct FileChange: Hashable, Sendable {
    /// One file of a change.
    public struct File: Hashable, Sendable {
        /// The path as the agent wrote it.
        public var path: String
        public var kind: Kind

        public init(path: String, kind: Kind) {
            self.path = path
            self.kind = kind
        }
    }

    /// The kind of change to a file.
    public enum Kind: Hashable, Sendable {
        case added, updated, deleted
        /// Written whole; whether it was there before is not known.
        case written
        case moved(to: String)
    }

    /// Files of one change that are named.
    package static let fileLimit = 200

    /// Joins it with the tool's output.
    public var callID: String?
    /// At most 200 files.
    public var files: [File]
    /// A patch in the agent's own form.
    public var patch: ItemText
    /// How the change ended; unknown for one that was only asked for.
    public var outcome: ToolOutcome

    public init(callID: String? = nil, files: [File], patch: ItemText, outcome: ToolOutcome) {
        self.callID = callID
        self.files = files
        self.patch = patch
        self.outcome = outcome
    }
}

/// The agent's list of steps.
public struct Plan: Hashable, Sendable {
    /// One step and how far it is.
    public struct Step: Hashable, Sendable {
        /// The task of the step, on one line.
        public var text: String
        /// How far it is.
        public var state: StepState

        public init(text: String, state: StepState) {
            self.text = text
            self.state = state
        }
    }

    /// How far a step is. An open set.
    public enum StepState: Hashable, Sendable {
        case pending, running, done
        case other(String)

        private static let agentWords: WordTable<StepState> = [
            "pending": .pending, "in_progress": .running, "completed": .done,
        ]

        /// Reads the word that Claude Code, Codex and the Agent Client Protocol have for it.
        package init(agentWord word: String?) {
            self = word.map { Self.agentWords.known($0) ?? .other(ShortText.line($0, limit: 80)) } ?? .pending
        }

        package var agentWord: String {
            if case .other(let word) = self { word } else { Self.agentWords.word(of: self) }
        }
    }

    /// Steps of one plan that are kept.
    package static let stepLimit = 200

    /// Joins it with the tool's output.
    public var callID: String?
    /// Why the agent plans this.
    public var explanation: ItemText?
    /// At most 200 steps.
    public var steps: [Step]

    public init(callID: String? = nil, explanation: ItemText? = nil, steps: [Step]) {
        self.callID = callID
        self.explanation = explanation
        self.steps = steps
    }
}

/// A picture that stays on the computer.
public struct ImageLeftOut: Hashable, Sendable {
    /// The side that showed the picture.
    public enum Origin: String, Hashable, Sendable { case user, agent, tool }

    public var origin: Origin
    /// The media type as the agent noted it.
    public var mediaType: String?
    /// The size of the picture itself; nil where it lies in a file or behind an address.
    public var byteCount: Int?
    /// The path or address of a picture that is not in the history.
    public var location: String?

    public init(origin: Origin, mediaType: String? = nil, byteCount: Int? = nil, location: String? = nil) {
        self.origin = origin
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.location = location
    }
}

/// A note about the conversation rather than a part of it.
public struct Notice: Hashable, Sendable {
    /// The kind of a notice. An open set.
    public enum Kind: Hashable, Sendable {
        case error
        /// The turn was stopped before its end.
        case interrupted
        /// A command of the agent's own, like `/model`.
        case command
        case review
        case goal
        case other(String)
    }

    public var kind: Kind
    /// The text that the agent wrote with it.
    public var text: ItemText

    public init(kind: Kind, text: ItemText) {
        self.kind = kind
        self.text = text
    }
}
