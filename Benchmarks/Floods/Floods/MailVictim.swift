import Sealing

/// Two devices of which one is away: the other's frame from before the flood must arrive, and so must one sent during it.
final class MailVictim: Victim {
    private let port: UInt16
    private let sender = Identity()
    private let recipient = Identity()

    init(port: UInt16) throws {
        self.port = port
        _ = try Witness(recipient, port: port)
        try send("before")
    }

    private func send(_ text: String) throws {
        let witness = try Witness(sender, port: port)
        witness.send(#"{"type":"message","to":"\#(recipient.did)","payload":{"type":"note","text":"\#(text)"}}"#)
        _ = try witness.next(holding: recipient.did.text)
    }

    func figures() throws -> [Figure] {
        try send("after")
        let witness = try Witness(recipient, port: port)
        let lost = try ["before", "after"].count { try witness.next(holding: "offline-message", $0, within: 2) == nil }
        return [Figure("mail lost", Double(lost), atMost: 0, "of 2")]
    }
}
