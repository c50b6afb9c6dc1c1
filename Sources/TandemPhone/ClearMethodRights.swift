import Rights

/// Which right a method of a computer needs, for computers that know nothing of rights: what this phone's person is asked about
/// before such a method goes out in the clear. Source: `docs/protocol.md`, "Skills and risk".
enum ClearMethodRights {
    private static let open: Set<String> = ["system.ping", "registry.list", "skill.list"]
    private static let systemInformation: Set<String> = ["system.info", "system.getStatus", "system.getInfo"]
    private static let fileReading: Set<String> = [
        "file.listDirectory", "file.list", "file.readFile", "file.read", "file.getFileInfo", "file.getInfo",
        "file.exists",
        "file.search", "file.requestDownload", "file.downloadChunk", "file.completeDownload", "file.listTransfers",
        "file.cancelTransfer",
    ]

    /// Nil for what every paired phone may ask. What is not known here may do anything, so it needs the highest right.
    static func right(for method: String) -> Right? {
        if open.contains(method) { return nil }
        if systemInformation.contains(method) { return .systemInformation }
        if fileReading.contains(method) { return .fileRead }
        switch method {
        case "sysinfo.getLogs": return .systemLogs
        case "system.notify": return .notification
        default: break
        }
        switch method.split(separator: ".").dropLast().joined(separator: ".") {
        case "sysinfo": return .systemInformation
        case "notification": return .notification
        case "clipboard": return .clipboard
        case "display", "screen": return .display
        case "file": return .fileWrite
        default: return .terminal
        }
    }
}

extension Right {
    /// Whether methods with this right go to a computer that cannot seal only on a direct way, and never through a relay: a relay
    /// that changes them does whatever it likes there.
    var needsDirectWay: Bool {
        switch self {
        case .systemInformation, .notification, .clipboard, .display, .fileRead: false
        case .fileWrite, .systemLogs, .terminal: true
        }
    }
}
