/// Recalls and burned photos that came before their messages. The newest are kept.
package struct EarlyStates: Sendable {
    private enum State: Hashable, Sendable {
        case recalled(MessageKey)
        case recalledAt(Int64)
        case burned(MessageKey)
        case deletedAt(Int64)
    }

    private let limit: Int
    private var states: Set<State> = []
    private var order: [State] = []
    private var head = 0

    package init(limit: Int) { self.limit = limit }

    package mutating func noteRecall(_ recall: IncomingItem.Recall) {
        if let target = recall.target {
            note(.recalled(target))
        } else if let place = recall.sequence {
            note(.recalledAt(place))
        }
    }

    package mutating func noteBurned(_ key: MessageKey) { note(.burned(key)) }

    /// The person deleted the message at a place for themselves.
    package mutating func noteDeleted(_ place: Int64) { note(.deletedAt(place)) }

    package func isDeleted(_ place: Int64) -> Bool { states.contains(.deletedAt(place)) }

    private mutating func note(_ state: State) {
        guard states.insert(state).inserted else { return }
        order.append(state)
        guard states.count > limit else { return }
        states.remove(order[head])
        head += 1
        if head > limit {
            order.removeFirst(head)
            head = 0
        }
    }

    /// Brings a message that arrives into its state.
    package func apply(to message: inout ChatMessage) {
        guard !states.isEmpty else { return }
        if states.contains(.burned(message.key)) { message.destroy() }
        let isRecalled =
            states.contains(.recalled(message.key))
            || message.sequence.map { states.contains(.recalledAt($0)) } ?? false
        if isRecalled { message.recall() }
    }
}
