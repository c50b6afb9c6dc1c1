import Foundation

/// The terminal that a role was started on. Its window may be closed while the role runs.
struct StartingTerminal: Sendable {
    private let descriptor: Int32

    /// - Parameter descriptor: Stays open.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Nil where standard input is no terminal, and where whoever started this process had SIGHUP ignored, as nohup does.
    static func ofThisProcess() -> StartingTerminal? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let handler = signal(SIGHUP, SIG_DFL)
        signal(SIGHUP, handler)
        // Functions in C cannot be compared, and this one is only a number.
        let isIgnored = unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        return isIgnored ? nil : StartingTerminal(STDIN_FILENO)
    }

    /// Whether its window is closed, or its connection lost.
    var isHungUp: Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&state, 1, 0) == 1, state.revents & Int16(POLLHUP) != 0 { return true }
        // A terminal that is there and is not this process's own says something else.
        return tcgetpgrp(descriptor) < 0 && errno == EIO
    }
}
