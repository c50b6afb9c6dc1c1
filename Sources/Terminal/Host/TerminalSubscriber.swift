import Terminal

/// A device that gets a session's output, at its own pace.
struct TerminalSubscriber {
    /// The next chunk to send it.
    var cursor: Int64
    /// The last chunk that it says it has shown; nil for a device that does not say.
    var shown: Int64?
    /// How far it may be behind, in bytes.
    var window = TerminalSession.waitingLimit
    /// When it last said what it has shown, counted from the session's start.
    var acknowledgedAt: Duration = .zero
    /// It took nothing for so long that the shell does not wait for it any more. It repairs what it misses by history.
    var isLagging = false
    /// It took something since the shell began to wait.
    var hasProgressed = false
    /// The terminal's size, as it was told last.
    var toldSize: TerminalSize?
    let wake: AsyncStream<Void>.Continuation

    /// The last chunk with which the device is done.
    var done: Int64 { shown ?? cursor - 1 }
    /// The chunk behind which it may still ask again; for a device that does not say what it has shown, only the chunk on its way lies behind.
    var safe: Int64 { shown ?? max(0, cursor - 2) }

    /// It has shown `bytes` more. What it shows in a twentieth of a second may be under way: so a fast link is never empty, and
    /// a slow one soon has done with what was written before Ctrl-C. Less than ``TerminalSession/busyLimit`` it may not be, or a
    /// device that acknowledges in steps of that size would not go on.
    mutating func acknowledge(_ bytes: Int, at time: Duration) {
        let elapsed = max((time - acknowledgedAt) / .milliseconds(1), 0.001)
        acknowledgedAt = time
        let wanted = Double(bytes) * 50 / elapsed
        let most = Double(TerminalSession.fastWaitingLimit)
        let isSlow = elapsed > Double(bytes) / Double(TerminalSession.busyLimit) * TerminalSession.slowStep
        let least = isSlow ? TerminalSession.busyLimit : TerminalSession.waitingLimit
        window = max(least, Int(min(wanted, most)))
    }
}
