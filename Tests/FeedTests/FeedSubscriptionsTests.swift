import Feed
import Testing

@Suite("Feed: subscriptions") struct FeedSubscriptionsTests {
    private let start = ContinuousClock.now

    @Test("a follower that does not ask again expires, topic by topic, and is reported once it follows nothing")
    func expiry() {
        var subscriptions = FeedSubscriptions<String, Int>()
        subscriptions.follow(1, "a", until: start + .seconds(10))
        subscriptions.follow(2, "a", until: start + .seconds(20))
        subscriptions.follow(1, "b", until: start + .seconds(10))
        subscriptions.follow(1, "b", until: start + .seconds(30))
        #expect(Set(subscriptions.followers(of: [1], at: start)) == ["a", "b"])
        #expect(Set(subscriptions.followers(of: [1], at: start + .seconds(10))) == ["b"])
        #expect(subscriptions.sweep(at: start + .seconds(10)) == [])
        #expect(subscriptions.topics(of: "a") == [2])
        #expect(subscriptions.topics == [1, 2])
        #expect(subscriptions.sweep(at: start + .seconds(20)) == ["a"])
        #expect(subscriptions.topics == [1])
        #expect(subscriptions.followers == ["b"])
    }

    @Test("a follower of two topics is told once, and of none that it left")
    func topics() {
        var subscriptions = FeedSubscriptions<String, Int>()
        for topic in 1...3 { subscriptions.follow(topic, "a", until: start + .seconds(10)) }
        #expect(subscriptions.followers(of: [1, 2], at: start) == ["a"])
        subscriptions.unfollow(1, "a")
        #expect(subscriptions.followers(of: [1], at: start) == [])
        #expect(subscriptions.followers(of: [1, 2], at: start) == ["a"])
        subscriptions.unfollow(2, "a")
        subscriptions.unfollow(3, "a")
        subscriptions.unfollow(3, "stranger")
        #expect(subscriptions.sweep(at: start) == ["a"])
        subscriptions.follow(1, "b", until: start + .seconds(10))
        subscriptions.remove("b")
        #expect(subscriptions.sweep(at: start) == [])
        #expect(subscriptions.followers == [])
    }
}
