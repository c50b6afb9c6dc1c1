import Capabilities

/// A rate of a hub's conversations that its operator may set.
enum ChatRate: String, CaseIterable, Sendable {
    case messageBurst, messagesPerSecond, requestBurst, requestsPerSecond, strangerBurst, strangersPerHour

    /// What may be set: with 0 nobody could do anything.
    static let values: ClosedRange<Int64> = 1...1_000_000

    /// The setting's name.
    var name: String { "chat" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    var path: any WritableKeyPath<ChatHubSettings, Double> & Sendable {
        switch self {
        case .messageBurst: \.messageBurst
        case .messagesPerSecond: \.messagesPerSecond
        case .requestBurst: \.requestBurst
        case .requestsPerSecond: \.requestsPerSecond
        case .strangerBurst: \.strangerBurst
        case .strangersPerHour: \.strangersPerHour
        }
    }

    private var unit: String {
        switch self {
        case .messageBurst, .requestBurst, .strangerBurst: "at once"
        case .messagesPerSecond, .requestsPerSecond: "a second"
        case .strangersPerHour: "an hour"
        }
    }

    private var summary: String {
        switch self {
        case .messageBurst: "Messages of one person: 429 beyond it"
        case .messagesPerSecond: "Messages of one person, on average"
        case .requestBurst: "Chat requests of one person that are no messages: 429 beyond it"
        case .requestsPerSecond: "Chat requests of one person that are no messages, on average"
        case .strangerBurst: "Conversations that one person begins with strangers: 429 beyond it"
        case .strangersPerHour: "Conversations that one person begins with strangers, on average"
        }
    }

    var setting: FeatureSetting {
        FeatureSetting(name, .integer, summary: "\(summary) (\(Int(ChatHubSettings()[keyPath: path])) \(unit)).")
    }

    func limit(in settings: ChatHubSettings) -> FeatureLimit {
        FeatureLimit(
            name,
            Int(settings[keyPath: path]),
            standard: Int(ChatHubSettings()[keyPath: path]),
            unit: unit,
            summary: summary + "."
        )
    }
}

extension ChatHubLimits {
    /// For the list of a hub's limits. They cannot be set.
    static var listed: [FeatureLimit] {
        [
            FeatureLimit(
                "chatContentBytes",
                contentBytes,
                unit: "bytes",
                summary: "The content of a message that is not sealed."
            ),
            FeatureLimit("chatSealedBytes", sealedBytes, unit: "bytes", summary: "The content of a sealed message."),
            FeatureLimit(
                "chatConnections",
                connections,
                unit: "sockets",
                summary: "Chat sockets of one person: the next one is refused."
            ),
            FeatureLimit(
                "chatWaitingPushes",
                waiting,
                unit: "pushes",
                summary: "Pushes that wait for one socket: beyond it they are dropped, and it asks for what is missing."
            ),
            FeatureLimit("chatBlocks", blocks, unit: "people", summary: "People whom one person blocks."),
            FeatureLimit("chatReports", reports, unit: "reports", summary: "Open reports of one person."),
        ]
    }
}
