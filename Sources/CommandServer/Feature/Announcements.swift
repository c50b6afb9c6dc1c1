import Kernel

/// Something that a feature has to say to the computer's people, wherever they are.
package struct Announcement: Hashable, Sendable {
    /// How much it wants to be noticed. Raw values are the wire's priorities of notifications.
    package enum Urgency: String, Hashable, Sendable {
        case low, normal, high, urgent
    }

    /// The speaker's name for people: an agent's, for example.
    package var speaker: String
    /// The subject: an announcement replaces an earlier one with the same key and speaker. Nil: it stands for itself.
    package var key: String?
    package var title: String
    package var body: String
    package var urgency: Urgency
    /// For programs: where in Tandem it leads.
    package var data: [String: String]

    package init(
        speaker: String,
        key: String? = nil,
        title: String,
        body: String,
        urgency: Urgency = .normal,
        data: [String: String] = [:]
    ) {
        self.speaker = speaker
        self.key = key
        self.title = title
        self.body = body
        self.urgency = urgency
        self.data = data
    }
}

/// Where features say things for people. The features that speak and the one that tells phones know only this.
package final class Announcements: Sendable {
    private let broadcaster = Broadcaster<Announcement>(capacity: 256)

    package init() {}

    /// Returns at once. What is said before anyone listens is lost.
    package func announce(_ announcement: Announcement) { broadcaster.send(announcement) }

    /// Subscribes to announcements from now on, one stream per reader.
    package func stream() -> AsyncStream<Announcement> { broadcaster.subscribe() }
}
