import Accounts
import Kernel

extension FuzzTarget {
    /// What people type and paste is read back from its own form, and what a hub or a client sends is read or refused.
    static let accountWire = FuzzTarget(name: "account-wire") { bytes in
        let typed = String(decoding: bytes, as: UTF8.self)
        if let name = AccountName(typed), AccountName(name.text) != name { finding("a name that is not read back") }
        if let person = UserID(imUserID: typed), person.imUserID != typed { finding("two spellings of one person") }
        if let code = InvitationCode(typed), InvitationCode(code.description) != code {
            finding("a code that is not read back")
        }
        if let link = InvitationLink(text: typed), InvitationLink(text: link.text) != link {
            finding("a link that is not read back")
        }
        guard let json = try? JSONValue(parsing: bytes) else { return }
        if let envelope = try? json.decode(as: IMEnvelope.self) { _ = try? envelope.result() }
        _ = try? json.decode(as: RegisterRequest.self)
        _ = try? json.decode(as: LoginRequest.self)
        _ = try? json.decode(as: AccountSession.self)
        _ = try? json.decode(as: AccountDeviceList.self)
    }
}
