public import Kernel

/// How long a message is tried. Source: rule Q8.
public struct SendPolicy: Sendable {
    /// For the answer of one attempt to send.
    public var sendTimeout: Duration
    /// For the upload of one file.
    public var uploadTimeout: Duration
    /// Tries of one message, the first included, at least 1. Only a server that does not answer is tried again.
    public var attempts: Int
    public var backoff: Backoff
    /// Messages that may wait, of all conversations.
    public var limit: Int

    public init(
        sendTimeout: Duration = .seconds(30),
        uploadTimeout: Duration = .seconds(600),
        attempts: Int = 6,
        backoff: Backoff = Backoff(steps: [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16)]),
        limit: Int = 1000
    ) {
        self.sendTimeout = sendTimeout
        self.uploadTimeout = uploadTimeout
        self.attempts = max(1, attempts)
        self.backoff = backoff
        self.limit = limit
    }
}
