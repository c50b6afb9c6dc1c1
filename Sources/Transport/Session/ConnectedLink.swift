/// A link in use, with the two tasks that serve it.
struct ConnectedLink: Sendable {
    let link: any Link
    let writer: Task<Void, Never>
    /// Nil when the caller that attached the link reads it and passes its frames on.
    let reader: Task<Void, Never>?
    private let wakeUps: AsyncStream<Void>.Continuation

    init(
        link: any Link,
        wakeUps: AsyncStream<Void>.Continuation,
        writer: Task<Void, Never>,
        reader: Task<Void, Never>?
    ) {
        self.link = link
        self.wakeUps = wakeUps
        self.writer = writer
        self.reader = reader
    }

    /// There may be a frame to send.
    func wake() { wakeUps.yield() }

    /// Lets go of the link without closing it.
    func release() {
        wakeUps.finish()
        writer.cancel()
        reader?.cancel()
    }

    func end() async {
        release()
        await link.close()
    }
}
