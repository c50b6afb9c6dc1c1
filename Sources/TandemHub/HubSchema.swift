import SignalingServer
package import Storage

extension Schema {
    /// The tables of a hub.
    package static let hub = Schema(
        "hub",
        [SignalingDatabase.migrations, PageSessions.migrations],
        besides: [
            "pairing-pairedDesktop", "pairing-pairedPhone", "session", "pairing-guesses", "files-fileUpload",
            "files-fileTransfer", "remote-audit", "remote-nonce", "remote-answer", "remote-offlineCommand",
            "notification", "notification-phone",
        ]
    )
}
