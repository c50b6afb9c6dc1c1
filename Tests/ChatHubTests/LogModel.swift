import ChatHub
import KernelTesting

/// The log as plain lists, for tests that compare: the rules said the short way, with no thought of speed.
struct LogModel {
    struct Message: Hashable {
        let sender: Int64
        let id: String
        var words: String
        let isCountable: Bool
        let time: Int64
        var isRecalled = false
        var deletedBy: Set<Int64> = []
    }

    struct Conversation {
        var messages: [Message] = []
        var read: [Int64: Int] = [:]
        var first: [Int64: Int] = [:]
        var hidden: [Int64: Int] = [:]
        var requester: Int64?
        var isOpen = false

        /// I7 as it is written.
        func unread(of person: Int64) -> Int {
            messages.enumerated().count { index, message in
                index + 1 > read[person, default: 0] && message.sender != person && message.isCountable
                    && !message.isRecalled
            }
        }

        func isListed(for person: Int64) -> Bool {
            let newest = messages.lastIndex(where: \.isCountable).map { $0 + 1 } ?? 0
            return newest > hidden[person, default: 0]
        }
    }

    struct Sent: Hashable {
        let seq: Int
        let isRepeat: Bool
    }

    var conversations: [Set<Int64>: Conversation] = [:]
    var blocks: [Int64: Set<Int64>] = [:]

    mutating func send(
        _ words: String,
        isCountable: Bool,
        id: String,
        from sender: Int64,
        to receiver: Int64,
        at now: Int64
    ) -> Result<Sent, ChatHubError> {
        for (people, conversation) in conversations {
            guard let index = conversation.messages.firstIndex(where: { $0.sender == sender && $0.id == id }) else {
                continue
            }
            let known = conversation.messages[index]
            let isSame = people == [sender, receiver] && known.words == words && known.isCountable == isCountable
            return known.isRecalled || isSame
                ? .success(Sent(seq: index + 1, isRepeat: true)) : .failure(.duplicateID)
        }
        if blocks[receiver, default: []].contains(sender) { return .failure(.blockedByPeer) }
        var conversation = conversations[[sender, receiver]] ?? Conversation()
        if conversation.messages.isEmpty {
            guard isCountable else { return .failure(.requestNeedsText) }
            conversation.requester = sender
        } else if !conversation.isOpen {
            guard conversation.requester != sender else { return .failure(.requestPending) }
            conversation.requester = nil
            conversation.isOpen = true
        }
        let time = max(now, conversation.messages.last?.time ?? 0)
        conversation.messages.append(
            Message(sender: sender, id: id, words: words, isCountable: isCountable, time: time)
        )
        let seq = conversation.messages.count
        if conversation.read[sender, default: 0] == seq - 1 { conversation.read[sender] = seq }
        conversations[[sender, receiver]] = conversation
        return .success(Sent(seq: seq, isRepeat: false))
    }

    mutating func recall(_ seq: Int, by person: Int64, in people: Set<Int64>) -> ChatHubError? {
        guard var conversation = conversations[people], conversation.messages.indices.contains(seq - 1),
            conversation.messages[seq - 1].isCountable
        else { return .notFound }
        if conversation.messages[seq - 1].sender != person { return .notYours }
        if conversation.messages[seq - 1].isRecalled { return .alreadyRecalled }
        conversation.messages[seq - 1].isRecalled = true
        conversations[people] = conversation
        return nil
    }

    mutating func read(_ seq: Int, by person: Int64, in people: Set<Int64>) -> Result<Int, ChatHubError> {
        guard var conversation = conversations[people] else { return .failure(.notFound) }
        let cursor = max(conversation.read[person, default: 0], min(seq, conversation.messages.count))
        conversation.read[person] = cursor
        conversations[people] = conversation
        return .success(cursor)
    }

    mutating func clear(by person: Int64, in people: Set<Int64>) -> Result<Int, ChatHubError> {
        guard var conversation = conversations[people] else { return .failure(.notFound) }
        conversation.first[person] = conversation.messages.count + 1
        conversation.read[person] = conversation.messages.count
        conversations[people] = conversation
        return .success(conversation.messages.count + 1)
    }

    mutating func hide(by person: Int64, in people: Set<Int64>) -> ChatHubError? {
        guard var conversation = conversations[people] else { return .notFound }
        conversation.hidden[person] = conversation.messages.count
        conversation.read[person] = conversation.messages.count
        conversations[people] = conversation
        return nil
    }

    mutating func delete(_ seq: Int, by person: Int64, in people: Set<Int64>) -> ChatHubError? {
        guard var conversation = conversations[people] else { return .notFound }
        if conversation.messages.indices.contains(seq - 1) {
            conversation.messages[seq - 1].deletedBy.insert(person)
            conversations[people] = conversation
        }
        return nil
    }

    mutating func accept(by person: Int64, in people: Set<Int64>) -> ChatHubError? {
        guard var conversation = conversations[people] else { return .notFound }
        if conversation.isOpen { return nil }
        guard let requester = conversation.requester, requester != person else { return .notFound }
        conversation.requester = nil
        conversation.isOpen = true
        conversations[people] = conversation
        return nil
    }
}
