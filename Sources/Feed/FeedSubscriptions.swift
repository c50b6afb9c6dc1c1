/// The followers of each topic of a feed, and until when: one that does not ask again expires.
package struct FeedSubscriptions<Follower: Hashable & Sendable, Topic: Hashable & Sendable>: Sendable {
    private var ends: [Follower: [Topic: ContinuousClock.Instant]] = [:]

    package init() {}

    /// Begins or renews a subscription.
    package mutating func follow(_ topic: Topic, _ follower: Follower, until end: ContinuousClock.Instant) {
        ends[follower, default: [:]][topic] = end
    }

    package mutating func unfollow(_ topic: Topic, _ follower: Follower) { ends[follower]?[topic] = nil }

    package mutating func remove(_ follower: Follower) { ends[follower] = nil }

    /// Leaves out what expired.
    ///
    /// - Returns: The followers that follow nothing any more.
    package mutating func sweep(at now: ContinuousClock.Instant) -> Set<Follower> {
        let before = followers
        ends = ends.mapValues { $0.filter { $0.value > now } }.filter { !$0.value.isEmpty }
        return before.subtracting(followers)
    }

    package var followers: Set<Follower> { Set(ends.keys) }

    /// The topics that anyone follows.
    package var topics: Set<Topic> { Set(ends.values.flatMap(\.keys)) }

    package func topics(of follower: Follower) -> Set<Topic> { Set(ends[follower, default: [:]].keys) }

    /// - Returns: Each follower of one or more of the topics, once.
    package func followers(of topics: Set<Topic>, at now: ContinuousClock.Instant) -> [Follower] {
        ends.filter { _, ends in topics.contains { topic in ends[topic].map { $0 > now } ?? false } }.map(\.key)
    }
}
