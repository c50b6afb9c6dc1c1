import Accounts
import ChatClient
import Control

/// Finds the conversation with a person as somebody types them: an account's name, `tb_7`, a link, or the name that is shown.
struct ChatPeople {
    let client: ControlClient

    /// How this phone's account stands.
    ///
    /// - Throws: ``CommandError/noAccount``.
    func standing() async throws -> ChatControl.Standing {
        let standing = try await client.call(ChatControl.list)
        guard standing.state != .signedOut else { throw CommandError.noAccount }
        return standing
    }

    /// A shown name is its owner's choice, so it stands for somebody only where no account has that name: nobody gets another one's
    /// messages by calling themselves so.
    ///
    /// - Throws: ``CommandError/severalPeople(_:_:)``, ``CommandError/noAccount``, ``ControlError``.
    func conversation(_ typed: String) async throws -> ChatControl.ConversationEntry {
        let standing = try await standing()
        if let named = standing.conversations.first(where: { $0.id == typed || $0.user == typed }) { return named }
        let shown = Self.shown(typed, among: standing.conversations)
        guard AccountName(typed) != nil, shown.isEmpty || standing.state == .live else {
            if let only = try Self.only(shown, typed) { return only }
            return try await open(typed)
        }
        let account: ChatControl.ConversationEntry
        do {
            account = try await open(typed)
        } catch let error as ControlError {
            guard case .refused = error, let only = try Self.only(shown, typed) else { throw error }
            return only
        }
        let others = shown.filter { $0.id != account.id }
        guard others.isEmpty else { throw CommandError.severalPeople(typed, ([account] + others).map(\.user)) }
        return account
    }

    private func open(_ typed: String) async throws -> ChatControl.ConversationEntry {
        try await client.call(ChatControl.open, ChatControl.Person(typed))
    }

    /// Conversations with people who are shown by this name, without regard to capitals where nobody is otherwise. A stranger's request counts
    /// only where nobody else has the name.
    static func shown(
        _ typed: String,
        among conversations: [ChatControl.ConversationEntry]
    ) -> [ChatControl.ConversationEntry] {
        let exact = conversations.filter { $0.name == typed }
        let found = exact.isEmpty ? conversations.filter { $0.name.lowercased() == typed.lowercased() } : exact
        let known = found.filter { $0.request != .incoming }
        return known.isEmpty ? found : known
    }

    private static func only(
        _ shown: [ChatControl.ConversationEntry],
        _ typed: String
    ) throws(CommandError) -> ChatControl.ConversationEntry? {
        guard shown.count <= 1 else { throw .severalPeople(typed, shown.map(\.user)) }
        return shown.first
    }
}
