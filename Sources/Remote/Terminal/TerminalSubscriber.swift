/// A device that gets a session's output, at its own pace.
struct TerminalSubscriber {
    /// The next chunk to send it.
    var cursor: Int64
    /// The last chunk that it says it has shown; nil for a device that does not say.
    var shown: Int64?
    /// It took nothing for so long that the shell does not wait for it any more. It repairs what it misses by history.
    var isLagging = false
    /// It took something since the shell began to wait.
    var hasProgressed = false
    let wake: AsyncStream<Void>.Continuation

    /// Up to where it is done with the output.
    var done: Int64 { shown ?? cursor - 1 }
}
