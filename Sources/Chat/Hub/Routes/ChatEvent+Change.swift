import Chat

extension ChatEvent {
    /// Nil for a new message, which is no event.
    init?(_ change: ChatChange, number: Int64?) {
        guard let change = Change(change) else { return nil }
        self.init(number, change)
    }
}

extension ChatEvent.Change {
    fileprivate init?(_ change: ChatChange) {
        switch change {
        case .message: return nil
        case .recalled(let id, let seq, let clientMessageID, let person, let time):
            self = .recalled(id, sequence: seq, clientMessageID: clientMessageID, by: person, at: time)
        case .destroyed(let id, let seq, let clientMessageID):
            self = .destroyed(id, sequence: seq, clientMessageID: clientMessageID)
        case .read(let id, let seq): self = .read(id, upTo: seq)
        case .peerRead(let id, let seq): self = .peerRead(id, upTo: seq)
        case .peerReceived(let id, let seq): self = .peerReceived(id, upTo: seq)
        case .settings(let id, let settings): self = .settings(id, ConversationSettings(settings))
        case .cleared(let id, let seq): self = .cleared(id, minimumSequence: seq)
        case .hidden(let id, let seq): self = .hidden(id, upTo: seq)
        case .deleted(let id, let seqs): self = .deleted(id, sequences: seqs)
        case .requestAccepted(let id): self = .requestAccepted(id)
        case .requestDeclined(let id): self = .requestDeclined(id)
        case .blocked(let person): self = .blocked(person)
        case .unblocked(let person): self = .unblocked(person)
        case .peerDeleted(let id): self = .peerDeleted(id)
        case .typing(let id): self = .typing(id)
        case .presence(let person, let isOnline): self = .presence(person, isOnline: isOnline)
        case .keysChanged(let person): self = .keysChanged(person)
        }
    }
}

extension ConversationSettings {
    /// All settings of a member, a missing draft as an empty one.
    init(_ settings: MemberSettings) {
        self.init(
            receiveOption: settings.receiveOption,
            isPinned: settings.isPinned,
            draft: settings.draft ?? ""
        )
    }
}
