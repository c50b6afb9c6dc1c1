public import Rights

extension Right {
    /// The highest risk of what the right opens.
    public var risk: Risk {
        switch self {
        case .systemInformation, .notification: .safe
        case .clipboard, .display: .mutating
        case .fileRead, .fileWrite, .systemLogs, .terminal: .privileged
        }
    }
}
