public import Sealing

/// What a reader remembers of a conversation's sealed messages, to say what the hub does with them: each is noted once it was opened, in the order of the
/// hub's places.
public struct SealedHistory: Hashable, Sendable {
    /// Something that an honest hub does not do, or seldom.
    public enum Finding: Hashable, Sendable {
        /// So many messages of the same device are missing before this one: withheld, or thrown away by their sender.
        case missing(Int64)
        /// It was missing before: the order is another one than its sender's.
        case late
        /// The same message once more.
        case repeated
        /// It was sealed for older lists of devices than a message before it.
        case oldLists
    }

    /// The counts of each device.
    public private(set) var counts: [DID: MessageCount]
    /// The newest numbers of lists, the smaller person's number first; nil before the first message.
    public private(set) var lists: [Int]?

    public init(counts: [DID: MessageCount] = [:], lists: [Int]? = nil) {
        self.counts = counts
        self.lists = lists
    }

    /// Notes a message that was opened for the first time.
    public mutating func note(_ message: SealedMessage, _ content: SealedContent, bound binding: MessageBinding)
        -> [Finding]
    {
        var findings: [Finding] = []
        if let count = content.count {
            switch counts[message.sender, default: MessageCount()].note(count) {
            case .next: break
            case .missing(let number): findings.append(.missing(number))
            case .late: findings.append(.late)
            case .repeated: findings.append(.repeated)
            }
        }
        let isInOrder = binding.senders.user < binding.receivers.user
        let numbers =
            isInOrder ? [message.senderList, message.receiverList] : [message.receiverList, message.senderList]
        let before = lists ?? numbers
        if zip(numbers, before).contains(where: <) { findings.append(.oldLists) }
        lists = zip(numbers, before).map(max)
        return findings
    }

    /// One of the two began anew, and numbers lists from 0 again.
    public mutating func beginAnew() { lists = nil }
}
