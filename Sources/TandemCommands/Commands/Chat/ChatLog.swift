import ChatClient

/// The messages that an open conversation has shown, each with the number that the person names it by.
struct ChatLog {
    private struct Key: Hashable {
        var id: String
        var from: String

        init(_ message: ChatControl.MessageEntry) {
            id = message.id
            from = message.from
        }
    }

    /// Messages that can be named; older ones lose their numbers.
    private static let limit = 2000

    private var messages: [ChatControl.MessageEntry] = []
    /// The number of the first of them.
    private var first = 1
    private var numbers: [Key: Int] = [:]

    var last: ChatControl.MessageEntry? { messages.last }

    /// The newest own message that was not taken back.
    var newestOwn: (number: Int, message: ChatControl.MessageEntry)? { newest { $0.isMine && $0.kind != .recalled } }

    func newest(
        _ wanted: (ChatControl.MessageEntry) -> Bool
    ) -> (number: Int, message: ChatControl.MessageEntry)? {
        messages.lastIndex(where: wanted).map { (first + $0, messages[$0]) }
    }

    /// The newest place of the other person's messages; nil for none.
    var newestPeerPlace: Int64? { messages.last { !$0.isMine && $0.seq != nil }?.seq }

    subscript(number: Int) -> ChatControl.MessageEntry? {
        messages.indices.contains(number - first) ? messages[number - first] : nil
    }

    /// Takes a message in.
    ///
    /// - Returns: Its number, and what was known of it before; nil for a new one.
    mutating func take(
        _ message: ChatControl.MessageEntry
    ) -> (number: Int, before: ChatControl.MessageEntry?) {
        let key = Key(message)
        if let number = numbers[key] {
            let before = messages[number - first]
            messages[number - first] = message
            return (number, before)
        }
        messages.append(message)
        let number = first + messages.count - 1
        numbers[key] = number
        if messages.count > Self.limit {
            numbers[Key(messages.removeFirst())] = nil
            first += 1
        }
        return (number, nil)
    }
}
