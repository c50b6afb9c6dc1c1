/// How a shell ended.
package enum TerminalExit: Hashable, Sendable {
    case exited(code: Int32)
    case killed(signal: Int32)

    /// One number for both, as shells count: 128 and the signal's number for a killed program.
    package var code: Int32 {
        switch self {
        case .exited(let code): code
        case .killed(let signal): 128 + signal
        }
    }

    /// The signal's number; nil for a shell that ended by itself.
    package var signal: Int32? {
        if case .killed(let signal) = self { signal } else { nil }
    }
}
