/// How long a request may take. How long a connection may take to be made is a setting of the client: no library tells a single request of it.
public struct WebTimeouts: Hashable, Sendable {
    /// The longest time without a sign of the server: from the last piece of the request that it took to the answer's head, and from piece to
    /// piece of its body. The time that the reader of a body takes does not count.
    public var idle: Duration
    /// The longest time from asking to the end of the body, also the reader's.
    public var whole: Duration

    public init(idle: Duration = .seconds(30), whole: Duration = .seconds(60)) {
        self.idle = idle
        self.whole = whole
    }
}
